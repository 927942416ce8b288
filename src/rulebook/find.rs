//! Finds clauses of a rulebook by their ids and words, and shows them as text.

use indexmap::IndexMap;
use serde::Serialize;

use super::prose::{Item, ProseBlock, sentences};
use super::{Rulebook, leading};
use crate::error::Error;
use crate::report::{Block, tame};

/// Of the clauses that a comment cites, this many are shown.
const CITED: usize = 3;

/// A clause of the rules, or a word that they explain.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Clause {
    pub system: String,
    /// The clause, as in `W4`; the word, where one is explained by itself.
    pub id: String,
    pub text: String,
    /// Where the text from which the rules come does not have all of the clause: where the rest comes from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub beyond: Option<String>,
    /// What house rules and parameters change of it, each in words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changed: Vec<String>,
}

impl Rulebook {
    pub(crate) fn clauses(&self) -> Vec<Clause> {
        self.items().filter(|item| item.id.is_some()).map(|item| self.clause(item)).collect()
    }

    /// What an id names, else what explains a word, else all that mentions it: clauses, their readings,
    /// paragraphs, what is below a title, and parameters.
    pub(crate) fn find(&self, word: &str) -> Result<Vec<Clause>, Error> {
        let searches = [Rulebook::named, Rulebook::explaining, Rulebook::mentioning];
        let found = searches.iter().map(|search| search(self, word.trim()));
        let found = found.into_iter().find(|found| !found.is_empty());
        found.ok_or_else(|| {
            let params = self.params.iter().map(|param| param.text.as_str());
            let texts = self.texts().chain(params).collect::<Vec<_>>();
            let is_between = |c: char| !c.is_alphanumeric() && c != '_';
            let said = texts.iter().flat_map(|text| text.split(is_between));
            let said = said.filter(|said| said.chars().count() >= SHORTEST);
            Error::unknown(SEARCHED, word, self.ids().chain(self.words()).chain(said))
        })
    }

    fn texts(&self) -> impl Iterator<Item = &str> {
        self.blocks.iter().filter_map(|block| match block {
            ProseBlock::Paragraph(text) => Some(text.as_str()),
            ProseBlock::Item(item) => Some(item.text.as_str()),
            ProseBlock::Heading(_) | ProseBlock::Lines(_) => None,
        })
    }

    /// The clause of an id, in small letters too; with those that it leads to, if it ends at a colon.
    pub(crate) fn named(&self, id: &str) -> Vec<Clause> {
        let is = |item: &&Item| item.id.as_ref().is_some_and(|own| own.eq_ignore_ascii_case(id));
        let with_followers = |item: &Item| [vec![self.clause(item)], self.followers(item)].concat();
        self.items().filter(is).flat_map(with_followers).collect()
    }

    /// The clauses that a comment cites, the first few: `W5, W8 to W10`.
    pub(crate) fn cited_by(&self, citation: &str) -> Vec<Clause> {
        let ids = leading(citation).0;
        ids.iter().take(CITED).filter_map(|id| self.named(id).into_iter().next()).collect()
    }

    /// All that mentions a word, in another form of it too: `wins` for `win`.
    fn mentioning(&self, word: &str) -> Vec<Clause> {
        let mut titled = false;
        let mut found = Vec::new();
        for block in &self.blocks {
            match block {
                ProseBlock::Heading(text) => titled = mentions(text, word),
                ProseBlock::Paragraph(text) if titled || mentions(text, word) => {
                    found.push(self.passage(text));
                }
                ProseBlock::Item(item) => {
                    let reading = item.id.as_ref().and_then(|id| self.beyond.get(id));
                    let texts = reading.into_iter().chain([&item.text]);
                    if titled || texts.into_iter().any(|text| mentions(text, word)) {
                        found.push(self.clause(item));
                    }
                }
                ProseBlock::Paragraph(_) | ProseBlock::Lines(_) => {}
            }
        }
        let params = self.params.iter().filter(|param| mentions(&param.text, word));
        found.extend(params.map(|param| self.clause(param)));
        found
    }

    /// What the rules say of the utilities of an outcome: the first sentence that has the word.
    pub(crate) fn utility(&self) -> Option<&str> {
        self.texts().flat_map(sentences).find(|sentence| has_word(sentence, "utility"))
    }

    /// The clauses that explain a word, or where none does, those that have it, and the parameter of that name.
    pub(crate) fn about(&self, word: &str) -> Vec<Clause> {
        let word = word.trim();
        let explaining = self.explaining(word);
        if !explaining.is_empty() || word.is_empty() {
            return explaining;
        }
        let has = |item: &&Item| item.id.is_some() && has_word(&item.text, word);
        let is_named = |param: &&Item| param.words.iter().any(|name| name == word);
        let params = self.params.iter().filter(is_named);
        self.items().filter(has).chain(params).map(|item| self.clause(item)).collect()
    }

