//! Answers from a test case: scripted answers in order, by player and question.

use indexmap::IndexMap;

use crate::error::{Error, meant, nearest};
use crate::game::{Asked, Question, Stop, Value};

/// Who -> the name of what is asked -> the values in the order in which that is asked.
pub(crate) type Laid = IndexMap<String, IndexMap<String, Vec<Value>>>;

/// Answers from a case, which lists every answer and every roll.
#[derive(Clone, Debug)]
pub struct CaseAnswers {
    players: Queues,
    rollers: Queues,
}

impl CaseAnswers {
    /// The answers of players, and the rolls of rollers.
    pub fn new(players: Laid, rollers: Laid) -> CaseAnswers {
        CaseAnswers { players: Queues::new(players), rollers: Queues::new(rollers) }
    }

    /// The next answer to a question.
    ///
    /// # Errors
    /// [`Error::MissingAnswer`], and [`Error::Answer`] for one that is no option.
    pub fn answer(&mut self, question: &Question<'_>) -> Result<usize, Stop> {
        match question {
            Question::Decision(decision, _) => self.players.answer(
                decision.player,
                decision.name,
                |value| decision.options.index_of(value),
                || decision.into(),
            ),
            Question::Chance(chance) => self.rollers.answer(
                chance.roller,
                chance.name,
                |value| chance.distribution.values().iter().position(|fallen| fallen == value),
                || chance.into(),
            ),
        }
    }

    /// To be asked when the conflict is over.
    ///
    /// # Errors
    /// [`Error::LeftOver`] names the first answer, or else the first roll, that nothing asked for.
    pub fn finish(&self) -> Result<(), Error> {
        for (chance, queues) in [(false, &self.players), (true, &self.rollers)] {
            if let Some((who, name, value)) = queues.first_left() {
                return Err(Error::LeftOver {
                    chance,
                    who: who.to_owned(),
                    name: name.to_owned(),
                    value: value.clone(),
                });
            }
        }
        Ok(())
    }
}

/// The lists of a case, and how much of each has been used.
#[derive(Clone, Debug)]
struct Queues(IndexMap<String, IndexMap<String, (Vec<Value>, usize)>>);

impl Queues {
    fn new(laid: Laid) -> Queues {
        let start = |values| (values, 0);
        let names = |by_name: IndexMap<String, Vec<Value>>| {
            by_name.into_iter().map(|(name, values)| (name, start(values))).collect()
        };
        Queues(laid.into_iter().map(|(who, by_name)| (who, names(by_name))).collect())
    }

    /// The next value for a question. Used up only if it is an answer.
    fn answer(
        &mut self,
        who: &str,
        name: &str,
        index_of: impl FnOnce(&Value) -> Option<usize>,
        asked: impl Fn() -> Asked,
    ) -> Result<usize, Stop> {
        let queue = self.0.get_mut(who).and_then(|by_name| by_name.get_mut(name));
        let Some((value, used)) =
            queue.and_then(|(values, used)| values.get(*used).map(|value| (value, used)))
        else {
            let meant = self.meant(who, name);
            return Err(Error::MissingAnswer { asked: Box::new(asked()), meant }.into());
        };
        let Some(index) = index_of(value) else {
            return Err(no_option(value, asked()).into());
        };
        *used += 1;
        Ok(index)
    }

    /// Which name, or else who, that nothing has asked for yet may be meant, in words.
    fn meant(&self, who: &str, name: &str) -> String {
        let Some(names) = self.0.get(who) else {
            return meant(who, self.0.keys().map(String::as_str));
        };
        let unasked = names.iter().filter(|(_, (_, used))| *used == 0);
        meant(name, unasked.map(|(name, _)| name.as_str()).filter(|other| *other != name))
    }

    fn first_left(&self) -> Option<(&str, &str, &Value)> {
        self.0.iter().find_map(|(who, by_name)| {
            by_name.iter().find_map(|(name, (values, used))| {
                values.get(*used).map(|value| (who.as_str(), name.as_str(), value))
            })
        })
    }
}

