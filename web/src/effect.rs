//! What `update` wants done in the browser. The browser answers with a message, or not at all.

use crate::model::{EditorKind, Placed, Saved, StageTab, Theme};
use crate::msg::Msg;
use crate::route::Route;
use crate::wire::Ask;
use protocol::Envelope;

/// One thing to do.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    FetchCourse,
    /// Fetch the lesson and read what is saved for it.
    FetchLesson(String),
    /// Read what is saved for the playground, whose desk has this key.
    OpenPlayground(&'static str),
    /// Change the address without a new entry in the browser's history.
    Redirect(Route),
    SetTitle(String),
    SetTheme(Theme),
    /// Remember which view of the stage is open.
    SaveTab(StageTab),
    /// Keep everything about a place, soon: a later one for the same place replaces it.
    Keep {
        place: String,
        saved: Saved,
    },
    /// Hand the files of a key to the engine, before whatever is sent next.
    SendFile(String),
    /// Ask the engine for a table as a zip and download it.
    Download(String),
    /// Download everything that is kept.
    Export,
    /// Bring in what a file holds: the newer of each text wins.
    Import(Vec<Placed>),
    /// Drop the worker, if there is one, and start another of this generation.
    StartEngine(u32),
    Send(Envelope<Ask>),
    /// Mark a range of the editor, in UTF-16 units, and bring it into view.
    Select {
        start: u32,
        end: u32,
    },
    /// Mark the range behind the cursor, or the one before it, and tell which it is. UTF-16 units.
    SelectNext {
        places: Vec<(u32, u32)>,
        forward: bool,
    },
    /// Write around what is selected in the editor.
    Insert {
        before: &'static str,
        after: &'static str,
    },
    /// Fetch the full editor, when the page has nothing better to do.
    LoadEditor,
    SaveEditor(EditorKind),
    SaveBoth(bool),
    /// Give the columns their own widths again.
    ResetLayout,
    /// Show the page's dialog over everything.
    ShowDialog,
    /// Close it; the browser gives the focus back.
    CloseDialog,
    /// Move the keyboard to the element with this id.
    Focus(&'static str),
    Copy(String),
    After {
        milliseconds: u32,
        msg: Box<Msg>,
    },
}
