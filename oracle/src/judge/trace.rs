//! What the primal computes, operation by operation: the operands of each execution of each instruction, for the
//! diagnosis.

use super::inputs::Place;
use super::reference::Primal;
use interp::Shadow;
use interp::machines::{Taint, Tainted};
use interp::{FloatEvent, FloatOp, Interp, Location, Machine, Memory, Value};
use ir::FloatKind;
use ir::hash::HashMap;
use smallvec::SmallVec;
use std::collections::BTreeSet;

/// Operations recorded at most; a longer run is not retraced.
const MOST: usize = 1 << 19;

/// One floating-point operation as it was executed.
#[derive(Clone, Debug)]
pub struct Operation {
    /// Which.
    pub op: FloatOp,
    /// Which of its results.
    pub output: usize,
    /// Format of the result.
    pub kind: FloatKind,
    /// Formats and bits of the floating-point operands, and whether each depends on an input.
    pub args: SmallVec<[(FloatKind, u128, bool); 3]>,
    /// Integer operands.
    pub ints: SmallVec<[i64; 1]>,
    /// Bits of the result.
    pub result: u128,
}

/// The operations of a run.
#[derive(Default)]
pub struct Trace {
    /// By instruction, in order; an operation on vectors has one entry for each lane.
    pub operations: HashMap<Location, Vec<Operation>>,
    /// Copies of memory that moved numbers which depend on inputs.
    pub copies: BTreeSet<(ir::FuncId, ir::InstId)>,
    count: usize,
}

impl Machine for Trace {
    type Shadow = Tainted;
    const SHADOWS: bool = true;
    const OBSERVES_MEMORY: bool = true;
    const OBSERVES_LOCALS: bool = false;

    fn float_op(&mut self, event: &FloatEvent<'_, Tainted>) -> Tainted {
        self.count += 1;
        if self.count <= MOST {
            self.operations.entry(event.at).or_default().push(Operation {
                op: event.op,
                output: event.output,
                kind: event.kind,
                args: event.args.iter().map(|a| (a.kind, a.bits, !a.shadow.is_absent())).collect(),
                ints: event.ints.iter().map(|n| *n as i64).collect(),
                result: event.result,
            });
        }
        Taint.float_op(event)
    }

    fn copied(&mut self, at: Location, shadows: &[(i64, u8, Tainted)]) {
        if shadows.iter().any(|(_, _, s)| !s.is_absent()) {
            self.copies.insert((at.func, at.inst));
        }
    }
}

/// Runs the primal once more; none if it is too long, or fails.
pub fn trace(primal: &Primal<'_>) -> Option<Trace> {
    let (memory, args) = primal.start();
    let mut memory: Memory<Tainted> = memory.without_shadows();
    let mut args: Vec<Value<Tainted>> = args.iter().map(Value::without_shadows).collect();
    for input in &primal.inputs {
        match input.place {
            Place::Cell(cell) => memory.set_shadow(cell.pointer(), cell.size(), Tainted::group(0)),
            Place::Scalar(scalar) => {
                let (parameter, leaf) = primal.scalar(scalar);
                if let Some((_, shadow)) = args.get_mut(parameter).and_then(|v| v.leaves.get_mut(leaf)) {
                    *shadow = Tainted::group(0);
                }
            }
        }
    }
    let mut interp = Interp::with_memory(primal.program(), Trace::default(), memory, primal.limits().clone());
    interp.call(primal.function(), &args).ok()?;
    let trace = interp.into_parts().0;
    (trace.count <= MOST).then_some(trace)
}
