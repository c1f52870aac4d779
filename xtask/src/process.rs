//! Running other programs. Every failure names the command, so that a reader can run it alone.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

/// The command as a person would type it, without its environment.
pub(crate) fn shown(command: &Command) -> String {
    let mut text = command.get_program().to_string_lossy().into_owned();
    for arg in command.get_args() {
        text.push(' ');
        text.push_str(&arg.to_string_lossy());
    }
    text
}

/// Runs with the terminal's own input and output; fails when the program does.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("cannot start `{}`", shown(command)))?;
    if !status.success() {
        bail!("`{}` failed ({status})", shown(command));
    }
    Ok(())
}

/// Runs and gives back standard output; the error of a failing program is its own last words.
pub(crate) fn output(command: &mut Command) -> Result<String> {
    let output = command.output().with_context(|| format!("cannot start `{}`", shown(command)))?;
    if !output.status.success() {
        let words = String::from_utf8_lossy(&output.stderr);
        bail!("`{}` failed ({}): {}", shown(command), output.status, words.trim());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Runs and lends each line of standard output and standard error, in the order written.
/// Tells whether the program succeeded.
pub(crate) fn each_line(command: &mut Command, mut on_line: impl FnMut(&str)) -> Result<bool> {
    let (reader, writer) = std::io::pipe()?;
    let words = shown(command);
    let mut child = command
        .stdin(Stdio::null())
        .stdout(writer.try_clone()?)
        .stderr(writer)
        .spawn()
        .with_context(|| format!("cannot start `{words}`"))?;
    // The command still holds the writing ends: the pipe would never end.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    for line in BufReader::new(reader).split(b'\n') {
        on_line(String::from_utf8_lossy(&line?).trim_end_matches('\r'));
    }
    Ok(child.wait()?.success())
}

/// Runs and lends each line of standard output; standard error goes to the terminal.
/// Tells whether the program succeeded.
pub(crate) fn each_output_line(command: &mut Command, mut on_line: impl FnMut(&str)) -> Result<bool> {
    let words = shown(command);
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start `{words}`"))?;
    if let Some(stdout) = child.stdout.take() {
        for line in BufReader::new(stdout).lines() {
            on_line(&line?);
        }
    }
    Ok(child.wait()?.success())
}

/// The first of `names` that is a file in a folder of `PATH`.
pub(crate) fn which(names: &[&str]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    names.iter().find_map(|name| folders.iter().map(|folder| folder.join(name)).find(|file| file.is_file()))
}

/// What `program --version` prints, or nothing when it is not there or does not run.
pub(crate) fn version_of(program: &Path) -> Option<String> {
    output(Command::new(program).arg("--version")).ok()
}

/// A child process that ends with the value that holds it.
#[derive(Debug)]
pub(crate) struct Background(std::process::Child);

impl Background {
    /// Starts a program in silence.
    pub(crate) fn start(command: &mut Command) -> Result<Background> {
        let words = shown(command);
        let child = command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| format!("cannot start `{words}`"))?;
        Ok(Background(child))
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        // It may have ended by itself; then there is nothing to do.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_from_both_streams_in_order() {
        let mut lines = Vec::new();
        let mut shell = Command::new("sh");
        shell.args(["-c", "echo one; echo two >&2; echo three; exit 3"]);
        let succeeded = each_line(&mut shell, |line| lines.push(line.to_owned())).unwrap();
        assert_eq!(lines, ["one", "two", "three"]);
        assert!(!succeeded);
    }

    #[test]
    fn a_failure_names_the_command_and_its_last_words() {
        let mut shell = Command::new("sh");
        shell.args(["-c", "echo no room >&2; exit 1"]);
        let message = output(&mut shell).unwrap_err().to_string();
        assert!(message.contains("sh -c") && message.contains("no room"), "{message}");
    }
}
