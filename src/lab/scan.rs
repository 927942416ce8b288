//! Where does a text of Rhai end: in the code, in a comment, in a text that is still open?

/// What the end of a text stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Code.
    Code,
    /// A comment that ends with the line.
    LineComment,
    /// A `/*` that is not closed.
    Comment,
    /// A `"` that is not closed.
    Text,
    /// A text that may go on over lines, and is not closed.
    LongText,
}

/// Reads a text to its end.
pub fn end_of(text: &str) -> End {
    Scan::new(text).code(false).err().unwrap_or(End::Code)
}

/// Whether the last thing in the code is a `;`, comments aside.
pub fn ends_quietly(text: &str) -> bool {
    let mut scan = Scan::new(text);
    // Where a comment ends the text, that is no matter here.
    let _ = scan.code(false);
    scan.last == ';'
}

struct Scan<'a> {
    rest: &'a str,
    /// The last letter of code that is no space.
    last: char,
}

impl Scan<'_> {
    fn new(rest: &str) -> Scan<'_> {
        Scan { rest, last: ' ' }
    }

    fn take(&mut self, word: &str) -> bool {
        let rest = self.rest.strip_prefix(word);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn next(&mut self) -> Option<char> {
        let letter = self.rest.chars().next()?;
        self.rest = &self.rest[letter.len_utf8()..];
        Some(letter)
    }

    /// Code up to the end, or, `within` a long text, up to the `}` that closes it. The error is
    /// what was open where the text ended.
    fn code(&mut self, within: bool) -> Result<(), End> {
        let mut depth = 0;
        loop {
            if self.take("//") {
                let line = self.rest.find('\n').ok_or(End::LineComment)?;
                self.rest = &self.rest[line..];
                continue;
            }
            if self.take("/*") {
                self.comment()?;
                continue;
            }
            if self.take("#\"") {
                let close = self.rest.find("\"#").ok_or(End::LongText)?;
                self.rest = &self.rest[close + 2..];
                self.last = '"';
                continue;
            }
            let Some(letter) = self.next() else {
                return if within { Err(End::LongText) } else { Ok(()) };
            };
            match letter {
                '"' | '\'' => self.text(letter)?,
                '`' => self.long_text()?,
                '}' if within && depth == 0 => return Ok(()),
                '{' => depth += 1,
                '}' => depth -= 1,
                _ => {}
            }
            if !letter.is_whitespace() {
                self.last = letter;
            }
        }
    }

    /// Comments nest.
    fn comment(&mut self) -> Result<(), End> {
        let mut depth = 1;
        while depth > 0 {
            if self.take("/*") {
                depth += 1;
            } else if self.take("*/") {
                depth -= 1;
            } else if self.next().is_none() {
                return Err(End::Comment);
            }
        }
        Ok(())
    }

    fn text(&mut self, mark: char) -> Result<(), End> {
        loop {
            match self.next() {
                // A `\` at the end of a line carries the text on to the next.
                Some('\\') if matches!(self.rest, "" | "\n") => return Err(End::LongText),
                Some('\\') => drop(self.next()),
                Some('\n') | None => return Err(End::Text),
                Some(letter) if letter == mark => return Ok(()),
                Some(_) => {}
            }
        }
    }

    fn long_text(&mut self) -> Result<(), End> {
        loop {
            if self.take("``") {
                continue;
            }
            if self.take("${") {
                self.code(true)?;
                continue;
            }
            match self.next() {
                Some('`') => return Ok(()),
                Some(_) => {}
                None => return Err(End::LongText),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_open_at_the_end_is_told() {
        for (text, end) in [
            ("1 + 2", End::Code),
            ("1 // \"", End::LineComment),
            ("1 // \"\n", End::Code),
            ("/* a /* b */", End::Comment),
            ("\"/*", End::Text),
            ("\"a\\\"", End::Text),
            ("\"a\\\"\"", End::Code),
            ("`a\n", End::LongText),
            ("`a ${ \"`\" } b", End::LongText),
            ("`a ${ #{x: 1}.x } `", End::Code),
            ("`a ${ 1 +", End::LongText),
            ("'\"'", End::Code),
            ("#\"a\n\"b\"#", End::Code),
            ("\"carried \\", End::LongText),
        ] {
            assert_eq!(end_of(text), end, "{text}");
        }
    }

    #[test]
    fn a_last_semicolon_keeps_quiet() {
        assert!(ends_quietly("1; // told"));
        assert!(!ends_quietly("1 // quiet;"));
        assert!(!ends_quietly("\";\""));
        assert!(ends_quietly("1;  "));
    }
}
