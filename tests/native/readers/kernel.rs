//! Reading our tables with delta_kernel.

use super::dump::{Dumped, tables};
use arrow::record_batch::RecordBatch;
use cli::value::{rows, sorted};
use delta::storage::Storage;
use delta_kernel::Snapshot;
use delta_kernel::engine::arrow_data::ArrowEngineData;
use delta_kernel::object_store::memory::InMemory as Objects;
use delta_kernel::object_store::path::Path;
use delta_kernel::object_store::{ObjectStoreExt, PutPayload};
use delta_kernel_default_engine::DefaultEngine;
use host::block_on;
use serde_json::Value;
use std::sync::Arc;

fn copied(table: &Dumped) -> Arc<Objects> {
    let objects = Objects::new();
    for file in table.store.files().iter().filter(|file| file.path.starts_with(&table.root)) {
        let bytes = block_on(table.store.get(&file.path)).unwrap();
        // The path is taken as it is: `parse` does not decode or encode it again.
        let path = Path::parse(&file.path).unwrap();
        block_on(objects.put(&path, PutPayload::from_bytes(bytes))).unwrap();
    }
    Arc::new(objects)
}

pub(super) fn read(objects: &Arc<Objects>, root: &str, version: u64) -> Vec<Value> {
    let store: Arc<delta_kernel::object_store::DynObjectStore> = objects.clone();
    let engine = Arc::new(DefaultEngine::builder(store).build());
    let snapshot =
        Snapshot::builder_for(format!("memory:///{root}/")).at_version(version).build(engine.as_ref()).unwrap();
    let scan = snapshot.scan_builder().build().unwrap();
    let batches: Vec<RecordBatch> = scan
        .execute(engine)
        .unwrap()
        .map(|data| RecordBatch::from(ArrowEngineData::try_from_engine_data(data.unwrap()).unwrap()))
        .collect();
    sorted(&rows(&batches).unwrap())
}

#[test]
fn delta_kernel_reads_every_version_of_every_table() {
    let (tables, refused) = tables();
    let mut n_versions = 0;
    for table in &tables {
        let objects = copied(table);
        for (version, ours) in table.versions.iter().enumerate() {
            let theirs = read(&objects, &table.root, version as u64);
            assert_eq!(&theirs, ours, "{} {} version {version}", table.case, table.root);
            n_versions += 1;
        }
    }
    println!("delta_kernel read {n_versions} versions of {} tables; {refused} cases do not run here", tables.len());
    assert!(tables.len() > 500 && n_versions > 1_500);
}
