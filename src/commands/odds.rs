//! The commands `odds`: the exact odds of a conflict, at a decision of the prompt those of each option; and `estimate`:
//! odds from playouts.

use clap::Args;

use super::{
    Desk, FloatArgument, PlayoutsArgument, Runnable, SamplingArguments, Status, TimeArgument,
    Weighing,
};
use crate::analysis::{Estimated, Odds, PLAYOUTS, Seeking, Stage};
use crate::conflict::Seating;
use crate::error::{Cut, Error};

/// Find the exact odds, or say why they are out of reach; at a decision of the prompt, those of each option
///
/// Where chance is next, they are those from there.
/// They are exact where all that may follow can be explored, else estimated from playouts; Ctrl-C, or the time
/// limit, stops early and prints those made so far. `:odds 20` is `:odds -n 20`. The agent plays for you and
/// other people from here. If none is named it is the `default_agent` of the rules' `params.toml`; where they name
/// none, `greedy`, or `random` if something is hidden. What is hidden from the one who is asked stays hidden: all
/// places that look alike are weighed. Where `:solve` found a solution, `weight` is how often it picks the option, and `value` what the
/// option is worth if all else is played as it says.
#[derive(Args, Debug)]
#[command(mut_args(|argument| match argument.get_id() == "n" {
    true => argument.help("How many playouts of each option, where odds are not exact [default: 1000; 200 where the default agent plays for people]"),
    false => argument,
}))]
pub(crate) struct OddsCommand {
    /// The agent who plays on for you and other people; if none is named, the default agent of the rules
    #[arg(value_parser = agent_or_count)]
    agent: Option<Named>,
    #[command(flatten)]
    playouts: PlayoutsArgument,
    #[command(flatten)]
    limit: TimeArgument,
    #[command(flatten)]
    float: FloatArgument,
    /// Of a campaign, take all of it, not only the conflict that is on
    #[arg(long)]
    whole: bool,
}

/// The word behind `:odds`: an agent, or as `-n N`.
#[derive(Clone, Debug, PartialEq)]
enum Named {
    Agent(String),
    Count(u64),
}

fn agent_or_count(word: &str) -> Result<Named, String> {
    match word.parse() {
        Ok(0) => Err("must be an agent, or a number of playouts of 1 or more".to_owned()),
        Ok(count) => Ok(Named::Count(count)),
        Err(_) => Ok(Named::Agent(word.to_owned())),
    }
}

impl Runnable for OddsCommand {
    const NAME: &'static str = "odds";
    const OF_OPEN: &'static [&'static str] = &["agent", "n"];

    fn run(&self, desk: &mut Desk<'_>) -> Result<Status, Error> {
        if desk.play.is_some() && desk.face.weigh(self.weighing()?)? {
            return Ok(Status::Done);
        }
        let conflict = desk.conflict()?;
        // After answers it is no longer sure to be in the first one.
        let begins = conflict.scenario.begin.is_empty();
        let is_campaign = conflict.scenario.campaign.is_some();
        let first = desk.play.is_none() && is_campaign && begins && !self.whole;
        let seating = match first {
            true => Seating::new(&conflict.until(1)?, desk.memory())?,
            false => desk.seats()?,
        };
        if first {
            desk.face.say(
                "these are the odds of the first conflict; `--whole` and `fracas estimate` take the whole campaign",
            );
        }
        desk.face.people(&seating);
        if desk.play.is_some() {
            desk.face.begin_here(&[(&seating, None)], true)?;
        }
        let seeking = Seeking { float: self.float.float, threads: desk.threads, nodes: u64::MAX };
        let seating = seating.under(seating.budget().begin(self.limit.time));
        let progress = desk.face.begins("nodes", None);
        let odds = Odds::find(&seating, seeking, &|nodes| progress(Stage::Nodes(nodes)));
        drop(progress);
        let odds = odds?;
        desk.face.show(&odds.report())?;
        if desk.play.is_some() && odds.found.is_err() {
            desk.face.say("`:estimate --here` estimates them from playouts");
        }
        Ok(match (&odds.found, odds.cut) {
            (Ok(_), _) | (_, Some(Cut::Time(_))) => Status::Done,
            (_, Some(Cut::Interrupted)) => Status::Interrupted,
            (_, Some(Cut::Memory(_)) | None) => Status::Failed,
        })
    }
}

