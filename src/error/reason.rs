//! The reason why a file cannot be used, as it reads in the middle of a sentence.

use std::{fmt, io};

/// Our own words, or the system's without the number that ends them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Reason(pub(super) String);

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<&str> for Reason {
    fn from(words: &str) -> Reason {
        Reason(words.to_owned())
    }
}

impl From<String> for Reason {
    fn from(words: String) -> Reason {
        Reason(words)
    }
}

impl From<io::Error> for Reason {
    fn from(error: io::Error) -> Reason {
        Reason::from(&error)
    }
}

impl From<&io::Error> for Reason {
    fn from(error: &io::Error) -> Reason {
        // In the words of the system it "exists", in those of the library an "entity" does.
        if error.kind() == io::ErrorKind::AlreadyExists {
            return Reason("it is there already; take another name, or remove it first".to_owned());
        }
        let words = error.to_string();
        // Only an error of the system has a number, and it is the one to leave out.
        let Some(number) = error.raw_os_error() else { return Reason(words) };
        let plain = words.strip_suffix(&format!(" (os error {number})")).unwrap_or(&words);
        let mut letters = plain.chars();
        let first = letters.next().into_iter().flat_map(char::to_lowercase);
        Reason(first.chain(letters).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Error;

    #[cfg(unix)]
    #[test]
    fn the_number_of_an_error_of_the_system_is_left_out() {
        // POSIX: 21 is EISDIR.
        let folder = io::Error::from_raw_os_error(21);
        let error = Error::file("read", "a", &folder).to_string();
        assert_eq!(error, "cannot read `a`: is a directory");
    }

    #[test]
    fn words_of_our_own_stay_as_they_are_whatever_they_hold() {
        let words = "UTF-8 is broken (os error 21)";
        assert_eq!(
            Error::file("read", "a", words).to_string(),
            format!("cannot read `a`: {words}")
        );
        let own = io::Error::other(words);
        assert_eq!(Error::file("read", "a", own).to_string(), format!("cannot read `a`: {words}"));
    }
}
