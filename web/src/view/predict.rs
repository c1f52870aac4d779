//! A question to answer before running.

use crate::msg::{Act, DeskMsg, Msg};
use crate::view::button::{Look, button};
use crate::view::markup::html;
use lesson::Prediction;
use yew::prelude::*;

/// The question, its choices, and after a choice the engine's answer.
pub fn predict(prediction: &Prediction, choice: Option<&String>, send: &Callback<Msg>) -> Html {
    let Some(answer) = &prediction.answer else { return html! {} };
    // The answer's place depends on the question alone: it stays, and tells nothing.
    let mut choices: Vec<&String> = prediction.distractors.iter().collect();
    choices.insert(prediction.question.len() % (choices.len() + 1), answer);
    let offer = |offered: &String| {
        let msg = DeskMsg::Predict { name: prediction.name.clone(), choice: offered.clone() };
        let look = Look { pressed: Some(choice == Some(offered)), ..Look::default() };
        button(send, Act::Desk(msg), offered, look)
    };
    let said = choice.map(|choice| {
        if choice == answer {
            format!("Yes: {answer}.")
        } else {
            format!("Not {choice}. Run it and step to the place where it is decided, or choose again.")
        }
    });
    html! {
        <section class="predict" aria-label="Prediction">
            { Html::from_html_unchecked(AttrValue::from(prediction.question.clone())) }
            <div class="choices">{ for choices.into_iter().map(offer) }</div>
            <p role="status">{ said.unwrap_or_default() }</p>
        </section>
    }
}
