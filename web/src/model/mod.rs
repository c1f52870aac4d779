//! Everything the page knows. Only `update` changes it; views read it.

mod breaks;
mod desk;
mod desks;
mod editor;
mod engine;
mod help;
mod history;
mod kept;
mod ledger;
mod lesson_file;
mod look;
mod player;

pub use breaks::Breaks;
pub use desk::{Desk, Origin, Sheet, SheetKind, Shown, Side, Twin};
pub use desks::Desks;
pub use editor::{Editor, EditorKind};
pub use engine::{Engine, EnginePhase, Flight, Job, Task};
pub use help::{Help, Problem, Question, Severity, Told};
pub use history::History;
pub use kept::{Pass, Placed, Saved, SavedSheet, Step, fingerprint, read_file, write_file};
pub use ledger::Ledger;
pub use lesson_file::{Course, CourseLesson, Exercise, Lesson, LessonFile, Mistake};
pub use look::{Look, Riddle, STAGE_TABS, StageTab, Travel};
pub use player::Player;

use crate::route::Route;
use crate::shared::Shared;

/// The key of the playground's desk; no lesson can have it, a slug holds no space.
pub const PLAYGROUND: &str = "the playground";

/// The key of the desk of a playground that came by a link.
pub const SHARED: &str = "a shared playground";

/// Something that is fetched.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Load<T> {
    #[default]
    Waiting,
    Ready(T),
    /// A sentence for the reader.
    Failed(String),
}

impl<T> Load<T> {
    /// The value, once it is there.
    pub fn ready(&self) -> Option<&T> {
        match self {
            Load::Ready(value) => Some(value),
            Load::Waiting | Load::Failed(_) => None,
        }
    }
}

/// Whether the desk with this key is a playground.
pub fn is_playground(place: &str) -> bool {
    place == PLAYGROUND || place == SHARED
}

/// Colours: the system's wish, or the reader's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Theme {
    #[default]
    System,
    Light,
    Dark,
}

impl Theme {
    /// The value of `data-theme`, and how the choice is saved.
    pub fn name(self) -> &'static str {
        match self {
            Theme::System => "system",
            Theme::Light => "light",
            Theme::Dark => "dark",
        }
    }

    /// Reads [`Theme::name`] back; anything else is the system's wish.
    pub fn parse(name: &str) -> Theme {
        match name {
            "light" => Theme::Light,
            "dark" => Theme::Dark,
            _ => Theme::System,
        }
    }
}

/// On a narrow screen one pane shows at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pane {
    #[default]
    Read,
    Code,
    Result,
    Files,
}

/// A window over the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialog {
    Shortcuts,
    ConfirmReset,
    /// Show the solution, which is then marked as seen?
    ConfirmSolution,
    /// Empty the playground?
    ConfirmEmpty,
    /// Keep, take out and bring in all work.
    Work,
    /// The link to what is open.
    Share,
}

/// The page is shown inside another one.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Embed {
    /// The step that the other page wants to show.
    pub step: Option<usize>,
}

/// The whole state of the page.
#[derive(Debug, Default)]
pub struct Model {
    /// Which build this page is; the engine must be of the same one.
    pub build: String,
    pub route: Route,
    pub course: Load<Shared<Course>>,
    /// One desk per lesson that was opened, so that going back finds everything as it was left.
    pub desks: Desks,
    pub engine: Engine,
    pub editor: Editor,
    pub help: Help,
    pub theme: Theme,
    pub pane: Pane,
    pub stage_tab: StageTab,
    pub dialog: Option<Dialog>,
    /// The status line: the last thing worth saying, read out politely.
    pub status: String,
    /// The time, as far as the page was told: milliseconds since the epoch.
    pub now_ms: u64,
    /// This browser keeps nothing (a private window).
    pub forgets: bool,
    /// Another window has saved this place since.
    pub notice: Option<Notice>,
    /// The address of the page, without query and fragment.
    pub base: String,
    pub embed: Option<Embed>,
    /// A link whose lesson is still on the way.
    pub incoming: Option<crate::share::Link>,
    /// The link that the dialog shows, as a fragment.
    pub link: Option<String>,
    /// A shared playground is to be taken over once the learner's own is read.
    pub adopting: bool,
}

/// Something that happened elsewhere and concerns the open place.
#[derive(Debug, Clone, PartialEq)]
pub struct Notice {
    pub place: String,
    /// What the other window saved.
    pub theirs: Saved,
}

impl Model {
    /// The key of the open desk: a lesson's slug or [`PLAYGROUND`]. `None` until the course says
    /// which lesson is the first.
    pub fn place(&self) -> Option<&str> {
        match &self.route {
            Route::Lesson(slug) => Some(slug),
            Route::Playground => Some(PLAYGROUND),
            Route::Shared(_) => Some(SHARED),
            Route::Start => None,
        }
    }

    /// Whether the open desk is a playground.
    pub fn is_playground(&self) -> bool {
        self.place().is_some_and(is_playground)
    }

    /// The open desk.
    pub fn desk(&self) -> Option<&Desk> {
        self.desks.get(self.place()?)
    }

    /// What was told about the sheet that is open, if not about its text as it is now.
    pub fn told(&self) -> Option<&Told> {
        let (place, desk) = (self.place()?, self.desk()?);
        self.help.told.as_ref().filter(|told| told.place == place && told.sheet == desk.sheet)
    }

    /// Whether what was told is about the text as it is now.
    pub fn is_told_fresh(&self) -> bool {
        let text = self.desk().and_then(Desk::current).map(|sheet| sheet.text.as_str());
        self.told().is_some_and(|told| text == Some(told.text.as_str()))
    }

    /// Every complaint about the open text that has a place in it, in the order of the text. While the text is changing
    /// they are those of the text before.
    pub fn problems(&self) -> Vec<Problem<'_>> {
        let mut problems = Vec::new();
        if let Some(shown) = self.desk().filter(|desk| desk.is_fresh()).and_then(|desk| desk.shown.as_ref()) {
            let of_statements = shown.report.statements.iter().filter_map(|statement| statement.error.as_ref());
            let errors = shown.report.errors.iter().chain(of_statements);
            problems.extend(help::problems(Severity::Error, errors, &shown.text));
        }
        if let Some(told) = self.told() {
            let known: Vec<(u32, u32)> = problems.iter().map(|problem| problem.span).collect();
            let errors = help::problems(Severity::Error, &told.help.errors, &told.text);
            problems.extend(errors.filter(|problem| !known.contains(&problem.span)));
            problems.extend(help::problems(Severity::Warning, &told.help.warnings, &told.text));
        }
        in_order(problems)
    }

    /// The open desk, to change it.
    pub fn desk_mut(&mut self) -> Option<&mut Desk> {
        let place = self.place()?.to_string();
        self.desks.get_mut(&place)
    }
}

/// By their places. A dozen at most: a sort that is made for many would be a hundredth of the page.
fn in_order(problems: Vec<Problem<'_>>) -> Vec<Problem<'_>> {
    let mut ordered: Vec<Problem<'_>> = Vec::with_capacity(problems.len());
    for problem in problems {
        let at = ordered.partition_point(|other| other.span <= problem.span);
        ordered.insert(at, problem);
    }
    ordered
}
