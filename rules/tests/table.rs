//! The table tests itself: every test loops over the rows, so a row nobody checks cannot exist.

use rules::{Op, Value, check, rows};

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
                let floats = row.outputs.iter().filter(|output| matches!(output.value, Value::Float { .. })).count();
                assert!(floats == 0 || checked.partials > 0, "{} was not compared with anything", row.op.name());
            }
            Err(faults) => faults.iter().for_each(|fault| failures += &format!("{}: {fault}\n", row.op.name())),
        }
    }
    assert!(failures.is_empty(), "\n{failures}");
}
