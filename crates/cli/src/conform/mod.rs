//! Recorded cases of the reference, run on this engine and compared key by key.

mod bank;
mod case;
mod compare;
mod corrupt;
mod masks;
mod observe;
mod seeds;
mod skew;
mod variant;

pub use bank::{BankCase, judge as judge_bank};
pub use case::Case;
pub use compare::difference;
pub use corrupt::corrupted;
pub use observe::{Observed, Seen, run, run_with};
pub use seeds::{SeedCase, judge_seed};
pub use variant::{VARIANTS, Variant, judge_variant};

use anyhow::Result;

/// How a case went.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    Passed,
    /// What differs, one line per key.
    Failed(Vec<String>),
    /// The engine says by name that it does not do this yet. Counts as failed.
    NotSupported(String),
}

/// Runs one case and compares every key under its `expect`.
pub async fn judge(case: &Case) -> Verdict {
    match run(case).await {
        Err(error) => refused(&error.to_string()),
        Ok(mut observed) => {
            judge_observed(case, &mut observed).await.unwrap_or_else(|error| refused(&error.to_string()))
        }
    }
}

async fn judge_observed(case: &Case, observed: &mut Observed) -> Result<Verdict> {
    if let Some(problem) = observed.problem()
        && problem.condition == NOT_SUPPORTED
        && !case.expect.contains_key("error_class")
    {
        return Ok(Verdict::NotSupported(problem.message.clone()));
    }
    let mut wrong = Vec::new();
    if let Some(problem) = observed.problem()
        && !case.expect.contains_key("error_class")
        && !case.expect.contains_key("exception")
    {
        return Ok(Verdict::Failed(vec![format!("it fails: {problem}")]));
    }
    for (key, expected) in &case.expect {
        let text = match observed.see(case, key).await? {
            Seen::Unknown(why) => Some(why.to_owned()),
            Seen::Value(seen) => difference(key, expected, &seen, &case.expect),
        };
        wrong.extend(text.map(|text| format!("{key}: {text}")));
    }
    if wrong.is_empty() {
        return Ok(Verdict::Passed);
    }
    match observed.problem() {
        Some(problem) if problem.condition == NOT_SUPPORTED => Ok(Verdict::NotSupported(problem.message.clone())),
        _ => Ok(Verdict::Failed(wrong)),
    }
}

const NOT_SUPPORTED: &str = "MERGELAB_NOT_SUPPORTED_YET";

fn refused(text: &str) -> Verdict {
    if text.contains(NOT_SUPPORTED) || text.contains("does not run yet") {
        Verdict::NotSupported(text.to_owned())
    } else {
        Verdict::Failed(vec![text.to_owned()])
    }
}
