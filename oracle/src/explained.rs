//! Decisions of the differentiation beside the lines of the source that they are about.

use ad::explain::{Decision, Explained};
use std::collections::HashMap;
use std::fmt::Write;

/// Sources read so far: the lines of each file, none of one that cannot be read.
#[derive(Default)]
struct Sources(HashMap<String, Vec<String>>);

impl Sources {
    fn line(&mut self, file: &str, line: u32) -> Option<&str> {
        let read = |path: &String| {
            std::fs::read_to_string(path).map(|t| t.lines().map(str::to_owned).collect()).unwrap_or_default()
        };
        let lines = self.0.entry(file.to_owned()).or_insert_with_key(read);
        lines.get((line as usize).checked_sub(1)?).map(|text| text.trim())
    }
}

/// All functions, each instruction under its source line: `+` is active, `-` is not.
pub fn text(functions: &[Explained]) -> String {
    let (mut out, mut sources) = (String::new(), Sources::default());
    for function in functions {
        let how = if function.differentiated {
            "has a derivative"
        } else {
            "has no derivative: nothing active goes through it"
        };
        let _ = writeln!(out, "`{}` {how}", function.name);
        if let Some(why) = &function.unproved {
            let _ = writeln!(out, "  more is kept than planned, because this was not proved: {why}");
        }
        let mut last = None;
        for decision in function.decisions.iter().filter(|_| function.differentiated) {
            let place = decision.loc.as_ref().map(|loc| (loc.file.clone(), loc.line));
            if place.is_some() && place != last {
                let (file, line) = place.clone().unwrap_or_default();
                let source = sources.line(&file, line).unwrap_or_default();
                let _ = writeln!(out, "  {line:>5} | {source}");
                last = place;
            }
            one(&mut out, decision);
        }
        out.push('\n');
    }
    out
}

fn one(out: &mut String, decision: &Decision) {
    let mark = if decision.active { '+' } else { '-' };
    // Metadata says nothing here.
    let text = decision.text.split(", !").next().unwrap_or_default();
    let _ = writeln!(out, "        {mark} {text}");
    let _ = writeln!(out, "            {}", decision.why);
    for fate in &decision.fate {
        let _ = writeln!(out, "            {fate}");
    }
}
