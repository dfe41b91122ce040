//! Loops that are marked from outside the program to be reversed from snapshots: `LOOP=revolve:8`, `LOOP=periodic:100`.
//!
//! A mark is a constant text whose name starts with [`MARK`]; `adj --checkpoint` adds it to a module. `LOOP` is a
//! function, `simulate`, all of whose outermost loops are meant, or a place, `simulate:12` or `heat.c:12`: the line on
//! which the loop begins, as its `llvm.loop` tells, which follows the loop into a function that it was inlined into
//! (LangRef, "llvm.loop").
//!
//! A program marks a loop by a registration: `void *__enzyme_checkpoint_loop_NAME[] = {simulate, "revolve:8"};`, or
//! `{simulate, "12", "revolve:8"}` with a line.

use crate::error::{Diagnostic, Reason};
use ir::cfg::Cfg;
use ir::dom::DomTree;
use ir::hint::Symbol;
use ir::loops::{LoopId, Loops};
use ir::{ConstKind, Function, GlobalId, MdId, Module, SourceLoc};
use std::path::Path;

/// What the names of marks start with.
pub const MARK: &str = "__enzyme_checkpoint_loop";

/// The schedules by their names, with their numbers in `checkpoint.c`.
const SCHEDULES: [(&str, u64); 2] = [("periodic", 1), ("revolve", 2)];

/// A mark.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mark {
    /// The text.
    text: String,
    /// Where the program says so.
    loc: Option<SourceLoc>,
    /// A function or a file.
    name: String,
    /// The line on which the loop begins.
    line: Option<u32>,
    /// Which states are kept: its number in `checkpoint.c`.
    pub schedule: u64,
    /// Of the schedule: snapshots, or steps from one to the next.
    pub number: u64,
}

impl Mark {
    fn parse(text: &str) -> Result<Mark, String> {
        let form = || format!("`{text}` is not of the form LOOP=revolve:N or LOOP=periodic:N, N being 1 or more");
        // Operators of C++ may have the character, schedules have not.
        let (place, schedule) = text.rsplit_once('=').ok_or_else(form)?;
        let (schedule, number) = schedule.split_once(':').ok_or_else(form)?;
        let schedule = SCHEDULES.iter().find(|(name, _)| *name == schedule).map(|(_, n)| *n).ok_or_else(form)?;
        let number = number.parse().ok().filter(|n| (1..=i64::MAX as u64).contains(n)).ok_or_else(form)?;
        let line = place.rsplit_once(':').and_then(|(name, line)| Some((name, line.parse::<u32>().ok()?)));
        let (name, line) = line.map_or((place, None), |(name, line)| (name, Some(line)));
        let name = name.rsplit("::").next().unwrap_or(name).to_owned();
        if name.is_empty() {
            return Err(form());
        }
        Ok(Mark { text: text.to_owned(), loc: None, name, line, schedule, number })
    }

    /// A loop of a function that is meant, and in no other that is meant. (An optimiser may have made several of one.)
    pub fn find(&self, m: &Module, func: &Function, loops: &Loops) -> Option<LoopId> {
        // An outer loop comes before those inside it.
        loops.loops.keys().find(|id| self.means(m, func, loops, *id))
    }

    fn means(&self, m: &Module, func: &Function, loops: &Loops, id: LoopId) -> bool {
        let place = place(m, func, loops, id);
        let line = place.and_then(|p| m.loc_of(p));
        if self.line.is_some() && self.line != line.as_ref().map(|l| l.line) {
            return false;
        }
        let function = place.map_or(Vec::new(), |p| functions_around(m, p));
        let file = line.is_some_and(|l| {
            let file = Path::new(&l.file);
            self.line.is_some() && (file.ends_with(&self.name) || l.file == self.name)
        });
        file || func.name == self.name || function.contains(&self.name)
    }
}

/// Where a loop begins.
fn place(m: &Module, func: &Function, loops: &Loops, id: LoopId) -> Option<MdId> {
    let data = &loops.loops[id];
    let location = |node: &MdId| m.metadata[*node].class() == "DILocation";
    let told = data.latches.iter().filter_map(|latch| func.terminator(*latch)).find_map(|inst| {
        let (_, node) = func.insts[inst].metadata.iter().find(|(kind, _)| kind == "llvm.loop")?;
        let nodes = m.metadata[*node].operands().iter().filter_map(|operand| match operand {
            ir::MdOperand::Node(id) => Some(*id),
            _ => None,
        });
        nodes.into_iter().find(location)
    });
    // Of an unrolled loop nothing is told: clang places the branch back where the loop begins.
    let back = || data.latches.iter().filter_map(|latch| func.terminator(*latch)).find_map(|inst| func.insts[inst].loc);
    told.or_else(back).or_else(|| func.blocks[data.header].insts.iter().find_map(|inst| func.insts[*inst].loc))
}

