//! Whether a commit that came second may follow the one that came first: the reference's conflict rules, in the
//! reference's order. Pure; who asks says what it has read.
//!
//! Open-source Delta knows one isolation level for changes of data, Serializable, and SnapshotIsolation for commits
//! that change none (OPTIMIZE, VACUUM).

use crate::actions::{Action, Add, Metadata, PartitionValues, Remove};
use crate::commit_info::CommitInfo;
use std::collections::BTreeSet;
use std::fmt;

/// What a transaction has read of its table: what another commit may invalidate.
#[derive(Clone, Default)]
pub struct Reads<'a> {
    pub rows: ReadRows<'a>,
    /// The `path` of every file that was read, as in its action.
    pub files: BTreeSet<String>,
    /// The applications whose last transaction was looked up.
    pub app_ids: BTreeSet<String>,
}

/// Which rows a transaction depends on.
#[derive(Clone, Copy, Default)]
pub enum ReadRows<'a> {
    /// None: a blind append.
    #[default]
    Nothing,
    /// All of them.
    WholeTable,
    /// Those of the partitions for which this is true.
    Partitions(&'a (dyn Fn(&PartitionValues) -> bool + Send + Sync)),
}

impl fmt::Debug for Reads<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = match self.rows {
            ReadRows::Nothing => "nothing",
            ReadRows::WholeTable => "the whole table",
            ReadRows::Partitions(_) => "some partitions",
        };
        f.debug_struct("Reads").field("rows", &rows).field("files", &self.files).finish_non_exhaustive()
    }
}

/// Why a commit cannot follow another.
#[derive(Debug, Clone, PartialEq)]
pub enum Refusal {
    /// Both change the protocol.
    ProtocolChanged,
    /// The first changed schema, partitioning or properties.
    MetadataChanged,
    /// Both write the same metadata domain, or the first wrote the application's progress that the second looked up.
    Transaction,
    /// The first added files that the second should have read.
    Append { partition: Option<PartitionValues> },
    /// The first removed a file that the second has read.
    DeleteRead { partition: Option<PartitionValues> },
    /// Both remove the same file.
    DeleteDelete { partition: Option<PartitionValues> },
}

impl Refusal {
    /// Delta's condition. Those about files tell whether a partition can be named.
    pub fn condition(&self) -> String {
        let (name, partition) = match self {
            Self::ProtocolChanged => return "DELTA_PROTOCOL_CHANGED".to_owned(),
            Self::MetadataChanged => return "DELTA_METADATA_CHANGED".to_owned(),
            Self::Transaction => return "DELTA_CONCURRENT_TRANSACTION".to_owned(),
            Self::Append { partition } => ("DELTA_CONCURRENT_APPEND", partition),
            Self::DeleteRead { partition } => ("DELTA_CONCURRENT_DELETE_READ", partition),
            Self::DeleteDelete { partition } => ("DELTA_CONCURRENT_DELETE_DELETE", partition),
        };
        let hint = if partition.is_some() { "WITH_PARTITION_HINT" } else { "WITHOUT_HINT" };
        format!("{name}.{hint}")
    }
}

/// All conflicts have it.
pub const SQLSTATE: &str = "2D521";

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (what, partition) = match self {
            Self::ProtocolChanged => return f.write_str("another commit changed the protocol of the table"),
            Self::MetadataChanged => {
                return f.write_str("another commit changed the schema, the partitioning or a property of the table");
            }
            Self::Transaction => return f.write_str("another commit wrote progress that this one depends on"),
            Self::Append { partition } => ("added files that this statement should have read", partition),
            Self::DeleteRead { partition } => ("removed a file that this statement has read", partition),
            Self::DeleteDelete { partition } => ("removed a file that this statement removes too", partition),
        };
        write!(f, "another commit {what}")?;
        match partition {
            Some(values) if !values.is_empty() => {
                let value = |(name, value): (&String, &Option<String>)| {
                    format!("{name}={}", value.as_deref().unwrap_or("NULL"))
                };
                write!(f, ", in the partition {}", values.iter().map(value).collect::<Vec<_>>().join("/"))
            }
            _ => Ok(()),
        }
    }
}

/// The commit that wants to follow.
#[derive(Debug, Clone)]
pub struct Loser<'a> {
    pub actions: &'a [Action],
    pub reads: &'a Reads<'a>,
    /// The metadata that it has read.
    pub metadata: &'a Metadata,
}

/// The commit that is there, one at a time.
#[derive(Debug, Clone, Copy)]
pub struct Winner<'a> {
    pub info: Option<&'a CommitInfo>,
    /// CommitInfo may be among them.
    pub actions: &'a [Action],
}

/// Checks one winner; `None` lets the loser follow it.
pub fn check(loser: &Loser<'_>, winner: &Winner<'_>) -> Option<Refusal> {
    let writes_protocol = |actions: &[Action]| actions.iter().any(|action| matches!(action, Action::Protocol(_)));
    if writes_protocol(winner.actions) && writes_protocol(loser.actions) {
        return Some(Refusal::ProtocolChanged);
    }
    let mut changes = winner.actions.iter().filter_map(|action| match action {
        Action::Metadata(metadata) => Some(metadata),
        _ => None,
    });
    if changes.any(|after| !is_harmless(loser.metadata, after)) {
        return Some(Refusal::MetadataChanged);
    }
    if shares_domain(loser, winner) || writes_looked_up_progress(loser, winner) {
        return Some(Refusal::Transaction);
    }
    added_unread(loser, winner).or_else(|| removed_read(loser, winner)).or_else(|| removed_twice(loser, winner))
}

