//! Walking the operands and successors of instructions, by reference and by mutation.

use crate::function::BlockId;
use crate::inst::{Call, Clause, FastMath, InstKind, Operand};
use smallvec::SmallVec;

/// Operands of one instruction: few have more than four.
pub type Operands = SmallVec<[Operand; 4]>;

/// One walk for both forms: `$iter` is `iter` or `iter_mut`, and references follow the form of `$kind`.
macro_rules! walk {
    ($kind:expr, $f:ident, $iter:ident, $callee:expr) => {
        match $kind {
            InstKind::Ret(v) => v.$iter().for_each($f),
            InstKind::Br(_) | InstKind::Unreachable | InstKind::Fence(_) => {}
            InstKind::CondBr { cond, .. } => $f(cond),
            InstKind::Switch { value, .. } => $f(value),
            InstKind::IndirectBr { address, .. } => $f(address),
            InstKind::Invoke { call, .. } | InstKind::Call(call) => {
                call.args.$iter().for_each(&mut $f);
                call.bundles.$iter().flat_map(|b| b.inputs.$iter()).for_each(&mut $f);
                $callee(call, &mut $f);
            }
            InstKind::Resume(v) | InstKind::Freeze(v) | InstKind::FNeg { value: v, .. } => $f(v),
            InstKind::Cast { value, .. } => $f(value),
            InstKind::Binary { lhs, rhs, .. } | InstKind::ICmp { lhs, rhs, .. } | InstKind::FCmp { lhs, rhs, .. } => {
                $f(lhs);
                $f(rhs);
            }
            InstKind::ExtractElement { vector, index } => {
                $f(vector);
                $f(index);
            }
            InstKind::InsertElement { vector, value, index } => {
                $f(vector);
                $f(value);
                $f(index);
            }
            InstKind::ShuffleVector { a, b, .. } => {
                $f(a);
                $f(b);
            }
            InstKind::ExtractValue { aggregate, .. } => $f(aggregate),
            InstKind::InsertValue { aggregate, value, .. } => {
                $f(aggregate);
                $f(value);
            }
            InstKind::Alloca { count, .. } => count.$iter().for_each($f),
            InstKind::Load { ptr, .. } => $f(ptr),
            InstKind::Store { value, ptr, .. } => {
                $f(value);
                $f(ptr);
            }
            InstKind::CmpXchg { ptr, expected, new, .. } => {
                $f(ptr);
                $f(expected);
                $f(new);
            }
            InstKind::AtomicRmw { ptr, value, .. } => {
                $f(ptr);
                $f(value);
            }
            InstKind::Gep { base, indices, .. } => {
                $f(base);
                indices.$iter().for_each($f);
            }
            InstKind::Phi { incoming, .. } => incoming.$iter().for_each(|(v, _)| $f(v)),
            InstKind::Select { cond, if_true, if_false, .. } => {
                $f(cond);
                $f(if_true);
                $f(if_false);
            }
            InstKind::VaArg { list } => $f(list),
            InstKind::LandingPad { clauses, .. } => {
                for Clause::Catch(v) | Clause::Filter(v) in clauses {
                    $f(v);
                }
            }
        }
    };
}

impl InstKind {
    /// Does it end a block?
    pub fn is_terminator(&self) -> bool {
        matches!(
            self,
            InstKind::Ret(_)
                | InstKind::Br(_)
                | InstKind::CondBr { .. }
                | InstKind::Switch { .. }
                | InstKind::IndirectBr { .. }
                | InstKind::Invoke { .. }
                | InstKind::Resume(_)
                | InstKind::Unreachable
        )
    }

    /// The call, of `call` and `invoke`.
    pub fn as_call(&self) -> Option<&Call> {
        match self {
            InstKind::Call(call) | InstKind::Invoke { call, .. } => Some(call),
            _ => None,
        }
    }

    /// The call, of `call` and `invoke`.
    pub fn as_call_mut(&mut self) -> Option<&mut Call> {
        match self {
            InstKind::Call(call) | InstKind::Invoke { call, .. } => Some(call),
            _ => None,
        }
    }

    /// The flags of fast mathematics, of what may have them.
    pub fn fast(&self) -> Option<FastMath> {
        match self {
            InstKind::FNeg { fast, .. }
            | InstKind::Binary { fast, .. }
            | InstKind::Cast { fast, .. }
            | InstKind::FCmp { fast, .. }
            | InstKind::Phi { fast, .. }
            | InstKind::Select { fast, .. } => Some(*fast),
            InstKind::Call(call) | InstKind::Invoke { call, .. } => Some(call.fast),
            _ => None,
        }
    }

    /// The same, to be changed.
    pub fn fast_mut(&mut self) -> Option<&mut FastMath> {
        match self {
            InstKind::FNeg { fast, .. }
            | InstKind::Binary { fast, .. }
            | InstKind::Cast { fast, .. }
            | InstKind::FCmp { fast, .. }
            | InstKind::Phi { fast, .. }
            | InstKind::Select { fast, .. } => Some(fast),
            InstKind::Call(call) | InstKind::Invoke { call, .. } => Some(&mut call.fast),
            _ => None,
        }
    }

    /// Successor blocks of a terminator in operand order, with repetitions.
    pub fn successors(&self) -> Vec<BlockId> {
        match self {
            InstKind::Br(to) => vec![*to],
            InstKind::CondBr { then_to, else_to, .. } => vec![*then_to, *else_to],
            InstKind::Switch { default, cases, .. } => {
                std::iter::once(*default).chain(cases.iter().map(|(_, b)| *b)).collect()
            }
            InstKind::IndirectBr { targets, .. } => targets.clone(),
            InstKind::Invoke { normal, unwind, .. } => vec![*normal, *unwind],
            _ => Vec::new(),
        }
    }

    /// Applies `f` to each successor.
    pub fn map_successors(&mut self, mut f: impl FnMut(BlockId) -> BlockId) {
        match self {
            InstKind::Br(to) => *to = f(*to),
            InstKind::CondBr { then_to, else_to, .. } => (*then_to, *else_to) = (f(*then_to), f(*else_to)),
            InstKind::Switch { default, cases, .. } => {
                *default = f(*default);
                cases.iter_mut().for_each(|(_, b)| *b = f(*b));
            }
            InstKind::IndirectBr { targets, .. } => targets.iter_mut().for_each(|b| *b = f(*b)),
            InstKind::Invoke { normal, unwind, .. } => (*normal, *unwind) = (f(*normal), f(*unwind)),
            _ => {}
        }
    }

    /// The value operands in the order of the LangRef (a call's callee last; phi operands in order; no block operands).
    pub fn operands(&self) -> Operands {
        let mut out = Operands::new();
        self.for_each_operand(|o| out.push(*o));
        out
    }

    /// Calls `f` on each value operand, in the order of [`InstKind::operands`].
    pub fn for_each_operand<'a>(&'a self, mut f: impl FnMut(&'a Operand)) {
        walk!(self, f, iter, |call: &'a Call, f: &mut dyn FnMut(&'a Operand)| f(&call.callee));
    }

    /// Calls `f` on each value operand, in the order of [`InstKind::operands`].
    pub fn for_each_operand_mut(&mut self, mut f: impl FnMut(&mut Operand)) {
        walk!(self, f, iter_mut, |call: &mut Call, f: &mut dyn FnMut(&mut Operand)| f(&mut call.callee));
    }
}
