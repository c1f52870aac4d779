//! Peak memory of a process, where the kernel tells it (Linux).

use std::fs;
use std::path::Path;

/// The most memory that a process held at once since [`forget_peak`], in bytes. None where the system does not say.
pub fn peak(process: &str) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

/// Starts the peak of a process anew. Where the system refuses, peaks stay those of the whole run.
pub fn forget_peak(process: &str) {
    // 5 is the kernel's word for it.
    let _ = fs::write(format!("/proc/{process}/clear_refs"), "5");
}

/// The processes below `ancestor` that draw pages and run their scripts and workers.
pub fn renderers(ancestor: u64) -> Vec<String> {
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
    let processes: Vec<u64> =
        entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<u64>().ok()).collect();
    let is_renderer = |process: &u64| {
        let words = fs::read(format!("/proc/{process}/cmdline")).unwrap_or_default();
        words.windows(RENDERER.len()).any(|window| window == RENDERER) && is_below(*process, ancestor)
    };
    processes.into_iter().filter(is_renderer).map(|process| process.to_string()).collect()
}

const RENDERER: &[u8] = b"--type=renderer";

fn is_below(process: u64, ancestor: u64) -> bool {
    let mut current = process;
    while let Some(parent) = parent(current) {
        if parent == ancestor {
            return true;
        }
        current = parent;
    }
    false
}

fn parent(process: u64) -> Option<u64> {
    let status = fs::read_to_string(Path::new("/proc").join(process.to_string()).join("status")).ok()?;
    status.lines().find_map(|line| line.strip_prefix("PPid:"))?.trim().parse().ok().filter(|parent| *parent > 0)
}
