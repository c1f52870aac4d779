//! What there is to read, with its columns: for completion and warnings. Nothing is scanned.

use super::{Context, Sandbox};
use query::{Column, Session, plan_query};

/// A table or view by the shortest name that finds it.
#[derive(Debug, Clone, PartialEq)]
pub struct RelationInfo {
    pub name: String,
    pub is_view: bool,
    /// Empty where the relation cannot be read.
    pub columns: Vec<Column>,
}

impl Sandbox {
    /// The tables, then the temp views, each by name.
    pub async fn relations(&self) -> Vec<RelationInfo> {
        let tables = self.catalog.tables().map(|table| (table.short_name(), false));
        let views = self.catalog.views().map(|view| (view.name.clone(), true));
        let named: Vec<(String, bool)> = tables.chain(views).collect();
        let mut relations = Vec::with_capacity(named.len());
        for (name, is_view) in named {
            let columns = self.columns_of(&name).await;
            relations.push(RelationInfo { name, is_view, columns });
        }
        relations
    }

    async fn columns_of(&self, name: &str) -> Vec<Column> {
        let quoted: Vec<String> = name.split('.').map(|part| format!("`{part}`")).collect();
        let script = format!("SELECT * FROM {}", quoted.join("."));
        let Ok(query) = sql::parse_query(&script) else { return Vec::new() };
        let now_ms = self.env.clock.now_ms();
        let session = Session::new(now_ms.saturating_mul(1_000), &self.settings.expressions());
        let context = Context {
            env: &self.env,
            catalog: &self.catalog,
            settings: &self.settings,
            session,
            script: &script,
            started_ms: now_ms,
        };
        match plan_query(&context.session, &context.resolver(), &query).await {
            Ok(plan) => plan.columns().to_vec(),
            Err(_) => Vec::new(),
        }
    }
}