    fn explaining(&self, word: &str) -> Vec<Clause> {
        if word.is_empty() {
            return Vec::new();
        }
        let starred = format!("*{}*", word.to_lowercase());
        let explains = |text: &str| text.to_lowercase().contains(&starred);
        let defined = self.blocks.iter().filter_map(|block| match block {
            ProseBlock::Paragraph(text) if explains(text) => Some(self.passage(text)),
            _ => None,
        });
        let is_by = |item: &&Item| {
            item.words.iter().any(|own| own.eq_ignore_ascii_case(word)) || explains(&item.text)
        };
        defined.chain(self.items().filter(is_by).map(|item| self.clause(item))).collect()
    }

    /// A text that cites clauses, with a mark behind each that is not all in the source text: `W4, W8*`.
    pub(crate) fn marked(&self, text: &str) -> String {
        let mut marked = String::new();
        let mut rest = text;
        while let Some(at) = rest.find(|c: char| c.is_ascii_alphanumeric()) {
            let (before, behind) = rest.split_at(at);
            let end = behind.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(behind.len());
            marked.push_str(before);
            marked.push_str(&behind[..end]);
            marked.push_str(self.mark(&behind[..end]));
            rest = &behind[end..];
        }
        marked + rest
    }

    /// The mark behind a clause: `*` where it is not all in the source text.
    pub(crate) fn mark(&self, id: &str) -> &'static str {
        if self.beyond.contains_key(id) { "*" } else { "" }
    }

    fn clause(&self, item: &Item) -> Clause {
        let id = item.id.clone().or_else(|| item.words.first().cloned()).unwrap_or_default();
        let beyond = item.id.as_ref().and_then(|id| self.beyond.get(id)).cloned();
        let changed = self.changed.get(&id).cloned().unwrap_or_default();
        Clause { system: self.system.clone(), id, text: item.text.clone(), beyond, changed }
    }

    /// What a clause that ends at a colon leads to: items without a number, or clauses that begin with a term.
    fn followers(&self, item: &Item) -> Vec<Clause> {
        let own = self.items().skip_while(|other| !std::ptr::eq(*other, item)).skip(1);
        let follows = |other: &&Item| other.id.is_none() || other.text.starts_with('*');
        match item.text.ends_with(':') {
            true => own.take_while(follows).map(|item| self.clause(item)).collect(),
            false => Vec::new(),
        }
    }

    fn passage(&self, text: &str) -> Clause {
        let (system, id, text) = (self.system.clone(), String::new(), text.to_owned());
        Clause { system, id, text, beyond: None, changed: Vec::new() }
    }
}

/// Whether a text has a word or words, in letters of any size, and nothing of a word beside them.
fn has_word(text: &str, word: &str) -> bool {
    has_form(text, word, 0)
}

/// Whether a text has a word, or one that begins with it and is hardly longer.
fn mentions(text: &str, word: &str) -> bool {
    let is_short = word.chars().count() < SHORTEST;
    has_form(text, word, if is_short { 0 } else { ENDING })
}

/// Whether a text has a word with up to this many letters behind it, and none before it.
fn has_form(text: &str, word: &str, ending: usize) -> bool {
    let (text, word) = (text.to_lowercase(), word.to_lowercase());
    let is_part = |c: &char| c.is_alphanumeric() || *c == '_';
    !word.is_empty()
        && text.match_indices(&word).any(|(at, _)| {
            let behind = text[at + word.len()..].chars().take_while(is_part).take(ending + 1);
            !text[..at].ends_with(|c| is_part(&c)) && behind.count() <= ending
        })
}

/// What is searched for a word that is no clause.
const SEARCHED: &str = "clause, title, parameter or word of the rules";
/// The letters that a form of a word has behind it at most: `winner`, `retreating`; and how long the word is then.
const ENDING: usize = 3;
const SHORTEST: usize = 3;

const MARKED: &str =
    "* wholly or partly an addition to the source text; the clause alone says what";
/// The spaces between a clause and its text.
const GAP: usize = 2;
/// The mark of an item that is no clause.
const ITEM: &str = "-";

