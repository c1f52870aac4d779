//! What a program asks of its data frames without running a statement.

use super::{Rows, Sandbox};
use crate::local::LocalRows;
use query::{Look, Looked, look, plan_query};
use spec::{Diagnostic, Name, Query};

impl Sandbox {
    /// The columns of a query and what they are known by. `frame` is the number of the data frame that it is; those that
    /// it is made of may have been looked at.
    ///
    /// # Errors
    /// Whatever Spark's analyser refuses.
    pub async fn look(&self, script: &str, query: &Query, frame: u32, looked: &Looked) -> Result<Look, Diagnostic> {
        let context = self.context(script);
        look(&context.session, &context.resolver(), query, frame, looked).await
    }

    /// The rows of a query, which is no statement: the clock stands still.
    ///
    /// # Errors
    /// As for [`Sandbox::execute`].
    pub async fn rows(&self, script: &str, query: &Query) -> Result<Rows, Diagnostic> {
        let context = self.context(script);
        let plan = plan_query(&context.session, &context.resolver(), query).await?;
        let batches = plan.collect(&context.session).await?;
        Ok(Rows { columns: plan.columns().to_vec(), batches })
    }

    /// Computes the rows of a query for nobody.
    ///
    /// # Errors
    /// As for [`Sandbox::rows`].
    pub async fn drain(&self, script: &str, query: &Query) -> Result<(), Diagnostic> {
        let context = self.context(script);
        let plan = plan_query(&context.session, &context.resolver(), query).await?;
        plan.drain(&context.session).await
    }

    /// Keeps rows under a name that queries can read.
    ///
    /// # Errors
    /// Values that are not of the types of their columns: a bug.
    pub fn keep_rows(&mut self, rows: Rows) -> Result<Name, Diagnostic> {
        Ok(self.catalog.keep_rows(LocalRows::new(rows.columns, &rows.batches)?))
    }

    /// What a setting is, as SET shows it.
    pub fn setting(&self, key: &str) -> Option<String> {
        self.settings.shown(key)
    }

    /// Every setting that is not at its default.
    pub fn settings(&self) -> impl Iterator<Item = (&str, &str)> {
        self.settings.all()
    }

    /// Puts a setting back to its default.
    pub fn reset(&mut self, key: &str) {
        self.settings.reset(key);
    }
}
