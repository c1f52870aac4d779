//! The timeline as a person uses it: with keys.

use crate::browser::{Browser, key};

/// What the page shows at one step.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Shown {
    pub(crate) narration: String,
    pub(crate) stage: String,
}

/// The number of the last step.
pub(crate) fn last_step(browser: &Browser) -> usize {
    browser.wait_for("#timeline");
    attribute(browser, "max")
}

/// The number of the step that is shown.
pub(crate) fn position(browser: &Browser) -> usize {
    attribute(browser, "value")
}

/// Presses a key outside of the text and waits for the step that it leads to.
pub(crate) fn press(browser: &Browser, arrow: &str, step: usize) -> Shown {
    browser.press(&[], &[arrow]);
    browser.wait(&format!("step {step}"), || (position(browser) == step).then_some(()));
    Shown { narration: browser.text("#narration"), stage: browser.text("#stage") }
}

/// Goes from the first step to the last and back, one key press at a time, and asserts that each step looks
/// the same both ways. Ends at the first step; tells how many steps there are.
pub(crate) fn scrub(browser: &Browser) -> usize {
    // A letter or an arrow belongs to the text as long as the text has the keyboard.
    browser.evaluate("document.activeElement?.blur();", &[]);
    let last = last_step(browser);
    assert!(last > 2, "a MERGE has more than {last} steps");
    press(browser, key::HOME, 0);
    let forward: Vec<Shown> = (1..=last).map(|step| press(browser, key::RIGHT, step)).collect();
    for step in (1..last).rev() {
        let backward = press(browser, key::LEFT, step);
        assert_eq!(backward, forward[step - 1], "step {step} looks the same forward and backward");
    }
    let different = forward.windows(2).filter(|pair| pair[0].narration != pair[1].narration).count();
    assert!(different + 1 == forward.len(), "every step says something of its own: {forward:#?}");
    let jumped = press(browser, key::END, last);
    assert_eq!(Some(&jumped), forward.last(), "a jump shows what walking shows");
    press(browser, key::HOME, 0);
    last
}

fn attribute(browser: &Browser, name: &str) -> usize {
    let script = "return Number(document.querySelector('#timeline')?.[arguments[0]] ?? -1);";
    let number = browser.evaluate(script, &[name.into()]).as_i64();
    number.and_then(|number| usize::try_from(number).ok()).unwrap_or(usize::MAX)
}
