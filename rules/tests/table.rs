//! The table tests itself: every test loops over the rows, so a row nobody checks cannot exist.

use rules::{Op, check, lookup, rows};
use std::collections::HashMap;

#[test]
fn every_operation_has_exactly_one_row() {
    assert_eq!(rows().len(), Op::ALL.len());
    for (&op, row) in Op::ALL.iter().zip(rows()) {
        assert_eq!(row.op, op, "{} has no row or two", op.name());
        assert!(std::ptr::eq(op.row(), row));
    }
}

#[test]
fn every_row_is_right() {
    let mut failures = String::new();
    for row in rows() {
        match check(row) {
            Ok(checked) => {
                let partials: usize = (0..row.outputs.len()).map(|output| row.partials(output).len()).sum();
                let points: usize = row.conventions.iter().map(|convention| convention.points.len()).sum();
                assert!(checked.partials >= 8 * partials, "{}: {checked:?}", row.op.name());
                assert_eq!(checked.conventions, 2 * points, "{}", row.op.name());
            }
            Err(faults) => faults.iter().for_each(|fault| failures += &format!("{}: {fault}\n", row.op.name())),
        }
    }
    assert!(failures.is_empty(), "\n{failures}");
}

#[test]
fn spellings_are_unique_and_found() {
    let mut owners = HashMap::new();
    for row in rows() {
        for (name, width) in row.spellings() {
            assert_eq!(owners.insert(name.clone(), row.op), None, "{name} stands for two operations");
            let found = lookup(&name).unwrap_or_else(|| panic!("{name} is not found"));
            assert_eq!((found.row.op, found.width, found.lanes), (row.op, width, None));
        }
        for name in row.symbols.intrinsics {
            assert_eq!(owners.insert(name.to_string(), row.op), None, "{name} stands for two operations");
        }
    }
}
