//! What can be told about a text while it is being written: what there is to name, what cannot be read, what is a trap.

use crate::errors::report;
use crate::host::fresh;
use crate::lab::is_program;
use crate::mirrored::program_of;
use crate::run::run_silently;
use engine::sandbox::Sandbox;
use lint::{Column, Known, Table, lint};
use protocol::{Assistance, GridColumn, RelationSummary, ReplyBody};

/// Remembers what the last setup made, for a learner asks about one text after the other on the same data.
#[derive(Debug, Default)]
pub(crate) struct Assistant {
    /// Setup and clock, and what was there behind it.
    last: Option<(String, String, Known)>,
}

impl Assistant {
    /// Looks at `text` as it would run after `setup` (a script and its clock), or on what `sandbox` holds.
    pub(crate) async fn assist(
        &mut self,
        sandbox: Option<&Sandbox>,
        setup: Option<(&str, &str)>,
        text: &str,
    ) -> Assistance {
        let mut known = match (setup, sandbox) {
            (Some((setup, clock)), _) => self.after(setup, clock).await,
            (None, Some(sandbox)) => known(sandbox).await,
            (None, None) => Known::default(),
        };
        if is_program(text) {
            // What is right and what is not is only known when it runs.
            let relations = known.into_tables().iter().map(summary).collect();
            return Assistance { relations, ..Assistance::default() };
        }
        let parsed = sql::parse(text);
        let warnings = lint(text, &parsed.statements, &mut known);
        Assistance {
            relations: known.into_tables().iter().map(summary).collect(),
            errors: parsed.diagnostics.iter().map(report).collect(),
            warnings: warnings.iter().map(report).collect(),
            mirror: program_of(text, &parsed),
        }
    }

    /// What a setup leaves. One that fails leaves what it made up to then; the run will say what is wrong with it.
    async fn after(&mut self, setup: &str, clock: &str) -> Known {
        if let Some((of_setup, at_clock, known)) = &self.last
            && (of_setup.as_str(), at_clock.as_str()) == (setup, clock)
        {
            return known.clone();
        }
        let Ok(mut sandbox) = fresh(clock) else { return Known::default() };
        let _ = Box::pin(run_silently(&mut sandbox, setup)).await;
        let known = known(&sandbox).await;
        self.last = Some((setup.to_owned(), clock.to_owned(), known.clone()));
        known
    }
}

/// The language's words.
pub(crate) fn words() -> ReplyBody {
    let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    let members = frames::MEMBERS.iter().map(|(owner, names)| format!("{owner} {names}")).collect();
    ReplyBody::Words { keywords: owned(sql::keywords()), functions: owned(&query::function_names()), members }
}

async fn known(sandbox: &Sandbox) -> Known {
    let relations = Box::pin(sandbox.relations()).await;
    let column = |column: query::Column| Column {
        data_type: column.data_type.spark_name(),
        name: column.name,
        nullable: column.nullable,
    };
    let table = |relation: engine::sandbox::RelationInfo| Table {
        name: relation.name,
        is_view: relation.is_view,
        columns: relation.columns.into_iter().map(column).collect(),
    };
    Known::new(relations.into_iter().map(table).collect())
}

fn summary(table: &Table) -> RelationSummary {
    let column = |column: &Column| GridColumn { name: column.name.clone(), data_type: column.data_type.clone() };
    RelationSummary {
        name: table.name.clone(),
        is_view: table.is_view,
        columns: table.columns.iter().map(column).collect(),
    }
}
