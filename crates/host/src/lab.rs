//! What texts of both languages work on.

use crate::interpreter::Interpreter;
use crate::program::Program;
use crate::run::run_silently;
use engine::sandbox::Sandbox;
use spec::Diagnostic;

/// Tables, and the names that programs gave.
#[derive(Debug)]
pub(crate) struct Lab {
    pub(crate) sandbox: Sandbox,
    /// Absent until a program ran.
    pub(crate) program: Option<Program>,
}

impl Lab {
    /// Tables, and no names yet.
    pub(crate) fn new(sandbox: Sandbox) -> Self {
        Self { sandbox, program: None }
    }

    /// Runs a text of either language without telling of it, up to its first failure.
    ///
    /// # Errors
    /// What is wrong there.
    pub(crate) async fn take(&mut self, interpreter: &Interpreter, text: &str) -> Result<(), Diagnostic> {
        if !is_program(text) {
            return Box::pin(run_silently(&mut self.sandbox, text)).await;
        }
        let ran = interpreter.run(self, text).await;
        if let Some(program) = &mut self.program {
            program.take_shown();
        }
        ran
    }
}

/// Whether a text is, or holds, Python.
pub(crate) fn is_program(text: &str) -> bool {
    text.contains("%python")
        || sql::parse(text).diagnostics.iter().any(|problem| problem.condition == "MERGELAB_LOOKS_LIKE_PYTHON")
}
