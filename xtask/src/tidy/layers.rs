//! Which rooms of a crate may name which: folders are layers, and an arrow between layers has one direction.
//!
//! A room is a folder or a file of a crate's `src`. What it names of its own crate as `crate::ROOM` has to be in its
//! row, comments and tests apart. A room without a row may name anything: rows are added as rooms find their layer,
//! from the bottom up, and the rows themselves close no circle.

use super::Finding;
use super::lexer;

/// A room of a crate.
struct Room {
    krate: &'static str,
    /// Below `src`; a folder stands for all files in it that have no row of their own.
    room: &'static str,
    /// What it may name, besides itself.
    may_name: &'static [&'static str],
}

/// From the bottom up, as `ad/src/lib.rs` shows them.
const ROOMS: &[Room] = &[
    Room { krate: "ad", room: "error", may_name: &[] },
    Room { krate: "ad", room: "options", may_name: &[] },
    Room { krate: "ad", room: "mode", may_name: &[] },
    Room { krate: "ad", room: "base", may_name: &["error"] },
    Room { krate: "ad", room: "runtime", may_name: &["base"] },
    Room { krate: "ad", room: "program", may_name: &["error", "base", "runtime"] },
    Room { krate: "ad", room: "program/attributes", may_name: &["base"] },
    Room { krate: "ad", room: "program/call_graph", may_name: &["program/attributes"] },
    Room { krate: "ad", room: "program/cell", may_name: &[] },
    Room { krate: "ad", room: "request", may_name: &["error", "mode", "base", "program"] },
    Room { krate: "ad", room: "normalise", may_name: &["error", "base", "runtime", "program", "request"] },
    Room {
        krate: "ad",
        room: "analysis",
        may_name: &["error", "options", "mode", "base", "runtime", "program", "request", "normalise"],
    },
    Room {
        krate: "ad",
        room: "rewrite",
        may_name: &["error", "mode", "base", "runtime", "program", "request", "normalise", "analysis"],
    },
    Room {
        krate: "ad",
        room: "emit",
        may_name: &["error", "mode", "base", "runtime", "program", "request", "analysis"],
    },
    Room { krate: "ad", room: "plan", may_name: &["options", "base", "analysis"] },
    Room {
        krate: "ad",
        room: "check",
        // Data: of the analyses what they have found, of the planner what it has decided; and who may call whom.
        may_name: &[
            "error",
            "mode",
            "base",
            "runtime/substitute",
            "program",
            "normalise/collect",
            "normalise/sources",
            "analysis/analyses",
            "analysis/context",
            "analysis/wanted",
            "analysis/memory",
            "analysis/loops/counters",
            "analysis/recompute/recipe",
            "plan/data",
        ],
    },
    Room {
        krate: "ad",
        room: "restructure",
        may_name: &["error", "options", "mode", "base", "runtime", "program", "normalise", "analysis", "plan", "check"],
    },
    Room { krate: "ad", room: "optimise", may_name: &["mode", "base", "program", "emit"] },
    Room {
        krate: "ad",
        room: "reverse",
        may_name: &[
            "error",
            "options",
            "mode",
            "base",
            "runtime",
            "program",
            "request",
            "normalise",
            "analysis",
            "emit",
            "plan",
            "check",
            "optimise",
        ],
    },
    Room {
        krate: "ad",
        room: "forward",
        may_name: &[
            "error",
            "options",
            "mode",
            "base",
            "runtime",
            "program",
            "request",
            "normalise",
            "analysis",
            "emit",
        ],
    },
    Room {
        krate: "ad",
        room: "pipeline",
        may_name: &[
            "error",
            "options",
            "mode",
            "base",
            "runtime",
            "program",
            "request",
            "normalise",
            "analysis",
            "rewrite",
            "emit",
            "plan",
            "check",
            "restructure",
            "reverse",
            "forward",
            "optimise",
        ],
    },
    // The engine, as `interp/src/lib.rs` shows it: what it is made of, its state, and what executes.
    Room { krate: "interp", room: "errno", may_name: &[] },
    Room { krate: "interp", room: "forgets", may_name: &[] },
    Room { krate: "interp", room: "grid", may_name: &[] },
    Room { krate: "interp", room: "host", may_name: &[] },
    Room { krate: "interp", room: "intrinsics", may_name: &[] },
    Room { krate: "interp", room: "number", may_name: &[] },
    Room { krate: "interp", room: "outcome", may_name: &[] },
    Room { krate: "interp", room: "output", may_name: &[] },
    Room { krate: "interp", room: "access", may_name: &["errno", "outcome"] },
    Room { krate: "interp", room: "value", may_name: &["outcome"] },
    Room { krate: "interp", room: "bridge", may_name: &["outcome", "value"] },
    Room { krate: "interp", room: "code", may_name: &["host", "intrinsics", "value"] },
    Room { krate: "interp", room: "environment", may_name: &["code"] },
    Room { krate: "interp", room: "limits", may_name: &["access", "bridge"] },
    Room { krate: "interp", room: "thrown", may_name: &["outcome", "value"] },
    Room { krate: "interp", room: "shim_call", may_name: &["outcome", "value"] },
    Room { krate: "interp", room: "races", may_name: &["grid", "outcome"] },
    Room { krate: "interp", room: "memory", may_name: &["code", "outcome", "races", "value"] },
    Room { krate: "interp", room: "threads", may_name: &["environment", "memory", "outcome", "thrown", "value"] },
    Room { krate: "interp", room: "link", may_name: &["memory", "outcome", "value"] },
    Room {
        krate: "interp",
        room: "lower",
        may_name: &["code", "grid", "host", "intrinsics", "link", "number", "value"],
    },
    Room {
        krate: "interp",
        room: "program",
        may_name: &["code", "grid", "link", "lower", "memory", "outcome", "value"],
    },
    Room {
        krate: "interp",
        room: "machine",
        may_name: &["forgets", "limits", "memory", "outcome", "output", "program", "value"],
    },
    Room {
        krate: "interp",
        room: "engine",
        may_name: &[
            "code",
            "environment",
            "limits",
            "machine",
            "memory",
            "outcome",
            "output",
            "program",
            "shim_call",
            "threads",
            "thrown",
            "value",
        ],
    },
    Room {
        krate: "interp",
        room: "library",
        may_name: &["engine", "machine", "memory", "outcome", "shim_call", "value"],
    },
    Room { krate: "interp", room: "sync", may_name: &["engine", "machine", "value"] },
    Room {
        krate: "interp",
        room: "unwind",
        may_name: &[
            "engine",
            "library",
            "machine",
            "memory",
            "outcome",
            "output",
            "shim_call",
            "sync",
            "thrown",
            "value",
        ],
    },
    Room {
        krate: "interp",
        room: "exec",
        may_name: &[
            "bridge",
            "code",
            "engine",
            "environment",
            "forgets",
            "grid",
            "host",
            "intrinsics",
            "library",
            "limits",
            "machine",
            "memory",
            "outcome",
            "program",
            "races",
            "shim_call",
            "threads",
            "thrown",
            "unwind",
            "value",
        ],
    },
    // The libraries, which the engine may not name, and the machines.
    Room {
        krate: "interp",
        room: "shims",
        may_name: &[
            "access",
            "code",
            "engine",
            "environment",
            "errno",
            "exec",
            "forgets",
            "grid",
            "library",
            "limits",
            "link",
            "machine",
            "memory",
            "number",
            "outcome",
            "output",
            "program",
            "races",
            "shim_call",
            "sync",
            "threads",
            "thrown",
            "unwind",
            "value",
        ],
    },
    Room {
        krate: "interp",
        room: "machines",
        may_name: &["forgets", "limits", "machine", "memory", "number", "outcome", "program", "shims", "value"],
    },
];

