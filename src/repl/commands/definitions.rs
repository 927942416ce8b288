//! The table of the prompt's commands: name, arguments, description, and the function of each.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::face::OnOpen;
use super::{conflict, diff, edit, help, history, house, inspect, rulebook, why};
use crate::commands::{count, in_setup, whole, written};
use crate::conflict::{DRAWING, RuleChanges};
use crate::error::Error;
use crate::repl::Session;

/// The commands. An alias is the abbreviation of one letter, `help.rs` has their order. `repl/guide/offers.rs`
/// decides by the name of an argument how its values are completed.
#[derive(Subcommand, Debug)]
pub enum PromptCommand {
    /// Open a scenario: `system/name`, or the path of a TOML file
    ///
    /// Where a person is seated, it plays until one is asked; else it stops at the first question, and
    /// `:play` continues.
    #[command(alias = "o")]
    Open(conflict::Open),
    /// Play until a person is asked, or to the end; after the end, play anew
    ///
    /// With a seed it always begins anew. Without one, it begins anew under the next seed.
    #[command(alias = "p")]
    Play {
        /// The seed of chance
        #[arg(value_name = "SEED", value_parser = play_seed, allow_negative_numbers = true)]
        seed: Option<u64>,
    },
    /// Seat an agent from here on: `human`, `random`, `first`, `greedy`, `search:500`, one of the system's, a file
    ///
    /// `greedy` picks the option that is best if all play at random; `search:N` makes N simulations for each
    /// answer, 500 if no number is given.
    Seat {
        /// A player, or a side, whose seat answers for all its players
        player: String,
        /// Who answers
        #[arg(id = "answerer", value_name = "AGENT")]
        agent: String,
    },
    /// Take back the last decision of a person, or the last N
    ///
    /// Where no person plays, it takes back entries of the history, of any player and of chance.
    #[command(alias = "u")]
    Undo(Times),
    /// Make again what was taken back
    ///
    /// After a different answer there is nothing to make again; `:tree` still shows what was taken back, and
    /// `:goto #N` returns to it.
    #[command(alias = "r")]
    Redo(Times),
    /// Go to the question after N entries of the history, or to a node of `:tree`
    ///
    /// `:goto 0` is the beginning, `:goto #3` the node 3 of the tree that was printed last. `:play` continues
    /// from there.
    #[command(alias = "g")]
    Goto {
        /// How many entries; or `#3` for the node 3 of the tree
        #[arg(value_name = "N", value_parser = history::stop, allow_negative_numbers = true)]
        stop: history::GotoTarget,
    },
    /// Switch to the line of play of this name; a new one begins here
    ///
    /// A conflict begins on the line `main`.
    #[command(alias = "f")]
    Fork {
        /// The line; without one, lists them
        #[arg(value_name = "NAME")]
        fork: Option<String>,
    },
    /// List all lines that were played, undone and forked ones too, as a tree with results
    ///
    /// A node is a place where lines diverge or end, or the current place of a line; `:goto #3` goes to node 3. What
    /// `:odds` printed about an option is at the node that begins with it. What `:history` leaves out is left out
    /// here too.
    Tree,
    /// Show the history, numbered; undone answers are listed below the mark
    ///
    /// While a person plays and the rules define a `view`, decisions and rolls of others are left out, and not
    /// counted, until the conflict is over; announcements about them are shown. `:reveal` shows all.
    History,
    /// Show the current state
    ///
    /// While a person plays, only what that person may see; with several people, what the one who is asked may
    /// see. At the end it also prints what the outcome has besides the result and the utilities.
    State,
    /// Show what a player may see of the state
    ///
    /// While a person plays, the views of others are hidden until `:reveal`.
    #[command(alias = "v")]
    View {
        /// The player
        player: String,
    },
    /// Draw the rules' picture of the state
    ///
    /// While a person plays, it is drawn from what that person may see.
    Picture {
        /// Write the rules' drawing to a file instead, which browsers and editors show
        #[arg(long, value_name = "FILE.svg", value_parser = written(DRAWING))]
        svg: Option<PathBuf>,
    },
    /// List the options of the one who is asked; of a long list, those that contain a text
    Options {
        /// A text that the options contain
        #[arg(allow_hyphen_values = true)]
        text: Option<String>,
    },
    /// List what was announced, each with the number of entries before it
    ///
    /// Rules announce what everybody may hear.
    #[command(alias = "e")]
    Events,
    /// List the parameters in force, with their allowed values and meaning, or those named; or set some
    ///
    /// With new values the open conflict is played again: to the same state, by the same answers to another state or an
    /// end, or to the first divergence.
    Params {
        /// Parameters to show or, with a value, to set
        #[arg(value_name = "NAME | NAME=VALUE")]
        params: Vec<String>,
    },
    /// Change values of the setup, as in `players.red.ore=2`
    ///
    /// The open conflict is played again: to the same state, by the same answers to another state or an end, or to the
    /// first divergence. A key of the setup is written with dots; items of a list are numbered from 0.
    Set {
        /// Values of the setup
        #[arg(required = true, value_name = "KEY=VALUE")]
        set: Vec<String>,
    },
    /// Show what is hidden from the person who plays, or hide it again
    ///
    /// The prompt says `(sees all)` while it is shown.
    Reveal,
    /// Show the rules in prose; or a clause of them, or what they say about a word
    ///
    /// A clause with a `*` is not in the text that the rules come from, or not all of it; shown alone, it says
    /// what is not. F1 opens the clause of the word under the cursor; on an empty line, the clause of the question,
    /// or at the end, of the result.
    Rulebook {
        /// A clause, as in `W4`; a word in the rules; or another system
        #[arg(value_name = "CLAUSE")]
        clause: Option<String>,
    },
    /// Say which function of which file asks, by which clause, and what called it; at the end, why it ended so
    ///
    /// The clause is the one that the nearest comment above names, within the function or at it. At the end: what
    /// each utility is made of, the last entry with what it brought about, and the clause of the outcome.
    /// With words of an event: which line announced the last one that has them, and by which clause.
    #[command(alias = "w")]
    Why {
        /// An event that was announced, or words of it
        event: Vec<String>,
    },
    /// Show the source of a function or constant of the open rules, in all layers; without one, list them
    ///
    /// House rules come first, as the script finds them; the function that each overrides follows.
    Rules {
        /// The function, or the constant
        function: Option<String>,
    },
    /// Open the rules at a function, or at the one that asks, in your editor; then play on under the changed rules
    ///
    /// The editor is `$VISUAL`, else `$EDITOR`. When it is left, the open conflict is played again under the rules as
    /// they are then: to the same state, by the same answers to another state or an end, or to the first divergence.
    /// With SYSTEM it opens the rules of that
    /// system, where no conflict needs to be open: at the first mistake, if they do not compile. Alone, after rules
    /// with a mistake, it opens their file there. Rules inside the program are first written to `rules/` in the
    /// current folder, where they are found from then on.
    Edit(edit::Edit),
    /// Read the rules from disk again, and play the open conflict under them
    ///
    /// Played again it leads to the same state, by the same answers to another state or an end, or to the first
    /// divergence, and stops there. Rules that do not compile leave the old ones in place.
    Reload,
    /// Reload automatically whenever a file of the open rules changes
    ///
    /// It watches the rules folder, the house rules and the scenario's file.
    Watch {
        /// On or off; without a word it switches to the other
        #[arg(value_name = "on|off")]
        switch: Option<edit::Switch>,
    },
    /// Apply a house rule to the open conflict, or remove it; without one, list them
    ///
    /// The conflict is played again under the rules as they are then: to the same state, by the same answers to another
    /// state or an end, or to the first divergence. Several are applied in the order in which they are named. `:house new NAME FUNCTION` writes one
    /// that overrides a function or a constant, with its text as it is, and opens it in your editor; when the
    /// editor is left, the house rule is applied. `:house promote NAME` makes one a part of the rules: it says what would
    /// be written to which file, and with `write` behind it writes that and removes the file of the house rule.
    House {
        /// House rules, by name or path; with `-` before it, one is removed
        #[arg(value_name = "NAME | -NAME | new | promote", allow_hyphen_values = true)]
        house: Vec<String>,
    },
    #[command(flatten)]
    OnOpen(OnOpen),
    /// Compare the current line of play with another: announcements, the outcome, the utilities
    ///
    /// With a house rule or a parameter it is the same history under the rules with those. Nothing changes in the
    /// open conflict.
    Diff(diff::Diff),
    /// Save the history, with its forks and all that is needed to play it again; the place as a scenario; or the lines of this session
    ///
    /// `:save scenario NAME` writes a scenario that begins at the current place, with the house rules, parameters, setup
    /// and seats of now. Its file is in the `scenarios` folder of the rules, or here where those are inside the program;
    /// a path ends in `.toml`. A file of that name stays as it is.
    ///
    /// An older file of that name is replaced where it was saved in the same way; any other stays as it is. The file has the whole history, hidden things too. If its name ends in
    /// `.html` it is a page for a browser, on which the history is stepped through; it holds the history, and `:load`
    /// resumes it.
    Save {
        /// The file; if it ends in `.rhai`, it keeps the statements of the session alone, as a script
        #[arg(value_name = "FILE | scenario")]
        file: PathBuf,
        /// What the scenario is named
        #[arg(value_name = "NAME", conflicts_with = "session")]
        named: Option<String>,
        /// Keep the lines that were followed so far, with their seeds: `fracas < FILE` runs them again
        #[arg(long)]
        session: bool,
    },
    /// Write the line of play as a case, with all it ended in: events, and the outcome or what is asked
    ///
    /// The case is to be read and cut to what it shows. A file of that name stays as it is. The case has the whole
    /// history, hidden things too.
    Case {
        /// What the case is named: its file is in the `cases` folder of the rules, or here where those are inside the
        /// program; a path ends in `.toml`
        name: String,
    },
    /// Resume a saved history where it was left, with its forks; without one, list what was not saved
    ///
    /// Conflicts that were played and not saved are kept when another is opened and when the session ends, the last
    /// 20 of them: `:load #1` resumes the newest.
    Load(conflict::Load),
    /// List all commands, or show the details of one
    #[command(alias = "h")]
    Help {
        /// A command; or `config`, for which files of your own are read
        #[arg(id = "topic", value_name = "COMMAND|config")]
        command: Option<String>,
    },
    /// Leave; so does Ctrl-D
    #[command(aliases = ["q", "exit"])]
    Quit,
}

