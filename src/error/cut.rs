//! Why long work was stopped before its end.

use std::time::Duration;

use serde::{Serialize, Serializer};

/// What stopped long work. A bound names its number and the option that sets another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Cut {
    /// Ctrl-C.
    #[error("interrupted")]
    Interrupted,
    /// The time limit.
    #[error("the time limit of {} s was reached (`--time` sets another)", .0.as_secs_f64())]
    Time(Duration),
    /// The memory bound, in bytes.
    #[error(
        "the memory bound of {} was reached (`--graph-memory`, or `graph_memory` in config.toml, \
         sets another)",
        bytes(*.0)
    )]
    Memory(u64),
}

impl Cut {
    /// Whether somebody asked for it, at once or by a time limit: then what is known is printed.
    pub(crate) fn is_asked_for(self) -> bool {
        !matches!(self, Cut::Memory(_))
    }
}

impl Serialize for Cut {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A number of bytes as `--graph-memory` reads it: `64M`, in whole units where it is one.
fn bytes(number: u64) -> String {
    let units = [(1 << 30, "G"), (1 << 20, "M"), (1 << 10, "K")];
    let unit = units.iter().find(|(size, _)| number >= *size && number.is_multiple_of(*size));
    unit.map_or_else(|| number.to_string(), |(size, name)| format!("{}{name}", number / size))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_is_named_with_its_number_and_its_option() {
        let message = |cut: Cut| cut.to_string();
        assert_eq!(
            message(Cut::Time(Duration::from_millis(1500))),
            "the time limit of 1.5 s was reached (`--time` sets another)"
        );
        for (bound, text) in [(3 << 20, "3M"), (1 << 30, "1G"), (1 << 20 | 1, "1048577")] {
            let start = format!("the memory bound of {text} was reached (`--graph-memory`, ");
            assert!(message(Cut::Memory(bound)).starts_with(&start));
        }
    }
}