/// The names of the function that a place is in, before inlining.
fn functions_around(m: &Module, place: MdId) -> Vec<String> {
    let function = ir::debug::function_at(m, place).map(|id| &m.metadata[id]);
    function.into_iter().flat_map(|node| ["name", "linkageName"].into_iter().filter_map(|f| node.str(f))).collect()
}

/// The marks of a module, or what is the matter with one.
pub fn marks(m: &Module) -> Result<Vec<Mark>, Diagnostic> {
    let mut out = Vec::new();
    for (id, global) in m.globals.iter().filter(|(_, g)| g.name.starts_with(MARK)) {
        let misuse = |message: String| Diagnostic {
            reason: Reason::Misuse,
            message,
            function: global.name.clone(),
            instruction: None,
            loc: m.global_loc(id),
        };
        let text = text(m, id).ok_or_else(|| {
            misuse(format!(
                "`{}` is not of the form {{function, \"revolve:N\"}} or {{function, \"line\", \"revolve:N\"}}",
                global.name
            ))
        })?;
        let mark = Mark::parse(&text).map_err(misuse)?;
        out.push(Mark { loc: m.global_loc(id), ..mark });
    }
    Ok(out)
}

/// The text of a mark, also of one that is a registration.
fn text(m: &Module, global: GlobalId) -> Option<String> {
    match &m.constants.get(m.globals[global].init?).kind {
        ConstKind::Aggregate(elements) => {
            let [function, line @ .., schedule] = elements.as_slice() else { return None };
            let Symbol::Function(function) = m.symbol(*function)? else { return None };
            let (name, schedule) = (&m.functions[function].name, m.text(*schedule)?);
            match line {
                [] => Some(format!("{name}={schedule}")),
                [line] => Some(format!("{name}:{}={schedule}", m.text(*line)?)),
                _ => None,
            }
        }
        ConstKind::Bytes(bytes) => Some(String::from_utf8_lossy(bytes).trim_end_matches('\0').to_owned()),
        _ => None,
    }
}

/// The loops of a function.
pub fn loops(func: &Function) -> (Cfg, DomTree, Loops) {
    let cfg = Cfg::new(func);
    let dom = DomTree::new(func, &cfg);
    let loops = Loops::new(func, &cfg, &dom);
    (cfg, dom, loops)
}

/// A mark that means no loop of the module.
pub fn unmatched(m: &Module) -> Option<Diagnostic> {
    let marks = match marks(m) {
        Ok(marks) => marks,
        Err(diagnostic) => return Some(diagnostic),
    };
    let missing = |mark: &&Mark| {
        let bodies = m.functions.values().filter(|f| !f.is_declaration());
        !bodies.into_iter().any(|f| mark.find(m, f, &loops(f).2).is_some())
    };
    let mark = marks.iter().find(missing)?;
    let mut known = Vec::new();
    for func in m.functions.values().filter(|f| !f.is_declaration()) {
        let loops = loops(func).2;
        for id in loops.loops.keys() {
            let Some(line) = place(m, func, &loops, id).and_then(|p| m.loc_of(p)) else { continue };
            let names = place(m, func, &loops, id).map_or(Vec::new(), |p| functions_around(m, p));
            if names.contains(&mark.name) || func.name == mark.name || Path::new(&line.file).ends_with(&mark.name) {
                known.push(line.line.to_string());
            }
        }
    }
    known.dedup();
    let message = match known.is_empty() {
        true => format!(
            "`{}` means no loop that is still there: say FUNCTION, FUNCTION:LINE or FILE:LINE, the line being that on \
             which the loop begins (lines need debug information, -g)",
            mark.text
        ),
        false => format!(
            "`{}` means no loop that is still there: loops of `{}` begin on lines {}",
            mark.text,
            mark.name,
            known.join(", ")
        ),
    };
    let function_loc = || m.functions.values().find(|f| f.name == mark.name).and_then(|f| m.function_loc(f));
    let (function, loc) = (mark.name.clone(), mark.loc.clone().or_else(function_loc));
    Some(Diagnostic { reason: Reason::Misuse, message, function, instruction: None, loc })
}
