//! `adj repro`: a row of the table with other tools beside it, and misuse.

mod support;

use serde_json::Value;
use support::run;

fn adj(arguments: &[&str]) -> support::Ended {
    run(&mut support::adj(arguments))
}

#[test]
fn a_row_is_measured_with_right_wrong_and_failing_tools_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    let json = folder.path().join("table.json").display().to_string();
    // The command itself is a tool that reads and writes IR; with a planted defect it is a wrong one.
    let own = env!("CARGO_BIN_EXE_adj");
    let (right, wrong) = (format!("right={own} opt"), format!("wrong={own} opt --fault wrong-sign"));
    let ended = adj(&[
        "repro",
        "table1",
        "--quick",
        "--bench",
        "hand",
        "--tools",
        "adol-c",
        "--peer",
        &right,
        "--peer",
        &wrong,
        "--peer",
        "failing=false",
        "--peer",
        "idle=cp --no-such-option",
        "--json",
        &json,
    ]);
    assert_eq!(ended.code, 0, "{}{}", ended.out, ended.err);
    for phrase in ["hand ", "ref/ours", "wrong: wrong gradient", "failing: cannot be built", "idle: cannot be built"] {
        assert!(ended.out.contains(phrase), "no `{phrase}` in\n{}", ended.out);
    }
    let table: Value = serde_json::from_str(&std::fs::read_to_string(&json).unwrap()).unwrap();
    let row = &table["rows"][0];
    assert_eq!((&row["bench"], &row["input"], &row["checked"]), (&"hand".into(), &192.into(), &true.into()));
    for time in ["primal_s", "adj_s", "ref_s", "hand_s", "tape_bytes", "max_ulp"] {
        assert!(row[time].as_f64().unwrap() > 0.0, "{time}");
    }
    assert!(row["peers"]["adol-c"].as_f64().unwrap() > row["adj_s"].as_f64().unwrap(), "{row}");
    assert!(row["peers"].get("sacado").is_none());
    assert!(row["peers"]["right"].as_f64().unwrap() > 0.0);
    // What is wrong is not timed.
    assert!(row["peers"]["wrong"].is_null() && row["peers"]["failing"].is_null() && row["peers"]["idle"].is_null());
    assert!(table["geomean"]["hand_per_ours"].as_f64().unwrap() > 0.0);
}

#[test]
fn misuse_is_told() {
    assert!(adj(&["repro", "list"]).out.contains("rk4"));
    let ended = adj(&["repro", "table1", "--bench", "lstn"]);
    assert!(ended.code == 2 && ended.err.contains("no program `lstn`"), "{}", ended.err);
    let ended = adj(&["repro", "table1", "--peer", "nameless"]);
    assert!(ended.code == 2 && ended.err.contains("NAME=COMMAND"), "{}", ended.err);
    let ended = adj(&["repro", "table1", "--tools", "adolc"]);
    assert!(ended.code == 2 && ended.err.contains("no tool `adolc`"), "{}", ended.err);
    let ended = adj(&["repro", "table1", "--peer", "ours=true"]);
    assert!(ended.code == 2 && ended.err.contains("two columns `ours`"), "{}", ended.err);
    assert_eq!(adj(&["repro", "table7"]).code, 2);
}
