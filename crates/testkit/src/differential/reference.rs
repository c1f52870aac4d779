//! The reference as a process: one request a line, one answer a line.
#![allow(clippy::disallowed_methods, reason = "it writes the program and starts it")]

use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// The program that answers; it is compiled by `java` when it is started.
pub const PROGRAM: &str = include_str!("../../reference/Reference.java");

/// What Spark needs of a Java that keeps its modules closed.
const OPENED: [&str; 14] = [
    "java.lang",
    "java.lang.invoke",
    "java.lang.reflect",
    "java.io",
    "java.net",
    "java.nio",
    "java.util",
    "java.util.concurrent",
    "java.util.concurrent.atomic",
    "jdk.internal.ref",
    "sun.nio.ch",
    "sun.nio.cs",
    "sun.security.action",
    "sun.util.calendar",
];

/// A running reference. It ends with this value.
#[derive(Debug)]
pub struct Reference {
    child: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
    scratch: PathBuf,
    /// Its name and version, as it says.
    pub name: String,
}

impl Reference {
    /// Starts it from the folder of its jars.
    ///
    /// # Errors
    /// There is no Java, or it does not come up.
    pub fn start(jars: &Path) -> Result<Self> {
        let scratch = std::env::temp_dir().join(format!("mergelab-reference-{}", std::process::id()));
        std::fs::create_dir_all(&scratch).with_context(|| format!("cannot make {}", scratch.display()))?;
        let program = scratch.join("Reference.java");
        std::fs::File::create(&program)?.write_all(PROGRAM.as_bytes())?;
        let mut java = Command::new("java");
        java.args(["-Xmx2g", "-XX:+UseSerialGC", "-Duser.timezone=UTC", "-Djdk.reflect.useDirectMethodHandle=false"]);
        java.arg(format!("-Djava.io.tmpdir={}", scratch.display()));
        java.args(OPENED.iter().map(|package| format!("--add-opens=java.base/{package}=ALL-UNNAMED")));
        java.arg("-cp").arg(jars.join("*")).arg(&program).arg(&scratch);
        java.current_dir(&scratch).stdin(Stdio::piped()).stdout(Stdio::piped());
        let log = std::fs::OpenOptions::new().create(true).append(true).open(scratch.join("log"))?;
        let mut child = java.stderr(log).spawn().context("cannot start java")?;
        let (requests, answers) = (child.stdin.take(), child.stdout.take());
        let (Some(requests), Some(answers)) = (requests, answers) else { bail!("java has no pipes") };
        let mut reference = Self { child, requests, answers: BufReader::new(answers), scratch, name: String::new() };
        let hello = reference.answer().context("the reference does not come up")?;
        reference.name = hello["ready"].as_str().context("the reference does not say what it is")?.to_owned();
        Ok(reference)
    }

    /// Sends a request and waits for its answer.
    ///
    /// # Errors
    /// The process ended, or the request made no sense to it.
    pub fn ask(&mut self, request: &Value) -> Result<Value> {
        writeln!(self.requests, "{request}").context("the reference ended")?;
        self.requests.flush()?;
        let answer = self.answer()?;
        if let Some(broken) = answer["broken"].as_str() {
            bail!("the reference could not answer {request}: {broken}");
        }
        Ok(answer)
    }

    fn answer(&mut self) -> Result<Value> {
        let mut line = String::new();
        if self.answers.read_line(&mut line)? == 0 {
            bail!("the reference ended; its last words are in {}", self.scratch.join("log").display());
        }
        serde_json::from_str(&line).with_context(|| format!("the reference answers `{line}`"))
    }
}

impl Drop for Reference {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.scratch);
    }
}
