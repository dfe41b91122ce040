//! Circles of files: files that name each other, directly or by way of others.
//!
//! A module and its own submodules may name each other: they are one thing in several files. Any other circle means
//! that none of its files can be read, moved or tested without the rest. The files in such circles are the strongly
//! connected components of the graph of what files name (Tarjan, "Depth-first search and linear graph algorithms",
//! 1972).

use super::Finding;
use super::layers::{code_of, named_in};
use std::collections::{BTreeMap, BTreeSet};

/// How many files of a crate lie in circles that are still there; the number may only fall. A crate without a row has
/// none.
const TOLERATED: &[(&str, usize)] = &[
    // Modules, functions, instructions, constants and metadata hold each other: one vocabulary.
    ("ir", 5),
    ("paper-repro", 5),
    // An expression calls helpers, which are expressions; rows of BLAS refer to the types that look them up.
    ("rules", 7),
];

/// What the files of a crate name.
#[derive(Default)]
pub struct Graph {
    /// By module, as a path below `src`, its file.
    files: BTreeMap<String, String>,
    named: Vec<(String, String)>,
    code: BTreeMap<String, String>,
}

/// The graphs of all crates, by crate.
#[derive(Default)]
pub struct Graphs(BTreeMap<String, Graph>);

impl Graphs {
    /// Takes a file of a crate's `src`; other files have no modules of their own.
    pub fn add(&mut self, path: &str, text: &str) {
        let Some((krate, file)) = path.split_once("/src/").filter(|(krate, _)| !krate.contains('/')) else { return };
        let module = file.trim_end_matches(".rs").trim_end_matches("/mod").to_owned();
        let graph = self.0.entry(krate.to_owned()).or_default();
        graph.named.extend(named_in(text, &module).into_iter().map(|(_, named)| (module.clone(), named)));
        graph.code.insert(module.clone(), code_of(text));
        graph.files.insert(module, path.to_owned());
    }

    /// Crates with more files in circles than before, or fewer.
    pub fn check(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        for (krate, graph) in &self.0 {
            let (circles, arrows) = (graph.circles(), graph.arrows());
            let known = TOLERATED.iter().find(|(name, _)| name == krate).map_or(0, |(_, count)| *count);
            let count: usize = circles.iter().map(BTreeSet::len).sum();
            if count > known {
                for circle in &circles {
                    let arrow = arrows.iter().find(|(a, b)| a != b && circle.contains(a) && circle.contains(b));
                    let Some((from, to)) = arrow else { continue };
                    let message = format!("names `{to}`, which leads back to it: a circle of {} files", circle.len());
                    findings.push(Finding::new(&graph.files[from], 0, message));
                }
            } else if count < known {
                let message = format!("{krate}: {count} files in circles, no longer {known}: write the smaller number");
                findings.push(Finding::new("xtask/src/tidy/circles.rs", 0, message));
            }
        }
        findings
    }

    /// What the first folders of a crate name of each other; files beside `lib.rs` are rooms of their own.
    pub fn rooms(&self, krate: &str) -> BTreeMap<String, BTreeSet<String>> {
        let room = |module: &str| module.split('/').next().unwrap_or_default().to_owned();
        let mut out = BTreeMap::new();
        let Some(graph) = self.0.get(krate) else { return out };
        for module in graph.files.keys().filter(|module| *module != "lib") {
            out.entry(room(module)).or_default();
        }
        for (from, to) in graph.arrows() {
            let (from, to) = (room(&from), room(&to));
            if from != to && from != "lib" && to != "lib" {
                let named: &mut BTreeSet<String> = out.entry(from).or_default();
                named.insert(to);
            }
        }
        out
    }

    /// Files, arrows and files in circles, in words.
    pub fn summary(&self) -> String {
        let sum = |of: &dyn Fn(&Graph) -> usize| self.0.values().map(of).sum::<usize>();
        let files = sum(&|g| g.files.len());
        let arrows = sum(&|g| g.arrows().len());
        let circles = sum(&|g| g.circles().iter().map(BTreeSet::len).sum());
        format!("{files} files, {arrows} arrows between them, {circles} files in circles")
    }
}

impl Graph {
    /// The arrows between files: a path leads to the deepest module that it names.
    fn arrows(&self) -> BTreeSet<(String, String)> {
        let module = |path: &str| {
            let mut path = path;
            loop {
                match (self.files.contains_key(path), path.rsplit_once('/')) {
                    (true, _) => return Some(path.to_owned()),
                    (false, Some((above, _))) => path = above,
                    (false, None) => return None,
                }
            }
        };
        let arrow = |(from, named): &(String, String)| Some((from.clone(), module(named)?)).filter(|(a, b)| a != b);
        let mut arrows: BTreeSet<(String, String)> = self.named.iter().filter_map(arrow).collect();
        // A module names its submodules without a path, too.
        for child in self.files.keys() {
            let Some((parent, name)) = child.rsplit_once('/') else { continue };
            if self.code.get(parent).is_some_and(|code| names(code, name)) {
                arrows.insert((parent.to_owned(), child.clone()));
            }
        }
        arrows
    }

