//! What a gradient keeps: its tape by lines of the source, and its memory beside the primal's.
//!
//! The gradient runs once more as the program calls it, under a machine that only counts: each store to a record of the
//! tape is marked ([`ad::tape_log`]), and each call that takes a block for a copy of memory, which counts as one write.
//! What a routine of BLAS or LAPACK keeps belongs to the line that calls it: its body has none. A cell that is written
//! again, because only the last value is wanted, is counted once in bytes and each time in writes. The peaks are those
//! of live memory, stack and heap, beyond what lived on entry; shadows of what the primal allocates are part of the
//! gradient's, and so is what its arena has in reserve (a chunk has 4 KiB at least).

use super::call::Call;
use crate::report::{Position, Tape, TapeLine};
use ad::tape_log::{self, Kept};
use interp::{Interp, Limits, Location, Machine, MemAccess, Memory, Program, Scalar};
use ir::hash::{HashMap, HashSet};
use ir::{FuncId, InstId, InstKind, Module, SourceLoc};
use std::collections::BTreeMap;

/// An instruction.
type Site = (FuncId, InstId);

/// Counts the writes to tapes.
#[derive(Default)]
struct Ledger {
    writes: HashSet<Site>,
    /// Where the forward passes of routines have been called last.
    routines: HashMap<FuncId, Option<Site>>,
    /// Of a write, in a routine by who called it.
    counts: HashMap<(Site, Option<Site>), Count>,
}

#[derive(Default)]
struct Count {
    writes: u64,
    size: u64,
    cells: HashSet<u64>,
    /// Bytes of blocks.
    blocks: u64,
}

impl Ledger {
    /// For the writes of a module.
    fn of(module: &Module, writes: &[tape_log::Write]) -> Ledger {
        let is_routine = |f: &FuncId| module.functions[*f].attrs.has(ad::attributes::ROUTINE);
        let in_routine = |w: &&tape_log::Write| w.of.is_some_and(|(of, _)| is_routine(&of));
        Ledger {
            writes: writes.iter().map(|w| (w.func, w.inst)).collect(),
            routines: writes.iter().filter(in_routine).map(|w| (w.func, None)).collect(),
            counts: HashMap::default(),
        }
    }

    fn count(&mut self, at: Location) -> Option<&mut Count> {
        let site = (at.func, at.inst);
        if !self.writes.contains(&site) {
            return None;
        }
        let caller = self.routines.get(&at.func).copied().flatten();
        let count = self.counts.entry((site, caller)).or_default();
        count.writes += 1;
        Some(count)
    }
}

impl Machine for Ledger {
    type Shadow = ();
    const OBSERVES_MEMORY: bool = true;
    const OBSERVES_CALLS: bool = true;

    fn called(&mut self, at: Location, func: FuncId, args: &[Scalar]) {
        if let Some(caller) = self.routines.get_mut(&func) {
            *caller = Some((at.func, at.inst));
        }
        let bytes = args.get(1).map_or(0, |bytes| bytes.bits() as u64);
        if bytes > 0
            && let Some(count) = self.count(at)
        {
            count.blocks += bytes;
        }
    }

    fn store(&mut self, access: &MemAccess, _value: Scalar, _shadow: &()) {
        if let Some(count) = self.count(access.at) {
            count.size = access.leaf.store_size();
            count.cells.insert(access.pointer.addr);
        }
    }
}

/// Measures one execution of a gradient; none if it cannot be run to its end, which the judgement says.
pub fn measure(program: &Program, call: &Call, memory: &Memory<()>, limits: &Limits) -> Option<Tape> {
    let module = &program.module;
    let writes = tape_log::writes(module);
    let mut memory = memory.clone();
    memory.forget_peak();
    let entry = memory.used();
    let mut gradient = Interp::with_memory(program, Ledger::of(module, &writes), memory.clone(), limits.clone());
    gradient.call(call.gradient, &call.gradient_args).ok()?;
    let (machine, after) = gradient.into_parts();
    let peak = after.peak() - entry;
    let mut primal = Interp::with_memory(program, interp::Plain, memory, limits.clone());
    primal.call(call.primal, &call.primal_args).ok()?;
    let primal_steps = primal.steps();
    let primal_peak = primal.into_parts().1.peak() - entry;

    let mut lines: BTreeMap<(Kept, Option<Position>), (u64, u64)> = BTreeMap::new();
    let by_site: HashMap<Site, &tape_log::Write> = writes.iter().map(|w| ((w.func, w.inst), w)).collect();
    for ((site, caller), count) in &machine.counts {
        let write = by_site[site];
        let of = match caller {
            Some((func, inst)) => module.functions[*func].insts[*inst].origin.map(|o| (o.func, o.inst)),
            None => write.of,
        };
        let position = match (write.kept, of) {
            (Kept::Value, Some(of)) => position(module, of),
            (Kept::Value, None) => {
                unnamed(module, write).or_else(|| module.function_loc(&module.functions[call.primal]))
            }
            (Kept::Way, _) => None,
        };
        let position = position.map(whole_line);
        let line = lines.entry((write.kept, position)).or_default();
        line.0 += count.blocks + count.size * count.cells.len() as u64;
        line.1 += count.writes;
    }
    let mut lines: Vec<TapeLine> = lines
        .into_iter()
        .map(|((kept, position), (bytes, writes))| TapeLine {
            what: if kept == Kept::Value { "values" } else { "control" },
            position,
            bytes,
            writes,
        })
        .collect();
    lines.sort_by_key(|line| (std::cmp::Reverse(line.bytes), line.position.clone()));
    let sum = |part: fn(&TapeLine) -> u64| lines.iter().map(part).sum();
    Some(Tape { bytes: sum(|l| l.bytes), writes: sum(|l| l.writes), peak, primal_peak, primal_steps, lines })
}

/// The line of the value that is kept. A phi seldom has one: then it is that of a value that comes in.
fn position(module: &Module, (func, inst): Site) -> Option<SourceLoc> {
    let f = &module.functions[func];
    let own = |inst: InstId| module.source_loc(f, inst).filter(|loc| loc.line > 0);
    let coming_in = || match &f.insts[inst].kind {
        InstKind::Phi { incoming, .. } => {
            incoming.iter().filter_map(|(value, _)| value.local()).find_map(|v| own(f.def_inst(v)?))
        }
        _ => None,
    };
    own(inst).or_else(coming_in).or_else(|| module.nearest_loc(f, inst))
}

/// The line of a value that the primal has no instruction for: a variable, where ways meet. An argument has none.
fn unnamed(module: &Module, write: &tape_log::Write) -> Option<SourceLoc> {
    module.source_loc(&module.functions[write.func], write.inst).filter(|loc| loc.line > 0)
}

/// Values of one line belong together.
fn whole_line(loc: SourceLoc) -> Position {
    Position { column: 0, ..loc.into() }
}
