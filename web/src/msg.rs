//! Everything that can happen to the page.

use crate::model::{Breaks, Course, Dialog, EditorKind, LessonFile, Pane, Riddle, Saved, Side, StageTab, Theme};
use crate::route::Route;
use protocol::{Edit, Envelope, Note, Reply};
use trace::{Granularity, Outcome, Pair};

/// What happened.
#[derive(Debug, Clone, PartialEq)]
pub enum Msg {
    /// The address names this place now.
    Opened(Route),
    CourseLoaded(Result<Course, String>),
    /// A lesson arrived, with what is kept of it.
    LessonLoaded {
        slug: String,
        file: Result<Box<LessonFile>, String>,
        saved: Saved,
    },
    /// What is saved for the playground.
    PlaygroundLoaded(Saved),
    Desk(DeskMsg),
    Engine(u32, EngineMsg),
    Play(PlayMsg),
    View(ViewMsg),
    /// The text has rested since this change of it.
    Rested(u32),
    Playground(PlaygroundMsg),
    Keep(KeepMsg),
    Share(ShareMsg),
    File(FileMsg),
}

/// What a reader does by pressing a button: the messages that a view keeps and sends again and again.
#[derive(Debug, Clone, PartialEq)]
pub enum Act {
    Desk(DeskMsg),
    Play(PlayMsg),
    View(ViewMsg),
    Playground(PlaygroundMsg),
    Keep(KeepMsg),
    Share(ShareMsg),
    File(FileMsg),
    /// Start the engine again; the number is the generation of the one that is gone.
    Restart(u32),
}

impl From<Act> for Msg {
    fn from(act: Act) -> Msg {
        match act {
            Act::Desk(msg) => Msg::Desk(msg),
            Act::Play(msg) => Msg::Play(msg),
            Act::View(msg) => Msg::View(msg),
            Act::Playground(msg) => Msg::Playground(msg),
            Act::Keep(msg) => Msg::Keep(msg),
            Act::Share(msg) => Msg::Share(msg),
            Act::File(msg) => Msg::File(msg),
            Act::Restart(generation) => Msg::Engine(generation, EngineMsg::Restart),
        }
    }
}

/// The learner works on the open lesson.
#[derive(Debug, Clone, PartialEq)]
pub enum DeskMsg {
    Typed(String),
    PickSheet(usize),
    Run,
    /// Run, and run the same batch again on what came out.
    RunTwice,
    /// Run on the data of a variant that a check named.
    RunVariant(String),
    Check,
    /// Run both statements of this twin of the lesson.
    RunTwin(usize),
    /// Go back to a version of a table.
    Travel {
        table: String,
        version: u64,
    },
    /// Stop waiting: the run is given up and the engine restarted.
    Cancel,
    Hint,
    /// Answer the prediction with this name.
    Predict {
        name: String,
        choice: String,
    },
    /// Show where a byte range of the text is.
    Jump((u32, u32)),
    /// Go to the next complaint behind the cursor, or to the one before it.
    NextProblem {
        forward: bool,
    },
    /// The cursor is on this complaint now.
    AtProblem(usize),
    Apply(Edit),
    /// Apply what a warning or an error of the text as it is suggests.
    ApplyTold(Edit),
    /// Write around what is selected.
    Insert {
        before: &'static str,
        after: &'static str,
    },
    Reset,
    Undo,
    Redo,
    /// Look at the lesson's text, one's own, or the one that a link brought.
    Turn(Side),
    /// Make the text that is looked at one's own.
    TakeOver,
    /// Show a solution: asked once, then it counts as seen.
    Solution,
    /// Put this statement of the report on the timeline.
    PickStatement(usize),
}

/// The worker speaks, or does not.
#[derive(Debug, Clone, PartialEq)]
pub enum EngineMsg {
    Progress {
        loaded: u64,
        total: u64,
    },
    /// It is still being compiled.
    Building(String),
    /// The module is there and can be asked.
    Started,
    Note(Envelope<Note>),
    Reply(Box<Envelope<Reply>>),
    /// It is gone, and this is what it said last.
    Panicked(String),
    /// It cannot be had in this browser, or not from this server.
    Unavailable(String),
    /// A table as a zip is in the downloads, or a sentence says why not.
    Zipped(Result<String, String>),
    /// A file was refused: a sentence.
    Refused(String),
    /// Ten seconds have passed since it was asked for.
    Slow,
    /// The reader wants it again.
    Restart,
}

/// The timeline's controls.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PlayMsg {
    Forward,
    Back,
    NextPhase,
    PreviousPhase,
    Start,
    End,
    Seek(usize),
    /// Go to where this many steps of the first run have happened, row by row.
    Step(usize),
    Toggle,
    /// The alarm of this play.
    Tick(u32),
    Speed(u8),
    Granularity(Granularity),
    /// Stop where these say.
    Break(Breaks),
    /// Go on to the next stop.
    NextBreak,
    /// Type a step's number.
    AskStep,
}

/// What is shown, not what it is about.
#[derive(Debug, Clone, PartialEq)]
pub enum ViewMsg {
    Pane(Pane),
    Tab(StageTab),
    Theme(Theme),
    Editor(EditorKind),
    /// Show the text in the other language too, or no longer.
    Both(bool),
    /// The full editor can be shown; the keyboard was here in the one that stood in for it.
    EditorArrived(Option<(u32, u32)>),
    Open(Dialog),
    CloseDialog,
    ResetLayout,
    /// Isolate one outcome, or show all again.
    Only(Option<Outcome>),
    /// Show only what differs, or everything again.
    Diff,
    /// Light the rows that this metric counts, or none again.
    Light(String),
    /// Look into the conditions for these rows; without any, for those of the latest step.
    Ask(Option<Pair>),
    /// Ask for the rows that hold at the instant of this number.
    AsOf(usize),
    /// Guess the statement behind a commit, or show the history again.
    Riddle(Option<Riddle>),
    Copy(String),
    /// The copy worked or not.
    Copied(bool),
}

/// The playground's steps.
#[derive(Debug, Clone, PartialEq)]
pub enum PlaygroundMsg {
    /// Make these tables, then run the text again.
    MakeSamples(String),
    Undo,
    Redo,
    /// Take everything back: asked once.
    Empty,
    /// Put a ready statement into the editor.
    Write(&'static str),
    /// Put a step's text into the editor.
    Edit(usize),
}

/// What is kept in this browser, and in files.
#[derive(Debug, Clone, PartialEq)]
pub enum KeepMsg {
    /// This browser keeps nothing.
    Forgets,
    /// Another window saved a place.
    SavedElsewhere { place: String, saved: Saved },
    /// Take the text of the other window, or go on with this one.
    TakeTheirs(bool),
    /// A new version of the site is here and waits for the next load.
    NewVersion,
    /// Download all work as one file.
    Export,
    /// A file of all work was picked.
    Import(String),
    /// So many places were brought in.
    Imported(Result<usize, String>),
}

/// Links.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShareMsg {
    /// Show the link to what is open.
    Open,
    /// Take a shared playground over.
    Adopt,
}

/// Files of the learner's, and tables as files.
#[derive(Debug, Clone, PartialEq)]
pub enum FileMsg {
    /// Files were dropped or picked; this browser keeps them under the key.
    Taken { key: String, name: String },
    /// The browser refused them: a sentence.
    Refused(String),
    /// Download a table as a zip.
    Download(String),
    /// The engine made the zip, or a sentence says why not.
    Downloaded(Result<String, String>),
}
