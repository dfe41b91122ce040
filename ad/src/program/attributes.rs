//! What the program tells of its functions and variables, in the one spelling in which everything else reads it.
//!
//! | on a function | meaning |
//! |---|---|
//! | `"enzyme_inactive"` | it carries no derivative |
//! | `"enzyme_function_like"="log1p"`, `"enzyme_math"="sin"` | it is differentiated as that function |
//! | `"enzyme_allocator"="1"` | it allocates as many bytes as that argument says |
//! | `"enzyme_deallocator"="0"` | it frees the block that argument points to |
//! | `"enzyme_shouldrecompute"` | in the reverse pass it is called again rather than its result kept |
//! | `"enzyme_nofree"` | it frees nothing (which is never assumed to matter here) |
//! | `!enzyme_augment`, `!enzyme_gradient` | its augmented forward and its reverse ([`crate::program::custom_rule`]) |
//! | `!enzyme_derivative` | its tangent |
//!
//! `"enzyme_inactive"` on a variable makes it constant memory.

use ir::{Attr, AttrValue, FuncId, Function, MdBody, MdNode, MdOperand, Module};

/// On a body from the library: the name of the routine of BLAS or LAPACK, which a copy of it keeps.
pub const ROUTINE: &str = "adj_blas";

/// It carries no derivative.
pub use crate::base::names::INACTIVE;
/// It is called again in the reverse pass.
pub const RECOMPUTE: &str = "enzyme_shouldrecompute";
/// It is differentiated as the function named.
pub(super) const LIKE: [&str; 2] = ["enzyme_function_like", "enzyme_math"];
pub(super) const ALLOCATOR: &str = "enzyme_allocator";
pub(super) const DEALLOCATOR: &str = "enzyme_deallocator";
pub(super) const AUGMENT: &str = "enzyme_augment";
pub(super) const GRADIENT: &str = "enzyme_gradient";
pub(super) const DERIVATIVE: &str = "enzyme_derivative";

/// How the functions are called that loops with checkpoints become.
pub(crate) const LOOP_PREFIX: &str = "__adj_loop_";

/// The function as which this one is differentiated.
pub fn like(f: &Function) -> Option<&str> {
    LIKE.iter().find_map(|name| match f.attrs.get(name) {
        Some(AttrValue::Str(Some(value))) => Some(value.as_str()),
        _ => None,
    })
}

/// Index of the argument that says how many bytes this function allocates.
pub fn allocates(f: &Function) -> Option<usize> {
    index(f, ALLOCATOR)
}

/// Index of the argument that this function frees.
pub fn frees(f: &Function) -> Option<usize> {
    index(f, DEALLOCATOR)
}

/// The augmented forward and the reverse that the program gives for a function.
pub fn gradient(m: &Module, f: &Function) -> Option<(FuncId, FuncId)> {
    Some((attached(m, f, AUGMENT)?, attached(m, f, GRADIENT)?))
}

/// The tangent that the program gives for a function.
pub fn derivative(m: &Module, f: &Function) -> Option<FuncId> {
    attached(m, f, DERIVATIVE)
}

/// Takes the reverse rules away, so that forward mode looks into the functions that have no tangent of their own.
pub fn without_gradients(m: &mut Module) {
    for f in m.functions.values_mut() {
        f.metadata.retain(|(name, _)| name != AUGMENT && name != GRADIENT);
    }
}

/// Gives a function its augmented forward and its reverse.
pub(crate) fn give_gradient(m: &mut Module, f: FuncId, augmented: FuncId, reverse: FuncId) {
    attach(m, f, AUGMENT, augmented);
    attach(m, f, GRADIENT, reverse);
}

/// Gives a function its tangent.
pub(crate) fn give_derivative(m: &mut Module, f: FuncId, tangent: FuncId) {
    attach(m, f, DERIVATIVE, tangent);
}

fn index(f: &Function, name: &str) -> Option<usize> {
    match f.attrs.get(name) {
        Some(AttrValue::Str(Some(value))) => value.parse().ok(),
        _ => None,
    }
}

fn attached(m: &Module, f: &Function, name: &str) -> Option<FuncId> {
    let (_, node) = f.metadata.iter().find(|(n, _)| n == name)?;
    m.metadata_function(*node)
}

/// Sets an attribute.
pub(super) fn set(attrs: &mut Vec<Attr>, name: &str, value: Option<String>) {
    attrs.retain(|a| a.name != name);
    attrs.push(Attr { name: name.to_owned(), value: AttrValue::Str(value) });
}

/// Attaches a function to another one, as metadata.
pub(super) fn attach(m: &mut Module, f: FuncId, name: &str, value: FuncId) {
    let address = m.function_address(value);
    let Some(address) = address.constant() else { return };
    let body = MdBody::Tuple(vec![MdOperand::Const(address)]);
    let node = m.metadata.push(MdNode { distinct: false, body });
    let metadata = &mut m.functions[f].metadata;
    metadata.retain(|(n, _)| n != name);
    metadata.push((name.to_owned(), node));
}

/// Is a function a loop with checkpoints?
pub fn is_loop(f: &Function) -> bool {
    f.name.starts_with(LOOP_PREFIX)
}