/// The error for an answer that is none of the options.
fn no_option(value: &Value, asked: Asked) -> Error {
    let answer = value.to_string();
    let known: Vec<String> = asked.options.iter().map(Value::to_string).collect();
    // `5` and `"5"` look alike to a reader, so such a pair is shown as written in a file.
    let (answer, nearest) = match known.iter().position(|option| *option == answer) {
        Some(at) => (value.literal(), Some(asked.options[at].literal())),
        None => {
            let nearest = nearest(&answer, known.iter().map(String::as_str));
            (answer, nearest)
        }
    };
    Error::Answer { answer, asked: Box::new(asked), nearest }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Ask, Fake, ints};

    fn laid(json: &str) -> Laid {
        serde_json::from_str(json).unwrap()
    }

    fn case(red: &str, ayla: &str) -> CaseAnswers {
        let blue = "{\"hide\": [\"hill\"], \"pay\": [\"1 mana\"]}";
        CaseAnswers::new(
            laid(&format!("{{\"red\": {red}, \"blue\": {blue}}}")),
            laid(&format!("{{\"ayla\": {ayla}}}")),
        )
    }

    const RED: &str = "{\"bid\": [5.0], \"hide\": [\"mill\"]}";
    const AYLA: &str = "{\"test\": [4], \"card\": [2]}";

    fn failure(mut answers: CaseAnswers) -> Error {
        crate::game::failure(
            Fake::game().run(&mut |question| answers.answer(question)).unwrap_err(),
        )
    }

    #[test]
    fn what_is_laid_down_is_answered() {
        let mut answers = case(RED, AYLA);
        assert_eq!(
            Fake::game().run(&mut |question| answers.answer(question)).unwrap(),
            [4, 3, 2, 1, 0, 1]
        );
        answers.finish().unwrap();
    }

    #[test]
    fn a_decision_asked_again_takes_the_next_answer() {
        let twice = Fake(vec![Ask::Pick("red", "bid", ints(5)), Ask::Pick("red", "bid", ints(5))]);
        let mut answers = CaseAnswers::new(laid("{\"red\": {\"bid\": [2, 1]}}"), Laid::new());
        assert_eq!(twice.run(&mut |question| answers.answer(question)).unwrap(), [1, 0]);
    }

    #[test]
    fn a_missing_answer_says_what_is_asked() {
        let error = failure(case("{\"hide\": [\"mill\"]}", AYLA));
        assert_eq!(
            error.to_string(),
            "no answer is given for a decision of `red`, `bid` (1, 2, 3, 4, 5)"
        );
        assert_eq!(error.kind(), "case");
        // A misspelled key is named.
        let error = failure(case("{\"bidd\": [5], \"hide\": [\"mill\"]}", AYLA));
        let says = "`bid` (1, 2, 3, 4, 5): if `bidd` is meant to be it, write `bid`";
        assert!(error.to_string().ends_with(says), "{error}");
        let error = failure(CaseAnswers::new(laid("{\"redd\": {\"bid\": [5]}}"), Laid::new()));
        assert!(
            error.to_string().ends_with(": if `redd` is meant to be it, write `red`"),
            "{error}"
        );
        let error = failure(case(RED, "{\"test\": []}"));
        assert_eq!(
            error.to_string(),
            "no answer is given for a roll for `ayla`, `test` (1, 2, 3, 4, 5, 6)"
        );
    }

    #[test]
    fn an_answer_that_is_no_option_says_the_options_and_the_nearest() {
        let error = failure(case("{\"bid\": [5], \"hide\": [\"mil\"]}", AYLA));
        assert_eq!(
            error.to_string(),
            "`mil` is not an answer to a decision of `red`, `hide` (ford, hill, mill); \
             did you mean `mill`?"
        );
        assert_eq!(error.kind(), "answer");
        let error = failure(case("{\"bid\": [\"5\"]}", AYLA));
        assert_eq!(
            error.to_string(),
            "`\"5\"` is not an answer to a decision of `red`, `bid` (1, 2, 3, 4, 5); \
             did you mean `5`?"
        );
        let error = failure(case(RED, "{\"test\": [7]}"));
        assert!(error.to_string().starts_with("`7` is not an answer to a roll for"), "{error}");
    }

    #[test]
    fn the_first_answer_left_over_is_named() {
        let left = |red, ayla| {
            let mut answers = case(red, ayla);
            Fake::game().run(&mut |question| answers.answer(question)).unwrap();
            answers.finish().unwrap_err()
        };
        let error = left("{\"bid\": [5, 4], \"hide\": [\"mill\"]}", AYLA);
        assert_eq!(
            error.to_string(),
            "`4`, given for the answers of `red`, `bid`, is left over: nothing asks for it"
        );
        assert_eq!(error.kind(), "case");
        let error = left(RED, "{\"test\": [4], \"card\": [2], \"tset\": [1]}");
        assert_eq!(
            error.to_string(),
            "`1`, given for the rolls of `ayla`, `tset`, is left over: nothing asks for it"
        );
    }
}
