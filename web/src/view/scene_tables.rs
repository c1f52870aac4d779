//! Source, target before and target after of one run, at one step.

use crate::shared::Shared;
use crate::view::bits;
use crate::view::file_card::{FileCardProps, MAX_LINES, file_card};
use crate::view::markup::html;
use crate::view::rows::{Line, MAX_WIDTH, RowsProps, rows, widths};
use crate::view::words;
use std::borrow::Cow;
use trace::{
    Cell, FileStatus, FilesEvent, Outcome, Reason, RowId, RowImage, RowOrigin, RowState, Scene, Step, Trace,
    WrittenImage,
};
use yew::prelude::*;

/// With more files than this, only the first ones that something happens to show their rows.
const N_OPEN_FILES: usize = 6;
/// With more files than this, only the first ones that something happens to have a card.
const MAX_CARDS: usize = 24;

/// One run at one step.
#[derive(Properties, PartialEq)]
pub struct SceneTablesProps {
    pub trace: Shared<Trace>,
    pub scene: Shared<Scene>,
    pub only: Option<Outcome>,
    /// What to call the run, where there are two.
    #[prop_or_default]
    pub label: Option<AttrValue>,
}

/// The three tables.
#[component]
pub fn SceneTables(props: &SceneTablesProps) -> Html {
    let (trace, scene) = (&*props.trace, &*props.scene);
    html! {
        <div class="scene">
            if let Some(label) = &props.label { <h3 class="run-label">{ label }</h3> }
            { source(trace, scene, props.only) }
            <div class="before-after">
                { before(trace, scene, props.only) }
                { after(trace, scene, props.only) }
            </div>
        </div>
    }
}

fn source(trace: &Trace, scene: &Scene, only: Option<Outcome>) -> Html {
    let Some(source) = &trace.source else { return html! {} };
    let is_read = scene.tally.source_rows > 0 || scene.step > 0;
    let lines: Vec<Line> = source
        .rows
        .iter()
        .zip(&scene.source)
        .take(MAX_LINES)
        .map(|(cells, state)| Line { cells, state: Cow::Borrowed(state), before: None })
        .collect();
    let table = rows(&RowsProps {
        caption: &format!("Source {}", source.name),
        columns: &source.columns,
        widths: &widths(&source.columns, source.rows.iter()),
        lines: &lines,
        head: true,
        only,
    });
    let n_hidden = source.n_rows.saturating_sub(lines.len() as u64);
    html! {
        <section class={if is_read { "side" } else { "side unread" }} tabindex="0" aria-label="Source">
            <h3>{ "Source " }{ bits::code(&source.name) }{ bits::facts(words::count(source.n_rows, "row")) }</h3>
            if source.n_rows == 0 {
                { bits::empty("0 source rows: nothing can match.") }
            } else {
                <div class="file plain">
                    { table }
                    if n_hidden > 0 { { bits::more(format!("and {} that are not shown", words::count(n_hidden, "row"))) } }
                </div>
            }
        </section>
    }
}

fn before(trace: &Trace, scene: &Scene, only: Option<Outcome>) -> Html {
    let target = &trace.target;
    let widths = widths(&target.columns, target.files.iter().flat_map(|file| &file.rows));
    let is_acted = |status| matches!(status, FileStatus::Touched | FileStatus::RowsHidden | FileStatus::Removed);
    let n_acted = scene.files.iter().filter(|state| is_acted(state.status)).count();
    let is_shown = |status| target.files.len() <= MAX_CARDS || n_acted == 0 || is_acted(status);
    let files = target.files.iter().zip(&scene.files).enumerate();
    let shown: Vec<_> = files.filter(|(_, (_, state))| is_shown(state.status)).take(MAX_CARDS).collect();
    let n_hidden = (target.files.len() - shown.len()) as u64;
    let cards = shown.into_iter().enumerate().map(|(at, (idx, (file, state)))| {
        let lines: Vec<Line> = file
            .rows
            .iter()
            .zip(&state.rows)
            .map(|(cells, state)| Line { cells, state: Cow::Borrowed(state), before: None })
            .collect();
        file_card(&FileCardProps {
            label: &trace.file_label(idx as u32),
            file,
            columns: &target.columns,
            widths: &widths,
            lines: &lines,
            status: words::file_status(state.status),
            reason: reason_of(trace, idx as u32, scene.step),
            head: at == 0,
            open: target.files.len() <= N_OPEN_FILES || (is_acted(state.status) && at < 2 * N_OPEN_FILES),
            only,
        })
    });
    let version = target.version.map(|version| format!("version {version}")).unwrap_or_default();
    html! {
        <section class="side" tabindex="0" aria-label="Target before">
            <h3>{ "Target before " }{ bits::code(&target.name) }{ bits::facts(version) }</h3>
            if target.files.is_empty() { { bits::empty("The target is empty: every source row can only be inserted.") } }
            <div class="files">{ for cards }</div>
            if n_hidden > 0 { { bits::more(format!("and {} that are not drawn", words::count(n_hidden, "file"))) } }
        </section>
    }
}

