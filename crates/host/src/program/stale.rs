//! Frames and `DeltaTable`s whose table has changed since they were made.
//!
//! Reading is the planner's matter: a frame keeps the columns it was made with. What changes a table is told here of what its
//! handle knows: names that came later are unknown to it, and a MERGE wants as many columns as there were.

use super::{Program, Result, all_of};
use engine::sandbox::Sandbox;
use query::Column;
use serde_json::Value;
use spec::{Diagnostic, Expr, Ident, QueryBody, Relation, SelectItem, TableAlias, TableTarget};

impl Program {
    /// The frame that a request names under `key`.
    fn frame_at(asked: &Value, key: &str) -> Option<u32> {
        asked[key].as_u64().and_then(|frame| u32::try_from(frame).ok())
    }

    /// The columns that the table behind a frame has now; `None` where there is none, or it cannot be read.
    async fn columns_now(&self, sandbox: &Sandbox, frame: u32) -> Result<Option<Vec<Column>>> {
        let Some(table) = self.frames.table_of(frame)? else { return Ok(None) };
        let span = table.span();
        let look = sandbox.look(self.script.text(), &all_of(table, span), frame, &self.looked).await;
        Ok(look.ok().map(|look| look.columns().to_vec()))
    }

    async fn has_other_columns(&self, sandbox: &Sandbox, frame: u32) -> Result<bool> {
        let (Some(now), Some(known)) = (self.columns_now(sandbox, frame).await?, self.looked.names(frame)) else {
            return Ok(false);
        };
        Ok(!now.iter().map(|column| column.name.as_str()).eq(known))
    }

    /// A MERGE reads its source by name where that is the same.
    pub(super) async fn stale_source(&mut self, sandbox: &Sandbox, asked: &Value) -> Result<()> {
        if let Some(source) = Self::frame_at(asked, "source")
            && self.has_other_columns(sandbox, source).await?
        {
            self.frames.detach(source);
        }
        Ok(())
    }

    /// Refuses a MERGE into a table that has more or fewer columns than its handle knows (`MergeIntoCommandBase` of Delta).
    pub(super) async fn same_columns(&self, sandbox: &Sandbox, asked: &Value) -> Result<()> {
        let Some(handle) = Self::frame_at(asked, "seen") else { return Ok(()) };
        let (now, known) = (self.columns_now(sandbox, handle).await?, self.looked.names(handle));
        let (Some(now), Some(known)) = (now, known) else { return Ok(()) };
        if now.len() == known.len() {
            return Ok(());
        }
        let now: Vec<&str> = now.iter().map(|column| column.name.as_str()).collect();
        let message = format!(
            "The table has changed since the DeltaTable was made: it had the columns {}, and has {}.",
            known.join(", "),
            now.join(", ")
        );
        Err(Diagnostic::new("DELTA_SCHEMA_CHANGE_SINCE_ANALYSIS", "KD007", message, None)
            .with_hint("A DeltaTable knows the columns it was made with. Call DeltaTable.forName again."))
    }

    /// Refuses expressions that name what came after the handle was made.
    pub(super) async fn known_to(
        &self,
        sandbox: &Sandbox,
        asked: &Value,
        table: &TableTarget,
        exprs: Vec<Expr>,
    ) -> Result<()> {
        let Some(handle) = Self::frame_at(asked, "seen") else { return Ok(()) };
        if exprs.is_empty() || !self.has_other_columns(sandbox, handle).await? {
            return Ok(());
        }
        let name = table.alias.clone().unwrap_or_else(|| Ident::new(table.name.last(), table.span));
        let alias = Some(TableAlias { name, columns: Vec::new() });
        let query = Box::new(self.frames.query(handle)?.clone());
        let seen = Relation::Subquery { query, lateral: false, alias, frame: None, span: table.span };
        let mut wanted = all_of(seen, table.span);
        if let QueryBody::Select(select) = &mut wanted.body {
            select.items = exprs.into_iter().map(|expr| SelectItem::Expr { expr, alias: Vec::new() }).collect();
        }
        sandbox.look(self.script.text(), &wanted, 0, &self.looked).await.map(|_| ())
    }
}
