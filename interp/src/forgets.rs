//! Faults to plant in what rides along with an execution, to see that whoever relies on it notices.
//!
//! Each is a way in which a shadow could be forgotten, or an old one kept, if the engine or a machine had a mistake
//! there. A machine says by [`Machine::forgets`] which one it has; the engine and the machines ask at the place in
//! question, and only there. A planted execution takes the slow loop.

use crate::code::Slot;
use crate::interp::Interp;
use crate::machine::{FloatArg, FloatEvent, FloatOp, Machine};
use crate::machines::decide;
use crate::memory::shadow::Shadow;
use crate::value::Pointer;
use rules::Op;
use smallvec::SmallVec;

/// Where shadows are forgotten.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Forgets {
    /// A load.
    Load,
    /// A load of a number as an integer.
    IntegerLoad,
    /// A load of several numbers as one integer.
    Parts,
    /// A store.
    Store,
    /// A store of several numbers as one integer.
    StoredParts,
    /// A store of a constant leaves the shadow that was there.
    StaleStore,
    /// A copy of memory.
    Copy,
    /// A copy of memory leaves the shadows that were there.
    StaleCopy,
    /// A fill of memory leaves the shadows that were there.
    StaleFill,
    /// Memory that is moved to grow.
    Realloc,
    /// A copy of memory by a function of the library.
    LibraryCopy,
    /// Sorting by the library.
    Sort,
    /// A structure that is passed by value.
    ByValue,
    /// A choice between values.
    Select,
    /// A value that depends on the edge.
    Phi,
    /// `freeze`.
    Freeze,
    /// An element taken out of a vector.
    Extract,
    /// An element put into a vector.
    Insert,
    /// Members of structures and shuffled elements.
    Members,
    /// A bit cast of one value.
    Bitcast,
    /// A bit cast of vectors.
    VectorCast,
    /// Shifts, masks and truncations that leave the bits of a number together.
    Halves,
    /// Conversions between formats.
    Convert,
    /// An argument.
    Argument,
    /// A result.
    Return,
    /// An argument of a variadic function.
    Variadic,
    /// An atomic load.
    AtomicLoad,
    /// An atomic store.
    AtomicStore,
    /// An atomic exchange.
    Exchange,
    /// A comparison with exchange.
    CompareExchange,
    /// An atomic sum forgets what was in memory.
    AtomicSum,
    /// A load under a mask.
    Masked,
    /// Operations with a rounding mode.
    Constrained,
    /// Sums.
    Sum,
    /// The second factor of a product.
    Factor,
    /// The divisor of a quotient.
    Divisor,
    /// Negation.
    Negation,
    /// The summand of a fused operation.
    Fused,
    /// Functions of the library of mathematics.
    Function,
    /// The same, called through a pointer.
    CalledFunction,
    /// All results of a function but the first.
    Outputs,
    /// Operations that select or jump: minimum, absolute value, remainder.
    Pieces,
    /// Whatever is computed.
    Everything,
    /// What integer operations make of bits.
    Bits,
    /// What intrinsics make of bits.
    BitIntrinsic,
    /// What is chosen by a condition.
    Condition,
    /// Conversions of integers to numbers.
    FromInteger,
    /// What a function of the library returns.
    LibraryResult,
    /// What a function of the library writes.
    LibraryWrites,
    /// The memory that a function of the library reads.
    LibraryReads,
    /// What streams, files and pipes keep.
    Kept,
    /// Comparisons of numbers.
    Comparison,
    /// Roundings to integers.
    Rounding,
}

impl<M: Machine> Interp<'_, M> {
    /// Is that forgotten here?
    #[inline(always)]
    pub(crate) fn forgets(&self, what: Forgets) -> bool {
        M::SHADOWS && self.machine.forgets(what)
    }

    /// Forgets the shadows of registers that have just been written, if that is planted.
    #[inline(always)]
    pub(crate) fn forget(&mut self, what: Forgets, dst: Slot, n: u32) {
        if self.forgets(what) {
            self.forget_at(self.base + dst as usize, n as usize);
        }
    }

    /// Forgets the shadows of registers by absolute index.
    #[cold]
    pub(crate) fn forget_at(&mut self, index: usize, n: usize) {
        self.shadows[index..index + n].fill(M::Shadow::default());
        (index..index + n).for_each(|at| drop(self.parts.remove(&at)));
    }

    /// Forgets the shadows of memory that has just been written, if that is planted.
    #[inline(always)]
    pub(crate) fn forget_cells(&mut self, what: Forgets, at: Pointer, len: u64) {
        if self.forgets(what) {
            for (offset, size, _) in self.memory.touched_shadows(at, len) {
                self.memory.set_shadow(at.offset(offset), u64::from(size), M::Shadow::default());
            }
        }
    }

    /// Shadows of memory that is about to be written, to be kept if that is planted.
    pub(crate) fn stale(&self, what: Forgets, at: Pointer, len: u64) -> Vec<(i64, u8, M::Shadow)> {
        if self.forgets(what) { self.memory.touched_shadows(at, len) } else { Vec::new() }
    }

    /// Puts them back where nothing has come.
    pub(crate) fn keep_stale(&mut self, at: Pointer, stale: Vec<(i64, u8, M::Shadow)>) {
        for (offset, size, shadow) in stale {
            let (at, size) = (at.offset(offset), u64::from(size));
            if self.memory.touched_shadows(at, size).is_empty() {
                self.memory.set_shadow(at, size, shadow);
            }
        }
    }
}

/// The shadow of a floating-point operation by a machine that may forget some.
pub(crate) fn float_op<S: Shadow>(
    forgets: Option<Forgets>,
    event: &FloatEvent<'_, S>,
    compute: impl FnOnce(&FloatEvent<'_, S>) -> S,
) -> S {
    let Some(what) = forgets else { return compute(event) };
    let rule = match event.op {
        FloatOp::Rule(op) => Some(op),
        FloatOp::Convert | FloatOp::FromInt => None,
    };
    let operand = match (what, rule) {
        (Forgets::Everything, _) => return S::default(),
        (Forgets::Convert, None) if event.op == FloatOp::Convert => return S::default(),
        (Forgets::Sum, Some(Op::FAdd | Op::FSub)) => return S::default(),
        (Forgets::Negation, Some(Op::FNeg)) => return S::default(),
        (Forgets::Function, Some(op)) if !is_instruction(op) => return S::default(),
        (Forgets::Outputs, _) if event.output > 0 => return S::default(),
        (Forgets::Pieces, Some(op)) if decide::selects(op) => return S::default(),
        (Forgets::Factor, Some(Op::FMul)) | (Forgets::Divisor, Some(Op::FDiv)) => 1,
        (Forgets::Fused, Some(Op::Fma | Op::FMulAdd)) => 2,
        _ => return compute(event),
    };
    let none = S::default();
    let with = |(n, arg): (usize, &FloatArg<'_, S>)| {
        let shadow = if n == operand { &none } else { arg.shadow };
        // The same lifetime for all.
        (arg.kind, arg.bits, shadow.clone())
    };
    let args: SmallVec<[_; 4]> = event.args.iter().enumerate().map(with).collect();
    let args: SmallVec<[_; 4]> =
        args.iter().map(|(kind, bits, shadow)| FloatArg { kind: *kind, bits: *bits, shadow }).collect();
    compute(&FloatEvent { args: &args, ..*event })
}

fn is_instruction(op: Op) -> bool {
    matches!(op, Op::FAdd | Op::FSub | Op::FMul | Op::FDiv | Op::FNeg | Op::FMulAdd | Op::Identity)
}
