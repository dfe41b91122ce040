//! What a gradient keeps: its tape by lines of the source, and its memory beside the primal's.
//!
//! The gradient runs once more as the program calls it, under a machine that only counts: each store to a record of the tape is marked
//! ([`ad::ledger`]). A cell that is written again, because only the last value is wanted, is counted once in bytes and each time in writes.
//! The peaks are those of live memory, stack and heap, beyond what lived on entry; shadows of what the primal allocates are part of the
//! gradient's, and so is what its arena has in reserve (a chunk has 64 KiB at least).

use super::call::Call;
use crate::report::{Position, Tape, TapeLine};
use ad::ledger::{self, Kept};
use interp::{Interp, Limits, Location, Machine, MemAccess, Memory, Program, Scalar};
use ir::{FuncId, InstId, InstKind, Module};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Counts the writes to tapes.
#[derive(Default)]
struct Ledger {
    stores: HashMap<(FuncId, InstId), Count>,
}

#[derive(Default)]
struct Count {
    writes: u64,
    size: u64,
    cells: HashSet<u64>,
}

impl Machine for Ledger {
    type Shadow = ();
    const OBSERVES_MEMORY: bool = true;

    fn store(&mut self, access: &MemAccess, _value: Scalar, _shadow: &()) {
        let Location { func, inst, .. } = access.at;
        if let Some(count) = self.stores.get_mut(&(func, inst)) {
            count.writes += 1;
            count.size = access.leaf.store_size();
            count.cells.insert(access.pointer.addr);
        }
    }
}

/// Measures one execution of a gradient; none if it cannot be run to its end, which the judgement says.
pub fn measure(program: &Program, call: &Call, memory: &Memory<()>, limits: &Limits) -> Option<Tape> {
    let module = &program.module;
    let writes = ledger::writes(module);
    let stores = writes.iter().map(|w| ((w.func, w.inst), Count::default())).collect();
    let mut memory = memory.clone();
    memory.forget_peak();
    let entry = memory.used();
    let mut gradient = Interp::with_memory(program, Ledger { stores }, memory.clone(), limits.clone());
    gradient.call(call.gradient, &call.gradient_args).ok()?;
    let (machine, after) = gradient.into_parts();
    let peak = after.peak() - entry;
    let mut primal = Interp::with_memory(program, interp::Plain, memory, limits.clone());
    primal.call(call.primal, &call.primal_args).ok()?;
    let primal_steps = primal.steps();
    let primal_peak = primal.into_parts().1.peak() - entry;

    let mut lines: BTreeMap<(Kept, Option<Position>), (u64, u64)> = BTreeMap::new();
    for write in &writes {
        let Some(count) = machine.stores.get(&(write.func, write.inst)).filter(|c| c.writes > 0) else { continue };
        let position = match write.kept {
            Kept::Value => position(module, write, call.primal),
            Kept::Way => None,
        };
        let line = lines.entry((write.kept, position)).or_default();
        line.0 += count.size * count.cells.len() as u64;
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
fn position(module: &Module, write: &ledger::Write, primal: FuncId) -> Option<Position> {
    let Some((func, inst)) = write.of else {
        return module.function_loc(&module.functions[primal]).map(whole_line);
    };
    let f = &module.functions[func];
    let own = |inst: InstId| module.source_loc(f, inst).filter(|loc| loc.line > 0);
    let coming_in = || match &f.insts[inst].kind {
        InstKind::Phi { incoming, .. } => {
            incoming.iter().filter_map(|(value, _)| value.local()).find_map(|v| own(f.def_inst(v)?))
        }
        _ => None,
    };
    own(inst).or_else(coming_in).or_else(|| module.nearest_loc(f, inst)).map(whole_line)
}

/// Values of one line belong together.
fn whole_line(loc: ir::SourceLoc) -> Position {
    Position { column: 0, ..loc.into() }
}
