//! `docs/json.md` names exactly the fields that a report has.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

type Fields = BTreeSet<String>;

/// The fields of each section of the page.
fn documented(page: &str) -> BTreeMap<String, Fields> {
    let mut sections: BTreeMap<String, Fields> = BTreeMap::new();
    let mut section = String::new();
    for line in page.lines() {
        if let Some(title) = line.strip_prefix("## ") {
            section = title.to_owned();
        } else if let Some(rest) = line.strip_prefix("| `") {
            let field = rest.split('`').next().unwrap_or_default();
            sections.entry(section.clone()).or_default().insert(field.to_owned());
        }
    }
    sections
}

/// Collects the fields of every object, under the section that describes it: `None` for a field of no object.
fn collect(section: &str, value: &Value, into: &mut BTreeMap<String, Fields>) {
    let part = |field: &str| match field {
        "levels" => Some("Level"),
        "ending" => Some("Ending"),
        "runs" => Some("Run"),
        "gradients" => Some("Gradient"),
        "unreached" | "position" | "call" => Some("Position"),
        "problems" | "finding" => Some("Finding"),
        "components" => Some("Component"),
        "accuracy" => Some("Accuracy"),
        "basis" => Some("Basis"),
        "notes" => Some("Note"),
        "native_calls" => Some("NativeCall"),
        "tape" => Some("Tape"),
        "lines" => Some("TapeLine"),
        _ => None,
    };
    match value {
        Value::Object(object) => {
            for (field, value) in object {
                into.entry(section.to_owned()).or_default().insert(field.clone());
                match part(field) {
                    Some(section) => collect(section, value, into),
                    None => {
                        assert!(!value.is_object(), "`{field}` of {section} is an object that no section describes")
                    }
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| collect(section, item, into)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Programs whose reports have every kind of object between them.
const PROGRAMS: [&str; 3] = [
    // A call that is not reached, a wrong gradient in a called function.
    r#"#include "adj.h"
static double f(double x) { return x * x; }
static double cubed(double x) { for (int i = 0; i < 2; i++) x *= x / (i + 1.0); return x; }
static double df(double x, double seed) { return x * seed; }
static void judge(double x) { __adj_check_gradient((void *)f, (void *)df, x, 1.0); }
int main(int argc, char **argv) {
  judge(3.0);
  if (argc > 5)
    judge(__enzyme_autodiff((void *)f, 2.0));
  return __enzyme_autodiff((void *)cubed, 2.0) != 16.0;
}"#,
    // Undefined behaviour below `main`.
    r#"#include <stdlib.h>
static double second(double *p) { free(p); return p[1]; }
int main(void) { return second(calloc(2, 8)) > 0.0; }"#,
    // Native code.
    r#"unsigned towctrans(unsigned letter, long how);
int main(void) { return towctrans('a', 0) != 'a'; }"#,
];

#[test]
fn the_page_and_the_reports_have_the_same_fields() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/json.md");
    let page = std::fs::read_to_string(path).expect("the page");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut seen = BTreeMap::new();
    for (index, program) in PROGRAMS.iter().enumerate() {
        let file = folder.path().join(format!("program{index}.c"));
        std::fs::write(&file, program).expect("a file");
        let report =
            adjudicate::check(&file).levels(["O0"]).tape(true).native_calls(&["libc.so.6"]).expect("the C library");
        let report = report.run().expect("a report");
        let json: Value = serde_json::from_str(&report.to_json()).expect("JSON");
        collect("Report", &json, &mut seen);
    }
    assert_eq!(documented(&page), seen);
}
