//! Which of the two editors the text is in.

/// What the reader wants to write in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum EditorKind {
    /// With colours, completion and marks, once its bundle is here.
    #[default]
    Full,
    /// The browser's own text area.
    Plain,
}

impl EditorKind {
    /// How the choice is saved.
    pub fn name(self) -> &'static str {
        match self {
            EditorKind::Full => "full",
            EditorKind::Plain => "plain",
        }
    }

    /// Reads [`EditorKind::name`] back; anything else is the full one.
    pub fn parse(name: &str) -> EditorKind {
        if name == "plain" { EditorKind::Plain } else { EditorKind::Full }
    }
}

/// The editor as the page sees it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Editor {
    pub kind: EditorKind,
    /// The bundle was asked for.
    pub wanted: bool,
    /// The bundle is here.
    pub arrived: bool,
    /// The text is shown in the other language too.
    pub both: bool,
    /// Where the keyboard was in the editor that was replaced, in UTF-16 units; `None` where it was not in it.
    pub cursor: Option<(u32, u32)>,
}

impl Editor {
    /// Whether the full editor is shown. Until its bundle is here a plain text area stands in.
    pub fn is_full(&self) -> bool {
        self.kind == EditorKind::Full && self.arrived
    }
}