impl Rulebook {
    /// What the mark behind a clause means, if any clause has it.
    pub(crate) fn legend(&self) -> Option<&'static str> {
        (!self.beyond.is_empty()).then_some(MARKED)
    }

    /// All of the rules in prose; under house rules with what they change, and what they say.
    pub(crate) fn blocks(&self) -> Vec<Block> {
        let legend = self.legend().map(Block::sentence);
        let house = self.house.iter().map(|(name, prose)| {
            let title = Block::Title(format!("House rule `{name}`, over these rules:"));
            let is_text = |block: &&ProseBlock| !matches!(block, ProseBlock::Heading(_));
            let prose = self.laid_out(prose.iter().filter(is_text), &IndexMap::new());
            Block::Group([title].into_iter().chain(prose).collect())
        });
        self.laid_out(&self.blocks, &self.changed).into_iter().chain(legend).chain(house).collect()
    }

    /// The title of the house rule at this place, and what it says.
    pub(crate) fn of_house(&self, place: usize, name: &str) -> Vec<Block> {
        let prose = self.house.get(place).map_or(&[][..], |(_, prose)| prose);
        let title = prose.iter().find_map(|block| match block {
            ProseBlock::Heading(title) => Some(title.as_str()),
            _ => None,
        });
        let title = Block::title(format!("The house rule: {}", title.unwrap_or(name)));
        let said = prose.iter().filter_map(|block| match block {
            ProseBlock::Heading(_) => None,
            ProseBlock::Paragraph(text) => Some(Block::sentence(text.as_str())),
            ProseBlock::Lines(lines) => Some(Block::Code(lines.clone())),
            ProseBlock::Item(Item { id, text, .. }) => {
                let id = id.iter().map(|id| format!("{id} ")).collect::<String>();
                Some(Block::sentence(format!("- {id}{text}")))
            }
        });
        [title].into_iter().chain(said).collect()
    }

    fn laid_out<'p>(
        &self,
        prose: impl IntoIterator<Item = &'p ProseBlock>,
        changed: &IndexMap<String, Vec<String>>,
    ) -> Vec<Block> {
        let widest = self.ids().map(|id| id.len() + self.mark(id).len()).max().unwrap_or(0);
        let mut groups: Vec<Vec<Block>> = Vec::new();
        let (mut list, mut introduced) = (false, false);
        for block in prose {
            let is_item = matches!(block, ProseBlock::Item(_));
            let belongs = is_item && (list || introduced);
            let text = |text: &str| filled(&plain(text));
            let shown = match block {
                ProseBlock::Heading(heading) => Block::Title(text(heading)),
                ProseBlock::Paragraph(paragraph) => Block::Sentence(text(paragraph)),
                ProseBlock::Lines(lines) => Block::Code(tame(lines).into_owned()),
                ProseBlock::Item(item) => {
                    let column = |id| (format!("{id}{}", self.mark(id)), widest + GAP);
                    let other = || (ITEM.to_owned(), ITEM.len() + 1);
                    let (id, column) = item.id.as_deref().map_or_else(other, column);
                    let changed = item.id.as_ref().and_then(|id| changed.get(id));
                    let now = now(changed.map_or(&[], Vec::as_slice), column);
                    Block::Group([hanging(id, column, &item.text)].into_iter().chain(now).collect())
                }
            };
            introduced = match block {
                ProseBlock::Heading(text) | ProseBlock::Paragraph(text) => {
                    text.trim_end().ends_with(':')
                }
                ProseBlock::Lines(text) => text.ends_with(':'),
                ProseBlock::Item(_) => false,
            };
            match groups.last_mut() {
                Some(group) if belongs => group.push(shown),
                _ => groups.push(vec![shown]),
            }
            list = is_item;
        }
        groups.into_iter().map(Block::Group).collect()
    }
}

fn now(changed: &[String], column: usize) -> impl Iterator<Item = Block> + '_ {
    changed.iter().map(move |change| hanging(String::new(), column, &format!("Now {change}.")))
}

impl Clause {
    /// The clause, and what of it is not in the source text.
    pub(crate) fn block(&self) -> Block {
        // A word is at the beginning of its own text.
        if self.text.starts_with('`') || self.id.is_empty() {
            let text = Block::Sentence(filled(&plain(&self.text)));
            return Block::Group([text].into_iter().chain(now(&self.changed, 0)).collect());
        }
        let mark = if self.beyond.is_some() { "*" } else { "" };
        let id = format!("{}{mark}", self.id);
        let column = id.chars().count() + GAP;
        let beyond = self.beyond.as_ref().map(|beyond| {
            hanging("*".to_owned(), column, &format!("Not all in the source text. {beyond}"))
        });
        let said = [hanging(id, column, &self.text)].into_iter();
        Block::Group(said.chain(now(&self.changed, column)).chain(beyond).collect())
    }
}

/// A text on one line, without what commands a terminal.
fn filled(text: &str) -> String {
    tame(&text.split_whitespace().collect::<Vec<_>>().join(" ")).into_owned()
}

fn hanging(word: String, column: usize, text: &str) -> Block {
    Block::hanging(word, column, filled(&plain(text)))
}

/// A text without the marks of emphasis; a `*` between spaces is none.
fn plain(text: &str) -> String {
    let words = text.split(' ');
    let plain = |word: &str| if word == "*" { word.to_owned() } else { word.replace('*', "") };
    words.map(plain).collect::<Vec<_>>().join(" ")
}
