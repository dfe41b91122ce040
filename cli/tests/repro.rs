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
    let out = folder.path().join("out").display().to_string();
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
        "--out",
        &out,
    ]);
    assert_eq!(ended.code, 0, "{}{}", ended.out, ended.err);
    for phrase in ["hand ", "ref/ours", "wrong: wrong gradient", "failing: cannot be built", "idle: cannot be built"] {
        assert!(ended.out.contains(phrase), "no `{phrase}` in\n{}", ended.out);
    }
    let read = |ending: &str| std::fs::read_to_string(format!("{out}/table1.{ending}")).unwrap();
    let table: Value = serde_json::from_str(&read("json")).unwrap();
    // A line for each input under one of names.
    let csv = read("csv");
    assert_eq!(csv.lines().count(), 2, "{csv}");
    assert!(csv.starts_with("bench,input,primal_s,adj_s,ref_s,hand_s,adol-c_s,"), "{csv}");
    for phrase in ["gradient time / primal time", "adol-c", "right"] {
        assert!(read("svg").contains(phrase), "no `{phrase}` in the drawing");
    }
    for phrase in ["4.2 times", "<svg", "<td>hand</td>", "wrong: wrong gradient"] {
        assert!(read("html").contains(phrase), "no `{phrase}` in the page");
    }
    assert_eq!(&std::fs::read(folder.path().join("out/table1.png")).unwrap()[1..4], b"PNG");
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
    let list = adj(&["repro", "list"]).out;
    assert!(
        ["rk4", "figure1 ", "figure7 ", "figure10", "ablation", "sc22"].iter().all(|name| list.contains(name)),
        "{list}"
    );
    for what in ["table1", "figure1", "figure7", "figure10", "ablation", "sc22"] {
        // Told at once, not after the measurement.
        let ended = adj(&["repro", what, "--png", "/no/such/folder/a.png"]);
        assert!(ended.code == 2 && ended.err.contains("no folder /no/such/folder"), "{}", ended.err);
    }
    let ended = adj(&["repro", "ablation", "--bench", "lstn"]);
    assert!(ended.code == 2 && ended.err.contains("no program `lstn`"), "{}", ended.err);
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

#[test]
fn benchmarks_are_listed_and_run() {
    let list = adj(&["bench", "--list"]);
    assert!(list.code == 0 && ["import", "synthesis", "gradient", "rk4"].iter().all(|name| list.out.contains(name)));
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().display().to_string();
    let ended = adj(&["bench", "synthesis/bruss", "--seconds", "0.05", "--out", &out]);
    assert!(ended.code == 0 && ended.out.contains("synthesis/bruss"), "{}{}", ended.out, ended.err);
    let ended = adj(&["bench", "nothing", "--out", &out]);
    assert!(ended.code == 2 && ended.err.contains("no benchmark has `nothing`"), "{}", ended.err);
    assert_eq!(adj(&["bench", "--seconds", "0"]).code, 2);
}
