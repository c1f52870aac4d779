//! Debian's packages, where we may install them.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Result, bail};

use super::announce;
use crate::process;

/// Installs packages, or fails with the one sentence that tells a person what to do.
pub(super) fn install(packages: &[&str], why: &str) -> Result<()> {
    let names = packages.join(" ");
    if !Path::new("/usr/bin/apt-get").is_file() {
        bail!("{names} is missing ({why}): install it with this system's package manager, then run the command again");
    }
    let Some(prefix) = root_prefix() else {
        bail!("{names} is missing ({why}): run `sudo apt-get install -y {names}`, then run the command again");
    };
    announce(&format!("Debian's {names}"), why);
    // An old package list may name files that the mirror no longer has.
    process::output(&mut apt(prefix, &["update"]))?;
    let mut args = vec!["install", "-y", "--no-install-recommends"];
    args.extend(packages);
    process::output(&mut apt(prefix, &args))?;
    Ok(())
}

fn apt(prefix: &[&str], args: &[&str]) -> Command {
    let mut words = prefix.to_vec();
    words.extend(["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-q"]);
    words.extend(args);
    let mut command = Command::new(words[0]);
    command.args(&words[1..]).stdin(Stdio::null());
    command
}

/// What to put before a command so that it runs as root without asking; `None` where it would ask.
fn root_prefix() -> Option<&'static [&'static str]> {
    let user = process::output(Command::new("id").arg("-u")).ok()?;
    if user.trim() == "0" {
        return Some(&[]);
    }
    process::output(Command::new("sudo").args(["-n", "true"])).ok()?;
    Some(&["sudo", "-n"])
}