/// `:undo` and `:redo`.
#[derive(Args, Debug)]
pub struct Times {
    /// How many
    #[arg(value_name = "N", default_value_t = 1, value_parser = count, allow_negative_numbers = true)]
    pub times: usize,
}

/// What is known of a command before it runs.
pub(crate) struct Care {
    /// Whether it has an effect on later lines, so that the journal keeps it.
    pub is_kept: bool,
    /// Whether a mistake of it shows nothing of the open conflict: it looks into all worlds that are possible for the
    /// player who is asked, or resumes another conflict.
    pub is_of_others: bool,
    /// Whether it shows nothing that is hidden from anybody.
    pub is_for_everybody: bool,
}

impl PromptCommand {
    pub(crate) fn care(&self) -> Care {
        use PromptCommand::{
            Case, Edit, Help, House, Load, OnOpen, Open, Params, Quit, Rulebook, Rules, Save, Seat,
            Undo, Watch,
        };
        let (is_kept, is_of_others, is_for_everybody) = match self {
            Open(_) | Load(_) => (true, true, true),
            OnOpen(command) => (command.entry.kept, true, command.entry.open_to_all),
            House { house: words } | Params { params: words } => (true, false, words.is_empty()),
            Help { .. } | Quit | Rulebook { .. } | Save { .. } | Watch { .. } => {
                (false, false, true)
            }
            Case { .. } | Edit(_) => (false, false, false),
            Rules { .. } | Seat { .. } | Undo(_) => (true, false, true),
            _ => (true, false, false),
        };
        Care { is_kept, is_of_others, is_for_everybody }
    }