/// Checks one file.
pub fn check(path: &str, text: &str) -> Vec<Finding> {
    let Some((krate, file)) = path.split_once("/src/") else { return Vec::new() };
    let file = file.trim_end_matches(".rs").trim_end_matches("/mod");
    let Some(room) = room(krate, file) else { return Vec::new() };
    let mut findings = Vec::new();
    for (line, named) in named_in(text, file) {
        let may = |may: &&str| is_within(&named, may);
        if !is_within(&named, room.room) && !room.may_name.iter().any(may) {
            let message = format!("`{}` may not name `{named}`: an arrow between layers has one direction", room.room);
            findings.push(Finding::new(path, line, message));
        }
    }
    findings
}

/// What a file names of its own crate, comments and tests apart, by line.
pub fn named_in(text: &str, file: &str) -> Vec<(usize, String)> {
    let code = code_of(text);
    named(&code, file).into_iter().map(|(at, named)| (code[..at].matches('\n').count() + 1, named)).collect()
}

/// The code of a file, comments and tests apart, line by line.
pub fn code_of(text: &str) -> String {
    let source = lexer::split(text);
    let lines = source.code.iter().zip(&source.in_tests).map(|(line, in_tests)| if *in_tests { "" } else { line });
    lines.collect::<Vec<&str>>().join("\n")
}

/// The row of a file: its own, or that of a folder around it.
fn room(krate: &str, file: &str) -> Option<&'static Room> {
    let rows = ROOMS.iter().filter(|row| row.krate == krate && is_within(file, row.room));
    rows.max_by_key(|row| row.room.len())
}

/// Is a path, of a file or in code, that room or in it?
fn is_within(path: &str, room: &str) -> bool {
    path.strip_prefix(room).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// What the code of a file names of its own crate, by `crate::` and `super::`, and where: paths of modules with `/`.
fn named(code: &str, file: &str) -> Vec<(usize, String)> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let mut out = Vec::new();
    for root in ["crate::", "super::"] {
        for (at, _) in code.match_indices(root) {
            // Not the end of a name, nor a step of a path that began before.
            let before = code[..at].trim_end();
            if before.ends_with(is_name) && before.len() == at || before.ends_with("::") {
                continue;
            }
            let mut rest = &code[at..];
            let mut base: Vec<&str> = file.split('/').collect();
            while let Some(deeper) = rest.strip_prefix("super::") {
                base.pop();
                rest = deeper;
            }
            if let Some(from_root) = rest.strip_prefix("crate::") {
                base.clear();
                rest = from_root;
            }
            let base: Vec<String> = base.into_iter().map(str::to_owned).collect();
            tree(rest, &base, &mut |path| {
                out.push((at, if path.is_empty() { "lib".to_owned() } else { path.join("/") }))
            });
        }
    }
    out.dedup();
    out
}

