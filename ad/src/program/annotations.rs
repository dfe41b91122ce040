//! Calls by which a program tells something of what it does there.
//!
//! | call | meaning |
//! |---|---|
//! | `__enzyme_call_inactive(f, arguments…)` | `f(arguments…)`, and this call carries no derivative |
//! | `__enzyme_float(p, bytes)`, `__enzyme_double(p, bytes)` | so many bytes behind `p` hold such numbers; without a count, all |
//! | `__enzyme_integer(p, bytes)`, `__enzyme_pointer(p, bytes)` | they hold integers, or pointers |
//! | `__enzyme_iter(n, k)` | `n`, with a word on how large it is |
//!
//! The attribute `"enzyme_type"` tells the same ([`crate::program::type_attributes`]).
//!
//! The first becomes the call of a function without derivative that calls `f`. Those that tell of memory do nothing
//! when they are executed: they get an empty body, and [`crate::analysis::memory`] reads what they tell. The last gets
//! a body that returns its first argument; nothing here depends on the hint.

use crate::program::cell::Cell;
use ir::{AttrValue, FloatKind, Function};

pub(crate) const INACTIVE: &str = "__enzyme_call_inactive";
/// Returns its first argument.
pub(crate) const ITER: &str = "__enzyme_iter";

/// What lies in memory, by the name of the function that tells it; and the size of one.
pub(crate) const TYPES: [(&str, Cell, u64); 4] = [
    ("__enzyme_float", Cell::Float(FloatKind::Float), 4),
    ("__enzyme_double", Cell::Float(FloatKind::Double), 8),
    ("__enzyme_integer", Cell::Int, 4),
    ("__enzyme_pointer", Cell::Ptr, 8),
];

/// On a function: its calls tell that memory holds such data.
pub(crate) const TELLS: &str = "adj_type";

/// The kind and size of the data that calls of the function say their memory holds.
pub fn told(func: &Function) -> Option<(Cell, u64)> {
    let Some(AttrValue::Str(Some(name))) = func.attrs.get(TELLS) else { return None };
    TYPES.iter().find(|(n, ..)| n == name).map(|(_, cell, size)| (*cell, *size))
}

/// Is a declared function of that name one that is known?
pub(crate) fn is_known(name: &str) -> bool {
    name.contains(INACTIVE) || is_given_a_body(name)
}

/// Does it get a body, so that its address may be taken as well?
fn is_given_a_body(name: &str) -> bool {
    name.contains(ITER) || TYPES.iter().any(|(known, ..)| name.contains(known))
}
