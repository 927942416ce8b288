//! How is a page written? Text is escaped wherever it goes in; markup is our own.

/// A page in the making.
#[derive(Default)]
pub(super) struct Html(String);

impl Html {
    /// Adds markup of our own.
    pub fn raw(&mut self, markup: &str) {
        self.0.push_str(markup);
    }

    /// Adds text.
    pub fn text(&mut self, text: &str) {
        self.0.push_str(&escaped(text));
    }

    /// Adds an element with nothing but text in it.
    pub fn element(&mut self, tag: &str, text: &str) {
        let name = tag.split(' ').next().unwrap_or(tag);
        self.0.push_str(&format!("<{tag}>{}</{name}>", escaped(text)));
    }

    /// Adds a table with its caption; the first cell of each row heads it.
    pub fn table(&mut self, caption: &str, header: &[&str], rows: &[Vec<String>]) {
        self.raw("<div class=\"wide\"><table>");
        self.element("caption", caption);
        self.raw("<thead><tr>");
        header.iter().for_each(|cell| self.element("th scope=\"col\"", cell));
        self.raw("</tr></thead>\n<tbody>\n");
        for row in rows {
            self.raw("<tr>");
            for (column, cell) in row.iter().enumerate() {
                self.element(if column == 0 { "th scope=\"row\"" } else { "td" }, cell);
            }
            self.raw("</tr>\n");
        }
        self.raw("</tbody></table></div>\n");
    }

    /// The page.
    pub fn finish(self) -> String {
        self.0
    }
}

/// Text that no browser takes for markup, in elements and in attributes; control characters and
/// marks that turn the direction of the line are shown as what they are not.
pub(super) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in crate::render::tame(text).chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_stays_text() {
        let mut page = Html::default();
        page.element("td class=\"x\"", "<script>alert('&\"')</script>\u{202e}");
        assert_eq!(
            page.finish(),
            "<td class=\"x\">&lt;script&gt;alert(&#39;&amp;&quot;&#39;)&lt;/script&gt;\u{fffd}</td>"
        );
    }
}
