//! What lies open in one lesson: its texts, what the last run showed, the timeline.

use super::{History, Ledger, LessonFile, Load, Look, Pass, Player};
use crate::shared::Shared;
use lesson::Verdict;
use protocol::{RunReport, TableReport};

/// Who may run a text, and what can be asked about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SheetKind {
    /// An example of the prose.
    Example,
    /// The exercise with this name.
    Exercise(String),
    /// The playground's free script.
    Free,
}

/// A text that the learner edits, saved under `id`.
#[derive(Debug, Clone, PartialEq)]
pub struct Sheet {
    pub id: String,
    pub label: String,
    pub kind: SheetKind,
    /// As the lesson gives it.
    pub pristine: String,
    pub text: String,
    /// What can be undone and redone.
    pub history: History,
    /// The last verdict and the text it is about.
    pub verdict: Option<(String, Shared<Verdict>)>,
    /// How many hints are open.
    pub hints: usize,
    /// It passed once, whatever the text is now.
    pub solved: bool,
    /// The last pass and what it was about.
    pub pass: Option<Pass>,
    /// The solution was shown before it passed.
    pub seen: bool,
    /// When anything of this changed, in milliseconds since the epoch.
    pub at: u64,
    /// Which text is looked at. Only the learner's own can be edited.
    pub side: Side,
    /// The learner's own text while another one is looked at.
    pub mine: Option<String>,
    /// What a link brought.
    pub shared: Option<String>,
}

/// The texts that one sheet may show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Side {
    #[default]
    Mine,
    Lesson,
    Shared,
}

impl Sheet {
    /// A sheet as the lesson gives it.
    pub fn new(id: &str, label: &str, kind: SheetKind, pristine: &str) -> Sheet {
        Sheet {
            id: id.to_string(),
            label: label.to_string(),
            kind,
            pristine: pristine.to_string(),
            text: pristine.to_string(),
            history: History::default(),
            verdict: None,
            hints: 0,
            solved: false,
            pass: None,
            seen: false,
            at: 0,
            side: Side::Mine,
            mine: None,
            shared: None,
        }
    }

    /// Changes the text in a step that can be undone.
    pub fn write(&mut self, text: String) {
        self.history.record(&self.text, &text);
        self.text = text;
    }

    /// The learner's own text, whichever is looked at.
    pub fn own(&self) -> &str {
        self.mine.as_ref().unwrap_or(&self.text)
    }

    /// Looks at another text.
    pub fn turn(&mut self, side: Side) {
        let own = self.own().to_string();
        let text = match side {
            Side::Mine => None,
            Side::Lesson => Some(self.pristine.clone()),
            Side::Shared => self.shared.clone(),
        };
        self.side = if text.is_some() { side } else { Side::Mine };
        match text {
            None => (self.text, self.mine) = (own, None),
            Some(text) => (self.text, self.mine) = (text, Some(own)),
        }
    }

    /// Whether it passed with this very text, in this very lesson.
    pub fn passes(&self, lesson: &str) -> bool {
        let is_same = |pass: &Pass| pass.lesson == lesson && pass.code == super::fingerprint(self.own());
        self.pass.as_ref().is_some_and(is_same)
    }

    /// The verdict, if it is about the text as it is now.
    pub fn current_verdict(&self) -> Option<&Shared<Verdict>> {
        self.verdict.as_ref().filter(|(text, _)| *text == self.text).map(|(_, verdict)| verdict)
    }
}

/// Where a report came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// Made by the site's build with the same engine.
    Recorded,
    /// Made in this tab.
    Live,
}

/// The second half of a twin run.
#[derive(Debug, Clone, PartialEq)]
pub struct Twin {
    pub report: Shared<RunReport>,
    /// What the two sides are called.
    pub labels: (String, String),
}

/// What is shown as the result.
#[derive(Debug, Clone, PartialEq)]
pub struct Shown {
    /// The text that ran: spans and edits are about it.
    pub text: String,
    pub sheet: usize,
    pub origin: Origin,
    /// The variant of the data, if it is not the lesson's own.
    pub variant: Option<String>,
    pub report: Shared<RunReport>,
    /// Which statement of the report is on the timeline.
    pub statement: Option<usize>,
    pub twin: Option<Twin>,
    /// Of a batch that ran twice: the rows that its second run changed.
    pub again: Option<u64>,
}

impl Shown {
    /// The state of a table after one of the runs.
    pub fn table(&self, run: usize, name: &str) -> Option<&TableReport> {
        let report = if run == 0 { &self.report } else { &self.twin.as_ref()?.report };
        report.tables.iter().find(|table| table.name == name)
    }
}

/// A lesson, opened.
#[derive(Debug, Clone, PartialEq)]
pub struct Desk {
    /// The lesson; the playground has none.
    pub file: Load<Option<Shared<LessonFile>>>,
    pub sheets: Vec<Sheet>,
    pub sheet: usize,
    pub shown: Option<Shown>,
    pub player: Option<Player>,
    /// What the reader has picked out on the stage.
    pub look: Look,
    /// What the learner predicted: the prediction's name and the choice.
    pub predictions: Vec<(String, String)>,
    /// The steps of a playground.
    pub ledger: Ledger,
    /// Its texts are kept in this browser. What a link brought is not, until it is taken over.
    pub is_kept: bool,
    /// The step that a link wants to show once it has run.
    pub wanted_step: Option<usize>,
}

impl Desk {
    /// A desk whose lesson is still on the way.
    pub fn waiting() -> Desk {
        Desk {
            file: Load::Waiting,
            sheets: Vec::new(),
            sheet: 0,
            shown: None,
            player: None,
            look: Look::default(),
            predictions: Vec::new(),
            ledger: Ledger::default(),
            is_kept: true,
            wanted_step: None,
        }
    }

    /// The lesson, once it is there.
    pub fn lesson_file(&self) -> Option<&Shared<LessonFile>> {
        self.file.ready().and_then(Option::as_ref)
    }

    /// The text that is being edited.
    pub fn current(&self) -> Option<&Sheet> {
        self.sheets.get(self.sheet)
    }

    /// The text that is being edited, to change it.
    pub fn current_mut(&mut self) -> Option<&mut Sheet> {
        self.sheets.get_mut(self.sheet)
    }

    /// Whether what is shown is about the text as it is now.
    pub fn is_fresh(&self) -> bool {
        self.shown.as_ref().is_some_and(|shown| {
            shown.twin.is_none()
                && shown.sheet == self.sheet
                && self.current().is_some_and(|sheet| sheet.text == shown.text)
        })
    }
}
