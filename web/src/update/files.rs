//! Files of the learner's: they become steps of the playground, and tables become files.

use crate::effect::Effect;
use crate::model::{Model, PLAYGROUND, Step};
use crate::msg::FileMsg;
use crate::update::keep::keep;
use crate::update::playground;
use crate::wire::Ask;

/// What a step that came from a file is called.
pub(super) const FILE: &str = "FILE";

pub(super) fn update(model: &mut Model, msg: FileMsg) -> Vec<Effect> {
    match msg {
        FileMsg::Taken { key, name } => return taken(model, key, &name),
        FileMsg::Refused(sentence) | FileMsg::Downloaded(Err(sentence)) => model.status = sentence,
        FileMsg::Download(table) => {
            model.status = format!("Zipping {table} …");
            return vec![Effect::Download(table)];
        }
        FileMsg::Downloaded(Ok(table)) => model.status = format!("{table}.zip is in your downloads."),
    }
    Vec::new()
}

/// A file is one more step: the next request hands it over and makes its table.
fn taken(model: &mut Model, key: String, name: &str) -> Vec<Effect> {
    if model.place() != Some(PLAYGROUND) {
        model.status = "Files go into the playground: open it and drop them there.".to_string();
        return Vec::new();
    }
    let is_busy = model.engine.is_busy();
    let now_ms = model.now_ms;
    let Some(desk) = model.desk_mut() else { return Vec::new() };
    let table = table_name(name, &desk.ledger.steps);
    desk.ledger.push(Step { kind: FILE.to_string(), text: table, file: key }, now_ms);
    // Several files come at once: the last answer asks for what came meanwhile.
    desk.ledger.is_stale |= is_busy;
    let mut effects = keep(model);
    if !is_busy {
        effects.extend(playground::replay(model));
    }
    effects
}

/// A name for the table of a file that no other file has: letters, digits and `_`.
fn table_name(file: &str, steps: &[Step]) -> String {
    let stem = file.split('.').next().unwrap_or(file);
    let mut name: String =
        stem.chars().take(60).map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' }).collect();
    if !name.starts_with(|first: char| first.is_ascii_alphabetic()) {
        name.insert_str(0, "t_");
    }
    let taken = |name: &str| steps.iter().any(|step| !step.file.is_empty() && step.text == name);
    let base = name.clone();
    let mut n = 2;
    while taken(&name) {
        name = format!("{base}_{n}");
        n += 1;
    }
    name
}

/// What a request needs that this worker does not have yet.
pub(super) fn wanted(model: &mut Model, ask: &Ask) -> Vec<Effect> {
    let Ask::Play { steps, .. } = ask else { return Vec::new() };
    let mut effects = Vec::new();
    for step in steps.iter().filter(|step| !step.file.is_empty()) {
        if !model.engine.files.contains(&step.file) {
            model.engine.files.push(step.file.clone());
            effects.push(Effect::SendFile(step.file.clone()));
        }
    }
    effects
}

#[cfg(test)]
mod tests {
    use super::table_name;
    use crate::model::Step;

    #[test]
    fn a_file_gives_its_table_a_plain_name_of_its_own() {
        for (file, expected) in [
            ("Prices 2026.csv", "prices_2026"),
            ("7.json", "t_7"),
            ("../../etc/passwd", "t_"),
            ("\"; DROP TABLE t --.csv", "t____drop_table_t___"),
            ("", "t_"),
            ("prices.csv", "prices_2"),
        ] {
            let steps = [Step { kind: "FILE".into(), text: "prices".into(), file: "k".into() }];
            assert_eq!(table_name(file, &steps), expected, "{file:?}");
        }
    }
}
