//! What the page knows about the engine in its worker.

/// How far the engine is.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum EnginePhase {
    /// Not asked for yet.
    #[default]
    Off,
    /// Its bytes are on the way. `total` is 0 where the server does not say.
    Loading {
        loaded: u64,
        total: u64,
    },
    /// In development: it is still being compiled. One sentence about how far it is.
    Building(String),
    /// The bytes are here; it starts and says hello.
    Starting,
    Ready,
    /// It will not come by itself. A sentence that says why.
    Failed(String),
}

/// What is asked of the engine, for which desk.
#[derive(Debug, Clone, PartialEq)]
pub struct Job {
    /// The desk that gets the answer, open or not.
    pub place: String,
    pub sheet: usize,
    pub task: Task,
    /// The text as it was when the learner asked.
    pub text: String,
}

/// The kinds of request that a learner can cause.
#[derive(Debug, Clone, PartialEq)]
pub enum Task {
    /// `variant` names data other than the lesson's own.
    Run {
        variant: Option<String>,
    },
    /// The same text twice: what does a batch do that comes again?
    Twice,
    Check,
    /// A query of an old version behind what ran, on the same data.
    Travel {
        variant: Option<String>,
        table: String,
        version: u64,
    },
    /// Bring a playground to where its steps lead.
    Replay,
    /// One side of a twin run; the report of the first side waits for the second.
    Twin {
        twin: usize,
        left: Option<Box<protocol::RunReport>>,
    },
}

/// A request that has not been answered.
#[derive(Debug, Clone, PartialEq)]
pub struct Flight {
    pub id: u64,
    pub job: Job,
    /// Statements finished and in all.
    pub progress: Option<(usize, usize)>,
}

/// The engine as the page sees it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Engine {
    pub phase: EnginePhase,
    /// Loading takes longer than a reader expects.
    pub slow: bool,
    /// Why it stopped last time, until the next run.
    pub stopped: Option<String>,
    /// Pressed before the engine could take it.
    pub waiting: Option<Job>,
    pub flight: Option<Flight>,
    pub last_id: u64,
    /// The number of workers started: messages and alarms of an earlier one are ignored.
    pub generation: u32,
    /// Stops in a row without an answer in between; a second one waits for the reader.
    pub stops: u32,
    /// Keys of the files that this worker has.
    pub files: Vec<String>,
}

impl Engine {
    /// An id that no request of this page had.
    pub fn next_id(&mut self) -> u64 {
        self.last_id += 1;
        self.last_id
    }

    /// Whether something is running or waiting to run.
    pub fn is_busy(&self) -> bool {
        self.flight.is_some() || self.waiting.is_some()
    }
}
