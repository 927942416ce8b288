//! The command `:hint`: what an agent would answer here, and what it expects of each option.

use serde_json::json;

use crate::agents::HUMAN;
use crate::error::Error;
use crate::game::{Asked, Value, brief};
use crate::handlers::{Answer, Worth};
use crate::render;
use crate::repl::{Reply, Session};

/// Of so many options it says what they are worth.
const OPTIONS: usize = 12;

/// Asks an agent.
pub fn hint(session: &mut Session, word: &str, reply: &mut Reply) -> Result<(), Error> {
    if word == HUMAN {
        return Err(Error::usage("a person is asked already; name an agent"));
    }
    let asked = session.decision()?;
    let (answer, worth) = session.open()?.advice(word)?;
    let option = |index: usize| asked.options.get(index).map(brief).unwrap_or_default();
    let weights = match &answer {
        Answer::Any => Vec::new(),
        Answer::Option(index) => vec![(*index, 1.0)],
        Answer::Weights(weights) => {
            let total: f64 = weights.iter().map(|(_, weight)| about(weight)).sum();
            weights.iter().map(|(index, weight)| (index, about(weight) / total)).collect()
        }
    };
    let text = match &weights[..] {
        [] => format!("`{word}` would take any of them, each as likely"),
        [(index, _)] => format!("`{word}` would answer {}", option(*index)),
        several => {
            let one = |(index, share): &(usize, f64)| {
                format!("{} with {}", option(*index), render::share_percent(*share))
            };
            format!(
                "`{word}` would answer {}",
                several.iter().map(one).collect::<Vec<_>>().join(", ")
            )
        }
    };
    let text = match &worth {
        Some(worth) => format!("{text}\n{}", reason(asked, worth)),
        None => text,
    };
    let json = || {
        let one = |(index, share): &(usize, f64)| json!({ "option": asked.options.get(*index), "share": share });
        let mut json = json!({
            "agent": word,
            "player": asked.who,
            "answers": weights.iter().map(one).collect::<Vec<_>>(),
        });
        if let Some(Worth { values, playouts }) = &worth {
            let option = |(option, utility)| json!({ "option": option, "utility": utility });
            json["exact"] = (*playouts == 0).into();
            json["n"] = (*playouts).into();
            json["options"] = asked.options.iter().zip(values).map(option).collect();
        }
        json
    };
    session.show(reply, json, |width, _| render::wrapped(&text, width));
    Ok(())
}

/// What an agent expects of the options, the best first.
fn reason(asked: &Asked, worth: &Worth) -> String {
    let mut options: Vec<_> = worth.values.iter().zip(&asked.options).collect();
    options.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    let one = |(utility, option): &(&f64, &Value)| {
        format!("{} ({})", brief(*option), render::tidy(**utility))
    };
    let mut listed: Vec<String> = options.iter().take(OPTIONS).map(one).collect();
    if options.len() > OPTIONS {
        listed.push(format!("{} more", options.len() - OPTIONS));
    }
    let how = match worth.playouts {
        0 => "exact".to_owned(),
        playouts => format!("estimated from {} of each", render::many(playouts, "playout")),
    };
    let (who, listed) = (&asked.who, listed.join(", "));
    format!("utility of {who} if everybody plays at random from here, {how}: {listed}")
}

fn about(weight: &num_bigint::BigUint) -> f64 {
    num_traits::ToPrimitive::to_f64(weight).unwrap_or(f64::MAX)
}
