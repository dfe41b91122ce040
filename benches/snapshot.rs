//! Snapshot and restore: one object of 1 GiB, all written, of which 1 MiB is changed between the two, in a row or in
//! 256 places.
//!
//! What is measured is all three: the snapshot, the writes (which copy what is shared), and going back. That the old
//! contents are back is checked first.

use criterion::{Criterion, criterion_group, criterion_main};
use interp::{AllocKind, HeapKind, Memory, Pointer, Scalar};
use std::hint::black_box;

const SIZE: u64 = 1 << 30;
const CHANGED: u64 = 1 << 20;

/// Writes to `places` runs of bytes, [`CHANGED`] bytes in all.
fn change(memory: &mut Memory, object: Pointer, places: u64) {
    for place in 0..places {
        let at = object.offset((place * (SIZE / places)) as i64);
        memory.fill(at, Scalar::word(2), CHANGED / places).expect("it may be written");
    }
}

fn cycle(memory: &mut Memory, object: Pointer, places: u64) {
    let before = memory.clone();
    change(memory, object, places);
    *memory = before;
}

fn snapshot(c: &mut Criterion) {
    let mut memory: Memory = Memory::new(2 * SIZE);
    let object = memory.allocate(SIZE, 16, AllocKind::Heap(HeapKind::Malloc), None).expect("there is room");
    memory.fill(object, Scalar::word(1), SIZE).expect("it may be written");
    let mut group = c.benchmark_group("snapshot");
    group.sample_size(20);
    for places in [1, 256] {
        cycle(&mut memory, object, places);
        for place in 0..places {
            let bytes = memory.read_bytes(object.offset((place * (SIZE / places)) as i64), CHANGED / places);
            assert!(bytes.expect("it is written").iter().all(|byte| *byte == 1), "what was there is not back");
        }
        let name = format!("1 GiB, 1 MiB changed in {places} places");
        group.bench_function(name, |b| b.iter(|| cycle(black_box(&mut memory), object, places)));
    }
    group.finish();
}

criterion_group!(benches, snapshot);
criterion_main!(benches);