/// Whether a commit changes no data: then files that others add do not matter to it.
pub fn changes_no_data(actions: &[Action]) -> bool {
    let is_rearrangement = |action: &Action| match action {
        Action::Add(add) => !add.data_change,
        Action::Remove(remove) => !remove.data_change,
        Action::AddCdcFile(_) | Action::CommitInfo(_) => true,
        Action::DomainMetadata(domain) => domain.domain == "delta.rowTracking",
        Action::Metadata(_) | Action::Protocol(_) | Action::Txn(_) => false,
    };
    actions.iter().all(is_rearrangement)
}

// Switching deletion vectors on changes nothing for a writer that knows them. Neither does the mark that an identity
// column has reached.
fn is_harmless(before: &Metadata, after: &Metadata) -> bool {
    const HARMLESS: &str = "delta.enableDeletionVectors";
    let rest = |metadata: &Metadata| {
        let mut rest = metadata.clone();
        rest.configuration.shift_remove(HARMLESS);
        rest
    };
    let (mut old, new) = (rest(before), rest(after));
    if old.schema_string != new.schema_string
        && without_high_water(&old.schema_string) == without_high_water(&new.schema_string)
    {
        old.schema_string.clone_from(&new.schema_string);
    }
    old.configuration.sort_keys();
    let mut new = new;
    new.configuration.sort_keys();
    old == new
}

fn without_high_water(schema: &str) -> Option<serde_json::Value> {
    fn strip(value: &mut serde_json::Value) {
        match value {
            serde_json::Value::Object(map) => {
                map.remove("delta.identity.highWaterMark");
                map.values_mut().for_each(strip);
            }
            serde_json::Value::Array(items) => items.iter_mut().for_each(strip),
            _ => {}
        }
    }
    let mut value = serde_json::from_str(schema).ok()?;
    strip(&mut value);
    Some(value)
}

fn shares_domain(loser: &Loser<'_>, winner: &Winner<'_>) -> bool {
    let domains = |actions: &[Action]| -> BTreeSet<String> {
        let domain = |action: &Action| match action {
            // Row tracking gives ids out anew on a retry.
            Action::DomainMetadata(domain) if domain.domain != "delta.rowTracking" => Some(domain.domain.clone()),
            _ => None,
        };
        actions.iter().filter_map(domain).collect()
    };
    !domains(loser.actions).is_disjoint(&domains(winner.actions))
}

fn writes_looked_up_progress(loser: &Loser<'_>, winner: &Winner<'_>) -> bool {
    winner.actions.iter().any(|action| matches!(action, Action::Txn(txn) if loser.reads.app_ids.contains(&txn.app_id)))
}

fn added_unread(loser: &Loser<'_>, winner: &Winner<'_>) -> Option<Refusal> {
    if changes_no_data(loser.actions) {
        return None;
    }
    let is_partitioned = !loser.metadata.partition_columns.is_empty();
    let is_read = |add: &Add| match loser.reads.rows {
        ReadRows::Nothing => false,
        ReadRows::WholeTable => true,
        ReadRows::Partitions(_) if !is_partitioned => true,
        ReadRows::Partitions(holds) => holds(&add.partition_values),
    };
    let mut added = winner.actions.iter().filter_map(|action| match action {
        Action::Add(add) => Some(add),
        _ => None,
    });
    let add = added.find(|add| is_read(add))?;
    Some(Refusal::Append { partition: hint(loser, Some(&add.partition_values)) })
}

fn removed_read(loser: &Loser<'_>, winner: &Winner<'_>) -> Option<Refusal> {
    let mut removed = removed_by(winner.actions);
    let whole = matches!(loser.reads.rows, ReadRows::WholeTable);
    let remove = removed.find(|remove| whole || loser.reads.files.contains(&remove.path))?;
    Some(Refusal::DeleteRead { partition: hint(loser, remove.partition_values.as_ref()) })
}

fn removed_twice(loser: &Loser<'_>, winner: &Winner<'_>) -> Option<Refusal> {
    let own: BTreeSet<&str> = removed_by(loser.actions).map(|remove| remove.path.as_str()).collect();
    let remove = removed_by(winner.actions).find(|remove| own.contains(remove.path.as_str()))?;
    Some(Refusal::DeleteDelete { partition: hint(loser, remove.partition_values.as_ref()) })
}

fn removed_by(actions: &[Action]) -> impl Iterator<Item = &Remove> {
    actions.iter().filter_map(|action| match action {
        Action::Remove(remove) => Some(remove),
        _ => None,
    })
}

fn hint(loser: &Loser<'_>, values: Option<&PartitionValues>) -> Option<PartitionValues> {
    if loser.metadata.partition_columns.is_empty() { None } else { Some(values.cloned().unwrap_or_default()) }
}