impl OddsCommand {
    /// How the options of a decision are weighed.
    ///
    /// # Errors
    /// [`Error::Usage`] where the number of playouts is named twice.
    fn weighing(&self) -> Result<Weighing<'_>, Error> {
        let (agent, n) = match (&self.agent, self.playouts.n) {
            (Some(Named::Count(_)), Some(_)) => {
                return Err(Error::usage("the number of playouts is named twice"));
            }
            (Some(Named::Count(count)), None) => (None, Some(*count)),
            (Some(Named::Agent(agent)), n) => (Some(agent.as_str()), n),
            (None, n) => (None, n),
        };
        let (float, time) = (self.float.float, self.limit.time);
        Ok(Weighing { agent, n, float, time, whole: self.whole })
    }
}

/// Estimate the odds from playouts, with 95 % intervals
///
/// They are those of the open conflict from its beginning. The rules, parameters and agents are the current ones;
/// for people the agent of `:odds` plays. With `--here` it is estimated from the current place: where something is
/// hidden from the one who is asked, from places that look alike to that player. `:odds` shows what each option
/// leads to.
#[derive(Args, Debug)]
pub(crate) struct EstimateCommand {
    #[command(flatten)]
    sampling: SamplingArguments,
}

impl Runnable for EstimateCommand {
    const NAME: &'static str = "estimate";
    const SEED: Option<&'static str> = Some(super::SEED);
    const HERE: Option<&'static str> =
        Some("Begin at the current place; what is hidden from the one who is asked stays hidden");

    fn run(&self, desk: &mut Desk<'_>) -> Result<Status, Error> {
        let time = self.sampling.limit.time;
        let sampling = desk.sampling(&self.sampling)?;
        let (seating, here) = match desk.here {
            true => desk.face.here(sampling.n, time).map(|(one, here)| (one, Some(here)))?,
            false => (desk.seating(time)?, None),
        };
        let from = here.as_ref().map_or(&[][..], |here| &here.nodes);
        let progress = desk.face.begins(PLAYOUTS, sampling.known_total());
        let made = Estimated::watched(&seating, sampling, from, &*progress);
        drop(progress);
        let estimated = made?;
        desk.face.show(&estimated.report())?;
        here.iter().for_each(|here| desk.face.began_at(here));
        let missed = sampling.enough.within().and_then(|within| estimated.chances.missed(within));
        Ok(desk.ended(estimated.cut, missed))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use clap::{Args, Command, FromArgMatches};

    use super::{OddsCommand, Weighing};

    fn read(line: &str) -> Result<OddsCommand, String> {
        let program = OddsCommand::augment_args(Command::new("").no_binary_name(true));
        let matches = program.try_get_matches_from(line.split_whitespace());
        let odds = matches.and_then(|matches| OddsCommand::from_arg_matches(&matches));
        let odds = odds.map_err(|error| error.to_string())?;
        odds.weighing().map_err(|error| error.to_string())?;
        Ok(odds)
    }

    #[test]
    fn playouts_and_a_time_limit_may_be_named_in_any_order() {
        let read =
            |line: &str| read(line).map(|odds| (odds.weighing().unwrap().n, odds.limit.time));
        let time = Some(Duration::from_secs(5));
        assert_eq!(read(""), Ok((None, None)));
        for line in ["20 --time 5", "--time 5 20", "--time=5 20", "20 --time=5", "-n 20 --time 5"] {
            assert_eq!(read(line), Ok((Some(20), time)), "{line}");
        }
        let wrong =
            ["--time", "--time x", "--time -1", "20 30", "20 -n 30", "0", "-n 0", "20 --tim 5"];
        for wrong in wrong {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn an_agent_may_be_named_with_the_playouts() {
        let odds = read("greedy -n 20").unwrap();
        let Weighing { agent, n, .. } = odds.weighing().unwrap();
        assert_eq!((agent, n), (Some("greedy"), Some(20)));
    }
}