    /// The circles that are more than a module with its submodules.
    fn circles(&self) -> Vec<BTreeSet<String>> {
        let mut next: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        let arrows = self.arrows();
        for (from, to) in &arrows {
            next.entry(from).or_default().push(to);
        }
        let mut search = Search { next: Some(&next), ..Search::default() };
        for module in self.files.keys() {
            if !search.number.contains_key(module.as_str()) {
                search.visit(module);
            }
        }
        let is_one_thing = |circle: &BTreeSet<String>| {
            let top = circle.iter().min_by_key(|module| module.len());
            top.is_some_and(|top| circle.iter().all(|m| m == top || m.starts_with(&format!("{top}/"))))
        };
        search.found.into_iter().filter(|circle| circle.len() > 1 && !is_one_thing(circle)).collect()
    }
}

/// Does a path begin with that name?
fn names(code: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == ':' || c == '.';
    code.match_indices(name).any(|(at, _)| !code[..at].ends_with(is_part) && code[at + name.len()..].starts_with("::"))
}

/// Tarjan's search.
#[derive(Default)]
struct Search<'a> {
    next: Option<&'a BTreeMap<&'a str, Vec<&'a str>>>,
    number: BTreeMap<&'a str, usize>,
    lowest: BTreeMap<&'a str, usize>,
    stack: Vec<&'a str>,
    found: Vec<BTreeSet<String>>,
}

impl<'a> Search<'a> {
    fn visit(&mut self, module: &'a str) {
        let number = self.number.len();
        self.number.insert(module, number);
        self.lowest.insert(module, number);
        self.stack.push(module);
        for next in self.next.and_then(|next| next.get(module)).into_iter().flatten().copied() {
            if !self.number.contains_key(next) {
                self.visit(next);
                self.lower(module, self.lowest[next]);
            } else if self.stack.contains(&next) {
                self.lower(module, self.number[next]);
            }
        }
        if self.lowest[module] == number {
            let start = self.stack.iter().position(|m| *m == module).unwrap_or(0);
            self.found.push(self.stack.split_off(start).into_iter().map(str::to_owned).collect());
        }
    }

    fn lower(&mut self, module: &'a str, to: usize) {
        if let Some(lowest) = self.lowest.get_mut(module) {
            *lowest = (*lowest).min(to);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(files: &[(&str, &str)]) -> Vec<String> {
        let mut graphs = Graphs::default();
        files.iter().for_each(|(path, text)| graphs.add(path, text));
        graphs.check().iter().map(Finding::to_string).collect()
    }

    #[test]
    fn files_that_name_each_other_are_found() {
        let files = [
            ("ad/src/a.rs", "use crate::b::{self, B};\n"),
            ("ad/src/b.rs", "fn f() -> crate::c::C { crate::c::C }\n"),
            ("ad/src/c.rs", "use crate::a::A;\n"),
            ("ad/src/d.rs", "use crate::a::A;\n"),
        ];
        assert_eq!(messages(&files), ["ad/src/a.rs: names `b`, which leads back to it: a circle of 3 files"]);
        assert_eq!(messages(&files[..2]), [""; 0]);
    }

    #[test]
    fn a_module_and_its_submodules_are_one_thing() {
        let mut files = vec![
            ("ad/src/m/mod.rs", "mod inner;\nuse self::inner::I;\npub use crate::m::inner::J;\n"),
            ("ad/src/m/inner.rs", "use super::M;\n"),
        ];
        assert_eq!(messages(&files), [""; 0]);
        files.push(("ad/src/other.rs", "use crate::m::M;\n"));
        files.push(("ad/src/m/deep.rs", "use crate::other::O;\nuse super::M;\n"));
        files.push(("ad/src/m/mod.rs", "use crate::m::deep::D;\n"));
        assert_eq!(messages(&files).len(), 1);
    }

    #[test]
    fn a_number_that_has_fallen_is_to_be_written_down() {
        let (_, known) = TOLERATED[0];
        let expected =
            format!("xtask/src/tidy/circles.rs: ir: 0 files in circles, no longer {known}: write the smaller number");
        assert_eq!(messages(&[("ir/src/a.rs", "use crate::b::B;\n")]), [expected]);
    }
}
