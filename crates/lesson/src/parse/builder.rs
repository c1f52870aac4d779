//! Collects the parts of a lesson in the order of the file, and complains where a part does not belong.

use pulldown_cmark::{Event, HeadingLevel};

use crate::{Block, Check, Code, Exercise, Language, Lesson, Mistake, Prediction, Problem, Script, Twin, Variant};

use super::info::{self, Info};
use super::{prose, tables};

/// A fenced block as it stands in the file.
pub(super) struct Fence<'a> {
    pub(super) info: &'a str,
    pub(super) text: String,
    /// Where it opens.
    pub(super) line: u32,
}

/// A lesson in the making.
pub(super) struct Builder {
    path: String,
    lesson: Lesson,
    /// Whether the last heading of level 2 opened an exercise; then it is the last of the lesson.
    in_exercise: bool,
    /// Whether the last block is the fence right before, with no prose between.
    after_example: bool,
    problems: Vec<Problem>,
}

impl Builder {
    pub(super) fn new(path: &str, front: tables::Front) -> Self {
        let mut parts = path.trim_end_matches(".md").rsplit('/');
        let slug = parts.next().unwrap_or_default().to_owned();
        let track = parts.next().unwrap_or_default().to_owned();
        let lesson = Lesson {
            id: front.id,
            track,
            slug,
            title: front.title,
            minutes: front.minutes,
            concepts: front.concepts,
            requires: front.requires,
            covers: front.covers,
            kind: front.kind,
            clock: front.clock,
            editor: front.editor,
            setup: String::new(),
            blocks: Vec::new(),
            exercises: Vec::new(),
        };
        let mut builder =
            Builder { path: path.to_owned(), lesson, in_exercise: false, after_example: false, problems: Vec::new() };
        if builder.lesson.editor.languages != [Language::Sql] {
            builder.problem(1, "`editor.languages` other than [\"sql\"] are not supported yet");
        }
        builder
    }

    pub(super) fn problem(&mut self, line: u32, message: impl Into<String>) {
        self.problems.push(Problem { path: self.path.clone(), line, message: message.into() });
    }

    /// Takes prose up to a fence or heading.
    pub(super) fn prose(&mut self, events: Vec<Event<'_>>) {
        if events.is_empty() {
            return;
        }
        let block = Block::Html(prose::render(events));
        self.after_example = false;
        match self.exercise() {
            Some(exercise) => exercise.task.push(block),
            None => self.lesson.blocks.push(block),
        }
    }

    /// Notes a heading; true if it opened an exercise and is not prose.
    pub(super) fn heading(&mut self, level: HeadingLevel, title: &str, line: u32) -> bool {
        if level == HeadingLevel::H1 {
            self.problem(line, "the title stands in the front matter; start with a heading of level 2");
        }
        if level > HeadingLevel::H2 {
            return false;
        }
        self.in_exercise = false;
        let Some(rest) = title.strip_prefix("Exercise") else { return false };
        let Some((id, title)) = rest.split_once(':') else {
            self.problem(line, "an exercise's heading is `## Exercise <id>: <title>`");
            return false;
        };
        self.in_exercise = true;
        let id = id.trim().to_owned();
        if id.is_empty() {
            self.problem(line, "an exercise needs an id: `## Exercise <id>: <title>`");
        }
        self.lesson.blocks.push(Block::Exercise(id.clone()));
        self.lesson.exercises.push(empty_exercise(id, title.trim().to_owned(), line));
        true
    }

    /// Takes a fence.
    pub(super) fn fence(&mut self, fence: Fence<'_>) {
        let line = fence.line;
        let placed = info::read(fence.info).and_then(|info| {
            known_attributes(&info)?;
            self.place(&info, fence)
        });
        let after_example = matches!(self.lesson.blocks.last(), Some(Block::Code(code)) if code.line == line);
        self.after_example = after_example;
        if let Err(message) = placed {
            self.problem(line, message);
        }
    }

    /// The lesson, or everything that is wrong with it, in the order of lines.
    pub(super) fn finish(mut self) -> Result<Lesson, Vec<Problem>> {
        let incomplete: Vec<(u32, String)> = self
            .lesson
            .exercises
            .iter()
            .flat_map(|exercise| {
                [("starter", &exercise.starter), ("solution", &exercise.solution)]
                    .into_iter()
                    .filter(|(_, script)| script.text.is_empty())
                    .map(|(role, _)| (exercise.line, format!("exercise `{}` has no {role}", exercise.id)))
            })
            .collect();
        for (line, message) in incomplete {
            self.problem(line, message);
        }
        self.problems.sort_by_key(|problem| problem.line);
        if self.problems.is_empty() { Ok(self.lesson) } else { Err(self.problems) }
    }