/// The modules that a path leads to, or a group of paths in braces: lower-case segments, of which the last may be a
/// function. Returns what follows.
fn tree<'a>(text: &'a str, base: &[String], found: &mut dyn FnMut(&[String])) -> &'a str {
    let text = text.trim_start();
    if let Some(mut rest) = text.strip_prefix('{') {
        loop {
            rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == ',');
            match rest.strip_prefix('}') {
                Some(after) => return after,
                None if rest.is_empty() => return rest,
                None => {}
            }
            let after = tree(rest, base, found);
            // What is no path ends the group.
            rest = if after.len() == rest.len() { "" } else { after };
        }
    }
    let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(text.len());
    let (segment, rest) = text.split_at(end);
    let is_module = segment.starts_with(|c: char| c.is_ascii_lowercase()) && segment != "self";
    let mut path = base.to_vec();
    if is_module {
        path.push(segment.to_owned());
    }
    match rest.strip_prefix("::") {
        Some(deeper) if is_module => tree(deeper, &path, found),
        _ => {
            found(&path);
            // Another name for it.
            let rest = rest.trim_start_matches("::");
            rest.strip_prefix(" as ")
                .map_or(rest, |name| name.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_'))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(path: &str, text: &str) -> Vec<String> {
        check(path, text).iter().map(Finding::to_string).collect()
    }

    #[test]
    fn an_arrow_that_goes_down_passes() {
        assert_eq!(messages("ad/src/base/regions.rs", "use crate::error::Diagnostic;\n"), [""; 0]);
        assert_eq!(messages("ad/src/base/regions.rs", "use crate::base::names::unique;\n"), [""; 0]);
        assert_eq!(messages("ad/src/program/call_graph.rs", "use crate::program::attributes::gradient;\n"), [""; 0]);
    }

    #[test]
    fn an_arrow_that_is_turned_is_found() {
        assert_eq!(
            messages("ad/src/base/names.rs", "use ir::Module;\nuse crate::memory::Facts;\n"),
            ["ad/src/base/names.rs:2: `base` may not name `memory`: an arrow between layers has one direction"]
        );
        assert_eq!(messages("ad/src/error.rs", "fn f() { crate::request::is_entry_point(\"\") }\n").len(), 1);
        assert_eq!(messages("ad/src/program/cell.rs", "use crate::program::externals::External;\n").len(), 1);
    }

    #[test]
    fn groups_and_paths_from_the_room_above_hide_nothing() {
        let group = "use crate::{\n    error::{Diagnostic, Reason},\n    memory::{self, Facts},\n};\n";
        assert_eq!(
            messages("ad/src/base/names.rs", group),
            ["ad/src/base/names.rs:1: `base` may not name `memory`: an arrow between layers has one direction"]
        );
        assert_eq!(messages("ad/src/base/names.rs", "use super::regions::Shape;\n"), [""; 0]);
        assert_eq!(messages("ad/src/base/names.rs", "use super::super::plan::Plan;\n").len(), 1);
        assert_eq!(messages("ad/src/program/cell.rs", "use super::externals::External;\n").len(), 1);
        assert_eq!(messages("ad/src/mode.rs", "use crate::model::Model;\n").len(), 1);
        assert_eq!(
            messages("ad/src/base/names.rs", "use crate::error as e;\nuse crate::Options;\n"),
            ["ad/src/base/names.rs:2: `base` may not name `lib`: an arrow between layers has one direction"]
        );
    }

    #[test]
    fn comments_tests_and_rooms_without_a_row_are_free() {
        assert_eq!(messages("ad/src/options.rs", "/// See [`crate::plan`].\nstruct S;\n"), [""; 0]);
        assert_eq!(
            messages("ad/src/mode.rs", "#[cfg(test)]\nmod tests {\n    use crate::memory::Facts;\n}\n"),
            [""; 0]
        );
        assert_eq!(messages("ad/src/lib.rs", "use crate::plan::data::Plan;\n"), [""; 0]);
    }

    #[test]
    fn the_rows_close_no_circle() {
        let mut done: Vec<&Room> = Vec::new();
        while done.len() < ROOMS.len() {
            let is_done = |krate: &str, name: &str| {
                done.iter().any(|d| d.krate == krate && (is_within(d.room, name) || is_within(name, d.room)))
            };
            let placed = |room: &&Room| room.may_name.iter().all(|name| is_done(room.krate, name));
            let is_new = |room: &&Room| !done.iter().any(|d| std::ptr::eq(*d, *room));
            let next = ROOMS.iter().filter(is_new).find(placed);
            done.push(next.expect("a room whose arrows lead to rooms that are placed"));
        }
    }
}
