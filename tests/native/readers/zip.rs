//! A downloaded zip opens elsewhere: delta_kernel and delta-rs read every version of the table in it.

use super::kernel::read;
use super::rust::python;
use delta_kernel::object_store::memory::InMemory as Objects;
use delta_kernel::object_store::path::Path;
use delta_kernel::object_store::{ObjectStoreExt, PutPayload};
use host::{Host, block_on, unpack};
use protocol::{ReplyBody, Request};
use std::process::Command;
use std::sync::Arc;

const STATEMENTS: &str = "CREATE TABLE t (k INT, p STRING) USING DELTA PARTITIONED BY (p)
    TBLPROPERTIES ('delta.enableDeletionVectors' = 'true');
    INSERT INTO t VALUES (1, 'a b'), (2, 'c/d'), (3, NULL);
    MERGE INTO t USING (SELECT 2 AS k, 'c/d' AS p UNION ALL SELECT 9, 'new') AS s ON t.k = s.k
    WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT *;
    UPDATE t SET k = k + 1 WHERE p = 'a b'";
/// Rows at each version.
const ROWS: [usize; 4] = [0, 3, 3, 3];

/// Prints the number of rows at each version of the table in a zip.
const SCRIPT: &str = "import sys, tempfile, zipfile, pyarrow
from deltalake import DeltaTable, QueryBuilder
folder = tempfile.mkdtemp()
archive = zipfile.ZipFile(sys.argv[1])
assert archive.testzip() is None
archive.extractall(folder)
def n_rows(version):
    query = QueryBuilder().register('t', DeltaTable(folder + '/t', version=version)).execute('SELECT * FROM t')
    return pyarrow.table(query.read_all()).num_rows
print([n_rows(version) for version in range(int(sys.argv[2]))])";

fn zip() -> Vec<u8> {
    let mut host = Host::new("t");
    let request = Request::Play { steps: Vec::new(), text: STATEMENTS.to_owned() };
    let ReplyBody::Ran(report) = block_on(host.handle(request, &mut |_| ())) else { panic!("a report") };
    assert!(report.statements.iter().all(|statement| statement.error.is_none()), "{report:?}");
    block_on(host.zip("t")).unwrap()
}

#[test]
fn delta_kernel_reads_a_downloaded_zip() {
    let objects = Arc::new(Objects::new());
    for entry in unpack(&zip()).unwrap() {
        let path = Path::parse(&entry.path).unwrap();
        block_on(objects.put(&path, PutPayload::from(entry.bytes))).unwrap();
    }
    for (version, expected) in ROWS.into_iter().enumerate() {
        assert_eq!(read(&objects, "t", version as u64).len(), expected, "version {version}");
    }
}

#[test]
fn delta_rs_reads_a_downloaded_zip() {
    let Some(python) = python() else {
        assert!(std::env::var("CI").is_err(), "CI has no Python with `deltalake`");
        println!("no Python with the package `deltalake` is here (cargo xtask test installs one)");
        return;
    };
    let file = std::env::temp_dir().join(format!("mergelab-zip-{}.zip", std::process::id()));
    std::fs::write(&file, zip()).unwrap();
    let output = Command::new(python).args(["-c", SCRIPT]).arg(&file).arg(ROWS.len().to_string()).output().unwrap();
    std::fs::remove_file(&file).unwrap();
    let told = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert_eq!(told.trim(), format!("{ROWS:?}"), "{told}");
}