    fn exercise(&mut self) -> Option<&mut Exercise> {
        if self.in_exercise { self.lesson.exercises.last_mut() } else { None }
    }

    fn place(&mut self, info: &Info, fence: Fence<'_>) -> Result<(), String> {
        match info.role.as_str() {
            "setup" => self.place_setup(info, &fence.text),
            "run" | "error" | "twin" | "predict" => {
                if self.in_exercise {
                    return Err(format!("`{}` stands in the article, not in an exercise", info.role));
                }
                self.place_in_article(info, fence)
            }
            "starter" | "solution" | "hint" | "check" | "variant" | "mistake" => self.place_in_exercise(info, fence),
            role => Err(format!("there is no role `{role}`")),
        }
    }

    fn place_setup(&mut self, info: &Info, text: &str) -> Result<(), String> {
        language(info)?;
        nameless(info)?;
        let setup = match self.exercise() {
            Some(exercise) => &mut exercise.setup,
            None => &mut self.lesson.setup,
        };
        if !setup.is_empty() {
            setup.push('\n');
        }
        setup.push_str(text);
        Ok(())
    }

    fn place_in_article(&mut self, info: &Info, fence: Fence<'_>) -> Result<(), String> {
        if info.role == "predict" {
            return self.place_prediction(info, fence);
        }
        let label = info.attributes.iter().find(|(key, _)| key == "label");
        let mut code = Code {
            name: info.name.clone(),
            label: label.map(|(_, value)| value.clone()).unwrap_or_default(),
            language: language(info)?,
            text: fence.text,
            error: None,
            line: fence.line,
        };
        match info.role.as_str() {
            "twin" => return self.place_twin(code),
            "error" => {
                code.error = Some(named(info)?);
                code.name = self.next_name();
            }
            _ if code.name.is_empty() => code.name = self.next_name(),
            _ => {}
        }
        self.lesson.blocks.push(Block::Code(code));
        Ok(())
    }

    /// Joins a twin to the example right before it.
    fn place_twin(&mut self, mut second: Code) -> Result<(), String> {
        let before = if self.after_example { self.lesson.blocks.pop() } else { None };
        match before {
            Some(Block::Code(first)) if first.name == second.name => {
                let name = first.name.clone();
                second.name = format!("{name}-twin");
                self.lesson.blocks.push(Block::Twin(Twin { name, first, second }));
                Ok(())
            }
            other => {
                self.lesson.blocks.extend(other);
                Err(format!("`twin={0}` must follow `run={0}` directly", second.name))
            }
        }
    }

    fn place_prediction(&mut self, info: &Info, fence: Fence<'_>) -> Result<(), String> {
        toml_language(info)?;
        let name = named(info)?;
        let body = tables::read::<tables::PredictBody>(&fence.text);
        let Some(body) = self.or_problem(fence.line, body) else { return Ok(()) };
        let quantity = tables::quantity(&body).map_err(|(_, message)| message)?;
        let question = prose::render_text(&body.question).map_err(|problems| first_message(&problems))?;
        let (run, distractors) = (body.run, body.distractors);
        let line = fence.line;
        let prediction = Prediction { name, question, run, quantity, distractors, answer: None, line };
        self.lesson.blocks.push(Block::Predict(prediction));
        Ok(())
    }

    fn place_in_exercise(&mut self, info: &Info, fence: Fence<'_>) -> Result<(), String> {
        if !self.in_exercise {
            return Err(format!("`{}` stands under a heading `## Exercise <id>: <title>`", info.role));
        }
        let line = fence.line;
        match info.role.as_str() {
            "starter" | "solution" => self.place_script(info, fence.text),
            "hint" => self.place_hint(info, &fence),
            "check" => {
                toml_language(info)?;
                let id = named(info)?;
                if id == Exercise::RUN {
                    return Err("`run` is the check that every exercise has; choose another id".to_owned());
                }
                let body = tables::check(&fence.text);
                let Some(body) = self.or_problem(line, body) else { return Ok(()) };
                let tables::CheckBody { title, message, variants, kind } = body;
                self.add(|exercise| exercise.checks.push(Check { id, title, message, variants, kind, line }));
                Ok(())
            }
            "variant" => {
                language(info)?;
                let name = named(info)?;
                if !is_variant_name(&name) || name == Exercise::BASE {
                    return Err(format!("`{name}` is not a variant's name: capitals, and BASE is the unpatched data"));
                }
                let (head, patch) = split(&fence.text)?;
                let head = tables::read::<tables::VariantHead>(head);
                let Some(head) = self.or_problem(line, head) else { return Ok(()) };
                let (summary, patch) = (head.summary, patch.to_owned());
                self.add(|exercise| exercise.variants.push(Variant { name, summary, patch, line }));
                Ok(())
            }
            _ => {
                let language = language(info)?;
                let name = named(info)?;
                let (head, text) = split(&fence.text)?;
                let head = tables::read::<tables::MistakeHead>(head);
                let Some(head) = self.or_problem(line, head) else { return Ok(()) };
                let tables::MistakeHead { check, variant, says } = head;
                let script = Script { language, text: text.to_owned() };
                self.add(|exercise| exercise.mistakes.push(Mistake { name, variant, check, says, script, line }));
                Ok(())
            }
        }
    }

