//! The lesson's text, with its examples, questions and exercises in their places.

use crate::model::{LessonFile, Sheet};
use crate::msg::{Act, DeskMsg, Msg};
use crate::shared::Shared;
use crate::view::button::{Look, button};
use crate::view::markup::html;
use crate::view::predict::predict;
use crate::view::sql_text::sql_text;
use lesson::{Block, Code, Twin};
use yew::prelude::*;

/// What [`Article`] draws.
#[derive(Properties, PartialEq)]
pub struct ArticleProps {
    pub file: Shared<LessonFile>,
    pub sheets: Vec<Sheet>,
    pub predictions: Vec<(String, String)>,
    pub send: Callback<Msg>,
}

/// The article.
#[component]
pub fn Article(props: &ArticleProps) -> Html {
    let lesson = &props.file.lesson;
    let mut n_twins = 0;
    let blocks = lesson.blocks.iter().map(|block| match block {
        Block::Html(prose) => prose_html(prose),
        Block::Code(code) => example(props, code),
        Block::Twin(both) => {
            n_twins += 1;
            twin(props, both, n_twins - 1)
        }
        Block::Predict(prediction) => {
            let choice = props.predictions.iter().find(|(name, _)| *name == prediction.name);
            predict(prediction, choice.map(|(_, choice)| choice), &props.send)
        }
        Block::Exercise(id) => exercise(props, id),
    });
    html! {
        <article id="article" aria-label={lesson.title.clone()}>
            <h1>{ &lesson.title }</h1>
            { for blocks.collect::<Vec<_>>() }
        </article>
    }
}

/// Prose was rendered and escaped when the site was built; it is the only HTML that is not ours.
fn prose_html(prose: &str) -> Html {
    // The empty corner of a table heads nothing.
    let prose = prose.replace("<th></th>", "<td></td>");
    html! { <div class="prose">{ Html::from_html_unchecked(AttrValue::from(prose)) }</div> }
}

fn open(props: &ArticleProps, name: &str, label: &str) -> Html {
    let sheet = props.sheets.iter().position(|sheet| sheet.id == name).unwrap_or_default();
    let look = Look { id: &format!("open-{name}"), ..Look::default() };
    button(&props.send, Act::Desk(DeskMsg::PickSheet(sheet)), label, look)
}

fn example(props: &ArticleProps, code: &Code) -> Html {
    html! {
        <figure class="example">
            if !code.label.is_empty() { <figcaption>{ &code.label }</figcaption> }
            // A long line scrolls, by keyboard too.
            <pre tabindex="0">{ sql_text(&code.text, None) }</pre>
            { open(props, &code.name, "Open in the editor") }
        </figure>
    }
}

fn twin(props: &ArticleProps, twin: &Twin, idx: usize) -> Html {
    let look = Look { id: &format!("run-twin-{idx}"), class: "primary", ..Look::default() };
    let run = button(&props.send, Act::Desk(DeskMsg::RunTwin(idx)), "Run both side by side", look);
    html! {
        <section class="twin" aria-label="Two statements on the same data">
            { example(props, &twin.first) }
            { example(props, &twin.second) }
            { run }
        </section>
    }
}

fn exercise(props: &ArticleProps, id: &str) -> Html {
    let Some(exercise) = props.file.lesson.exercise(id) else { return html! {} };
    let name = format!("exercise-{id}");
    let is_solved = props.sheets.iter().any(|sheet| sheet.id == name && sheet.solved);
    let task = exercise.task.iter().map(|block| match block {
        Block::Html(prose) => prose_html(prose),
        Block::Code(_) | Block::Twin(_) | Block::Predict(_) | Block::Exercise(_) => html! {},
    });
    html! {
        <section class="task" aria-label={format!("Exercise: {}", exercise.title)}>
            <h2>
                { "Exercise: " }{ &exercise.title }
                if is_solved { <span class="solved">{ "✓ solved" }</span> }
            </h2>
            { for task }
            { open(props, &name, "Open the exercise") }
        </section>
    }
}