    pub fn run(self, session: &mut Session) -> Result<(), Error> {
        match self {
            PromptCommand::Open(open) => conflict::open(session, &open),
            PromptCommand::Play { seed } => conflict::play(session, seed),
            PromptCommand::Seat { player, agent } => conflict::seat(session, &player, &agent),
            PromptCommand::Undo(Times { times }) => history::undo(session, times),
            PromptCommand::Redo(Times { times }) => history::redo(session, times),
            PromptCommand::Goto { stop } => history::goto(session, stop),
            PromptCommand::Tree => history::tree(session),
            PromptCommand::Fork { fork } => history::fork(session, fork.as_deref()),
            PromptCommand::History => history::history(session),
            PromptCommand::State => inspect::state(session),
            PromptCommand::View { player } => inspect::view(session, &player),
            PromptCommand::Picture { svg } => inspect::picture(session, svg.as_deref()),
            PromptCommand::Options { text } => inspect::options(session, text.as_deref()),
            PromptCommand::Events => inspect::events(session),
            PromptCommand::Params { params } => inspect::params(session, &params),
            PromptCommand::Set { set } => inspect::change(session, &in_setup(&set)),
            PromptCommand::Reveal => inspect::reveal(session),
            PromptCommand::Rulebook { clause } => rulebook::rulebook(session, clause.as_deref()),
            PromptCommand::Why { event } => why::why(session, &event.join(" ")),
            PromptCommand::Rules { function } => why::rules(session, function.as_deref()),
            PromptCommand::Edit(edit) => edit::edit(session, &edit),
            PromptCommand::Reload => session.replay_under(&RuleChanges::default()),
            PromptCommand::Watch { switch } => edit::watch(session, switch),
            PromptCommand::House { house } => house::house(session, &house),
            PromptCommand::OnOpen(command) => command.run(session),
            PromptCommand::Diff(diff) => diff::diff(session, &diff),
            PromptCommand::Save { file, named: Some(name), .. } => {
                conflict::save_scenario(session, &file, &name)
            }
            PromptCommand::Save { file, session: whole, .. } => {
                conflict::save(session, &file, whole)
            }
            PromptCommand::Case { name } => conflict::case(session, &name),
            PromptCommand::Load(saved) => conflict::load(session, &saved),
            PromptCommand::Help { command } => help::help(session, command.as_deref()),
            PromptCommand::Quit => {
                session.reply.borrow_mut().ends = true;
                Ok(())
            }
        }
    }
}

/// The seed of `:play`, which is often given what `:open` takes.
fn play_seed(text: &str) -> Result<u64, String> {
    match text.contains('/') || text.ends_with(".toml") {
        true => Err(format!("`:play` takes a seed; `:open {text}` opens a conflict")),
        false => whole(text),
    }
}