/// The reason given so far for what happened to an old file.
fn reason_of(trace: &Trace, file: u32, step: usize) -> Option<&Reason> {
    let done = trace.steps.get(..step.min(trace.steps.len()))?;
    done.iter().find_map(|step| match step {
        Step::SkipFile { file: of, reason } | Step::ScanFile { file: of, reason } if *of == file => Some(reason),
        Step::Files { event: FilesEvent::Skipped { reason } | FilesEvent::Scanned { reason }, files }
            if files.contains(&file) =>
        {
            Some(reason)
        }
        _ => None,
    })
}

fn after(trace: &Trace, scene: &Scene, only: Option<Outcome>) -> Html {
    let columns = &trace.target.columns;
    let lines: Vec<Vec<Line<'_>>> = trace.written.iter().map(|written| written_lines(trace, written)).collect();
    let mut widths = widths(columns, trace.written.iter().flat_map(|written| &written.file.rows));
    lines.iter().flatten().for_each(|line| make_room(&mut widths, line));
    let exists = |idx: usize| scene.written.get(idx) == Some(&true);
    let n_written = scene.written.iter().filter(|exists| **exists).count();
    let n_hidden = n_written.saturating_sub(MAX_CARDS) as u64;
    let written = trace.written.iter().zip(&lines).enumerate().filter(|(idx, _)| exists(*idx)).take(MAX_CARDS);
    let status = if scene.committed { ("✓", "added", "added") } else { ("◍", "orphan", "orphan") };
    let cards = written.map(|(idx, (image, lines))| {
        file_card(&FileCardProps {
            label: &trace.written_label(idx as u32),
            file: &image.file,
            columns,
            widths: &widths,
            lines,
            status,
            reason: None,
            head: idx == 0,
            open: n_written <= N_OPEN_FILES || idx < 2 * N_OPEN_FILES,
            only,
        })
    });
    let n_kept = scene.files.iter().filter(|file| file.status != FileStatus::Removed).count() as u64;
    let version = scene.reader_version.map(|version| format!("version {version}")).unwrap_or_default();
    html! {
        <section class="side" tabindex="0" aria-label="Target after">
            <h3>{ "Target after " }{ bits::facts(if scene.committed { version } else { "not committed".to_string() }) }</h3>
            if !scene.written.contains(&true) && !scene.committed {
                { bits::empty("No file has been written yet.") }
            } else if !scene.committed {
                <p class="kept">{ "Orphans: they are in the store, and no version lists them." }</p>
            }
            <div class="files">{ for cards }</div>
            if n_hidden > 0 { { bits::more(format!("and {} that are not drawn", words::count(n_hidden, "file"))) } }
            if scene.committed && n_kept > 0 {
                <p class="kept">{ format!("{} of the old version still in the table", words::count(n_kept, "file")) }</p>
            }
        </section>
    }
}

/// The rows of a written file, with what they were before.
fn written_lines<'a>(trace: &'a Trace, written: &'a WrittenImage) -> Vec<Line<'a>> {
    let old = |id: RowId| trace.target.files.get(id.file as usize)?.rows.get(id.row as usize);
    let pairs = written.file.rows.iter().zip(&written.origins);
    let line = |(cells, origin): (&'a RowImage, &RowOrigin)| Line {
        cells,
        state: Cow::Owned(RowState { outcome: Some(origin.outcome), ..RowState::default() }),
        before: origin.target.and_then(old),
    };
    pairs.map(line).collect()
}

/// A changed cell shows two values side by side.
fn make_room(widths: &mut [usize], line: &Line<'_>) {
    let len = |cell: &Cell| cell.as_deref().unwrap_or("NULL").chars().count();
    let Some(before) = line.before else { return };
    for ((width, old), new) in widths.iter_mut().zip(before).zip(line.cells) {
        if old != new {
            *width = (*width).max(len(old) + 2 + len(new)).min(MAX_WIDTH);
        }
    }
}
