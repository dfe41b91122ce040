//! A call of a library function, as the function sees it.

use crate::outcome::{Fault, Location, Res, UbKind};
use crate::value::{Leaf, Pointer, Scalar, Tag, mask64};
use ir::FuncId;

/// A call of a library function: its arguments as flat leaves, variadic ones included.
#[derive(Clone, Copy, Debug)]
pub struct ShimCall<'a, S> {
    /// The declared function.
    pub func: FuncId,
    /// The leaves of all arguments.
    pub args: &'a [Scalar],
    /// Their shadows (empty for a machine without shadows).
    pub shadows: &'a [S],
    /// Their kinds.
    pub leaves: &'a [Leaf],
    /// How many leaves belong to fixed parameters.
    pub fixed: usize,
    /// Kinds of the leaves of the expected result.
    pub result: &'a [Leaf],
    /// The call.
    pub at: Location,
}

impl<S> ShimCall<'_, S> {
    /// A defined leaf, or undefined behaviour.
    pub fn leaf(&self, index: usize) -> Res<Scalar> {
        let Some(leaf) = self.args.get(index) else {
            return Err(Fault::ub(UbKind::BadCall, format!("the library function needs an argument {}", index + 1)));
        };
        match leaf.tag {
            Tag::Init => Ok(*leaf),
            Tag::Undef => Err(Fault::ub(
                UbKind::Uninitialised,
                format!("argument {} of a library function is uninitialised", index + 1),
            )),
            Tag::Poison => {
                Err(Fault::ub(UbKind::Poison, format!("argument {} of a library function is poison", index + 1)))
            }
        }
    }

    /// An unsigned integer argument, zero-extended.
    pub fn uint(&self, index: usize) -> Res<u64> {
        Ok(self.leaf(index)?.lo)
    }

    /// A signed integer argument, sign-extended from its width.
    pub fn int(&self, index: usize) -> Res<i64> {
        let bits = self.leaves.get(index).map_or(64, |l| l.bits().min(64));
        let value = self.leaf(index)?.lo & mask64(bits);
        Ok(((value << (64 - bits)) as i64) >> (64 - bits))
    }

    /// A pointer argument.
    pub fn ptr(&self, index: usize) -> Res<Pointer> {
        Ok(self.leaf(index)?.as_ptr())
    }

    /// A `double` argument.
    pub fn f64(&self, index: usize) -> Res<f64> {
        Ok(self.leaf(index)?.as_f64())
    }
}