    fn place_script(&mut self, info: &Info, text: String) -> Result<(), String> {
        nameless(info)?;
        let script = Script { language: language(info)?, text };
        let Some(exercise) = self.exercise() else { return Ok(()) };
        let place = if info.role == "starter" { &mut exercise.starter } else { &mut exercise.solution };
        if !place.text.is_empty() {
            return Err(format!("the exercise has a {} already", info.role));
        }
        *place = script;
        Ok(())
    }

    fn place_hint(&mut self, info: &Info, fence: &Fence<'_>) -> Result<(), String> {
        nameless(info)?;
        if info.language != "md" {
            return Err("a hint is Markdown: `md hint`".to_owned());
        }
        match prose::render_text(&fence.text) {
            Ok(html) => self.add(|exercise| exercise.hints.push(html)),
            Err(problems) => {
                for (line, message) in problems {
                    self.problem(fence.line + 1 + line, message);
                }
            }
        }
        Ok(())
    }

    fn add(&mut self, put: impl FnOnce(&mut Exercise)) {
        if let Some(exercise) = self.exercise() {
            put(exercise);
        }
    }

    /// The value, or `None` after the complaint was noted at its own line inside the fence.
    fn or_problem<T>(&mut self, fence_line: u32, read: Result<T, tables::Complaint>) -> Option<T> {
        read.map_err(|(line, message)| self.problem(fence_line + 1 + line, message)).ok()
    }

    fn next_name(&self) -> String {
        let is_example = |block: &&Block| matches!(block, Block::Code(_) | Block::Twin(_));
        format!("example-{}", self.lesson.blocks.iter().filter(is_example).count() + 1)
    }
}

fn empty_exercise(id: String, title: String, line: u32) -> Exercise {
    let nothing = || Script { language: Language::Sql, text: String::new() };
    Exercise {
        id,
        title,
        task: Vec::new(),
        setup: String::new(),
        starter: nothing(),
        solution: nothing(),
        hints: Vec::new(),
        checks: Vec::new(),
        variants: Vec::new(),
        mistakes: Vec::new(),
        line,
    }
}

fn known_attributes(info: &Info) -> Result<(), String> {
    for (key, _) in &info.attributes {
        match key.as_str() {
            "label" if ["run", "twin", "error"].contains(&info.role.as_str()) => {}
            "clock" => return Err("`clock` on a fence is not supported yet".to_owned()),
            key => return Err(format!("a fence `{}` has no key `{key}`", info.role)),
        }
    }
    Ok(())
}

fn language(info: &Info) -> Result<Language, String> {
    match info.language.as_str() {
        "sql" => Ok(Language::Sql),
        "python" => Err("Python is not supported yet".to_owned()),
        other => Err(format!("a fence `{}` is written in sql, not in `{other}`", info.role)),
    }
}

fn toml_language(info: &Info) -> Result<(), String> {
    if info.language == "toml" {
        return Ok(());
    }
    Err(format!("a fence `{}` is written in toml, not in `{}`", info.role, info.language))
}

fn named(info: &Info) -> Result<String, String> {
    if info.name.is_empty() {
        return Err(format!("a fence `{0}` needs a name: `{0}=<name>`", info.role));
    }
    Ok(info.name.clone())
}

fn nameless(info: &Info) -> Result<(), String> {
    if info.name.is_empty() { Ok(()) } else { Err(format!("a fence `{}` takes no name", info.role)) }
}

fn split(text: &str) -> Result<(&str, &str), String> {
    tables::split_head(text).ok_or_else(|| "the fence needs TOML, a line `---`, and then SQL".to_owned())
}

fn is_variant_name(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_')
}

fn first_message(problems: &[(u32, String)]) -> String {
    problems.first().map(|(_, message)| message.clone()).unwrap_or_default()
}
