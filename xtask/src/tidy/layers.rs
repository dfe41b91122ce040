//! Which rooms of a crate may name which: folders are layers, and an arrow between layers has one direction.
//!
//! A room is a folder or a file of a crate's `src`. What it names of its own crate as `crate::ROOM` has to be in its row,
//! comments and tests apart. A room without a row may name anything: rows are added as rooms find their layer, from
//! the bottom up, and the rows themselves close no circle.

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

const ROOMS: &[Room] = &[
    Room { krate: "ad", room: "error", may_name: &[] },
    Room { krate: "ad", room: "options", may_name: &[] },
    Room { krate: "ad", room: "mode", may_name: &[] },
    Room { krate: "ad", room: "base", may_name: &["error"] },
    Room { krate: "ad", room: "runtime", may_name: &["base"] },
    Room { krate: "ad", room: "program/attributes", may_name: &[] },
    Room { krate: "ad", room: "program/call_graph", may_name: &["program/attributes"] },
    Room { krate: "ad", room: "program/cell", may_name: &[] },
];

/// Checks one file.
pub fn check(path: &str, text: &str) -> Vec<Finding> {
    let Some((krate, file)) = path.split_once("/src/") else { return Vec::new() };
    let Some(room) = room(krate, file.trim_end_matches(".rs")) else { return Vec::new() };
    let source = lexer::split(text);
    let mut findings = Vec::new();
    for (number, (line, in_tests)) in source.code.iter().zip(&source.in_tests).enumerate() {
        for named in named(line).filter(|_| !in_tests) {
            let own = named.starts_with(room.room);
            if !own && !room.may_name.iter().any(|may| is_within(&named, may)) {
                let message =
                    format!("`{}` may not name `{named}`: an arrow between layers has one direction", room.room);
                findings.push(Finding::new(path, number + 1, message));
            }
        }
    }
    findings
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

/// What a line names of its own crate, as paths with `/`: lower-case segments alone, which are modules.
fn named(line: &str) -> impl Iterator<Item = String> + '_ {
    line.match_indices("crate::").filter_map(|(at, start)| {
        // `$crate::` and names that end so are none.
        let before = line[..at].chars().next_back();
        let rest = &line[at + start.len()..];
        let segments =
            rest.split("::").map(|s| s.split(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or(""));
        let modules: Vec<&str> = segments.take_while(|s| s.starts_with(|c: char| c.is_ascii_lowercase())).collect();
        let whole = !before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '$');
        (whole && !modules.is_empty()).then(|| modules.join("/"))
    })
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
    fn comments_tests_and_rooms_without_a_row_are_free() {
        assert_eq!(messages("ad/src/options.rs", "/// See [`crate::plan`].\nstruct S;\n"), [""; 0]);
        assert_eq!(
            messages("ad/src/mode.rs", "#[cfg(test)]\nmod tests {\n    use crate::memory::Facts;\n}\n"),
            [""; 0]
        );
        assert_eq!(messages("ad/src/synth/mod.rs", "use crate::plan::Plan;\n"), [""; 0]);
    }

    #[test]
    fn the_rows_close_no_circle() {
        let mut done: Vec<&str> = Vec::new();
        while done.len() < ROOMS.len() {
            let placed = |room: &&&Room| room.may_name.iter().all(|name| done.iter().any(|d| is_within(d, name)));
            let next = ROOMS.iter().filter(|room| !done.contains(&room.room)).find(|room| placed(&room));
            done.push(next.expect("a room whose arrows lead to rooms that are placed").room);
        }
    }
}
