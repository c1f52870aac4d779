//! The reference: the published Delta Lake and Spark, through Maven. Nothing of it is built or shipped.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::{announce, debian};
use crate::process;
use crate::workspace::{Workspace, cache};

/// The folder of its jars, fetched once into the cache. `MERGELAB_REFERENCE` names one that is used as it is.
pub(crate) fn reference(workspace: &Workspace) -> Result<PathBuf> {
    java()?;
    if let Some(chosen) = std::env::var_os("MERGELAB_REFERENCE") {
        return Ok(PathBuf::from(chosen));
    }
    let pom = workspace.root.join("crates/testkit/reference/pom.xml");
    let text = std::fs::read_to_string(&pom).with_context(|| format!("cannot read {}", pom.display()))?;
    let folder = cache()?.join("reference").join(folder_name(&text)?);
    let (jars, whole) = (folder.join("jars"), folder.join("whole"));
    if whole.is_file() {
        return Ok(jars);
    }
    let maven = match process::which(&["mvn"]) {
        Some(found) => found,
        None => {
            debian::install(&["maven"], "the reference is published for Maven")?;
            process::which(&["mvn"]).context("maven was installed, but is not in PATH")?
        }
    };
    announce("the reference, some 300 MB", "its answers are what ours are compared with");
    let mut fetch = Command::new(maven);
    fetch.args(["--quiet", "--batch-mode", "--file"]).arg(&pom).arg("dependency:copy-dependencies");
    fetch.arg("-DincludeScope=runtime").arg(format!("-DoutputDirectory={}", jars.display()));
    process::run(&mut fetch)?;
    std::fs::write(&whole, "")?;
    Ok(jars)
}

/// Spark runs on Java 17 or 21.
fn java() -> Result<()> {
    if process::which(&["java"]).is_none() {
        debian::install(&["openjdk-17-jdk-headless"], "the reference runs on Java")?;
    }
    let words = process::output(Command::new("java").args(["--version"]))?;
    let version = words.split_whitespace().nth(1).unwrap_or_default();
    if !["17.", "21."].iter().any(|fit| version.starts_with(fit)) {
        bail!("the reference runs on Java 17 or 21; this is {version}");
    }
    Ok(())
}

/// `delta-4.4.0-spark-4.0.1`, from the versions that the file asks for.
fn folder_name(pom: &str) -> Result<String> {
    let version_of = |artifact: &str| {
        let behind = pom.split_once(&format!("<artifactId>{artifact}"))?.1;
        Some(behind.split_once("<version>")?.1.split_once("</version>")?.0.to_owned())
    };
    let (delta, spark) = version_of("delta-spark").zip(version_of("spark-sql")).context("pom.xml lacks a version")?;
    Ok(format!("delta-{delta}-spark-{spark}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_is_named_by_the_versions() {
        let pom = include_str!("../../../crates/testkit/reference/pom.xml");
        let name = folder_name(pom).unwrap();
        assert!(name.starts_with("delta-4.") && name.contains("-spark-4."), "{name}");
    }
}
