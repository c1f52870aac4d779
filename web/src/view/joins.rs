//! The plan: the joins that Spark would run, their sides, and what it could broadcast.

use crate::view::bits;
use crate::view::markup::html;
use crate::view::words;
use trace::{Pass, Scene, SparkJoin, Trace};
use yew::prelude::*;

/// What Spark broadcasts by itself: `spark.sql.autoBroadcastJoinThreshold`.
const BROADCAST_BYTES: u64 = 10 * 1024 * 1024;

/// The plan at the scene's step: sizes are those of the files known to take part so far.
pub fn joins(trace: &Trace, scene: &Scene) -> Html {
    let joins = trace.spark_joins(scene);
    if joins.is_empty() {
        return html! { { bits::empty("Only a MERGE joins two sides; this statement reads its table alone.") } };
    }
    html! {
        <div class="plan">
            <p class="facts">
                <span class="badge simulated" title="Derived from the statement by Delta's own rules, not run in this way">{ "simulated" }</span>
                { " MergeLab joins once and keeps the pairs. Delta on Spark would run:" }
            </p>
            { for joins.iter().map(|join| one(trace, join)) }
        </div>
    }
}

fn one(trace: &Trace, join: &SparkJoin) -> Html {
    let (number, title) = match join.pass {
        Pass::FindTouchedFiles => ("1", "find touched files"),
        Pass::WriteChanges if join.kind == trace::JoinKind::LeftAnti => ("1", "write inserted rows"),
        Pass::WriteChanges => ("2", "write changed rows"),
    };
    let source = trace.source.as_ref();
    let n_rows = source.map_or(0, |source| source.n_rows);
    let side = |can: bool, what: Html, size: Option<u64>| {
        html! {
            <div class={if can { "join-side can" } else { "join-side" }}>
                { what }
                <small>{ match (can, size) {
                    (false, _) => "cannot be broadcast: its unmatched rows are kept",
                    (true, Some(bytes)) if bytes <= BROADCAST_BYTES => "could be broadcast: below 10 MiB",
                    (true, Some(_)) => "could be broadcast, but is above 10 MiB",
                    (true, None) => "could be broadcast, if Spark estimates it below 10 MiB",
                } }</small>
            </div>
        }
    };
    let left = html! { <><strong>{ "source " }{ bits::code(source.map_or("", |source| source.name.as_str())) }</strong><span>{ words::count(n_rows, "row") }</span></> };
    let files =
        if join.pass == Pass::WriteChanges && join.kind != trace::JoinKind::LeftAnti { "touched file" } else { "file" };
    let right = html! { <><strong>{ "target " }{ bits::code(&trace.target.name) }</strong><span>{ format!("{}, {}", words::count(join.files, files), words::bytes(join.bytes)) }</span></> };
    html! {
        <section class="join" aria-label={format!("Join {number}: {title}")}>
            <h4>{ format!("Join {number}: {title}") }</h4>
            <div class="sides">
                { side(join.kind.broadcasts_source(), left, None) }
                <div class="join-kind"><strong>{ join.kind.name() }</strong>if let Some(condition) = &trace.condition { { bits::code(condition) } }</div>
                { side(join.kind.broadcasts_target(), right, Some(join.bytes)) }
            </div>
            <p>{ join.because }</p>
        </section>
    }
}
