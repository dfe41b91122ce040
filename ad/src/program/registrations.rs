//! What the program tells of its functions and variables, in one spelling.
//!
//! [`apply`] turns registrations and annotations ([`ir::hint`]) into attributes and metadata, the spelling
//! that front ends use (Moses & Churavy, NeurIPS 2020, §3); everything else reads only those ([`super::attributes`]).

use super::attributes::{
    ALLOCATOR, AUGMENT, DEALLOCATOR, DERIVATIVE, GRADIENT, INACTIVE, LIKE, RECOMPUTE, attach, like, set,
};
use crate::error::{Diagnostic, Reason};
use crate::program::custom_rule::{self, Signature};
use crate::program::externals::{External, classify};
use crate::program::loop_marks::MARK;
use crate::program::pieces;
use ir::hint::{Registration, Symbol};
use ir::{ConstExpr, ConstId, ConstKind, FuncId, Module};

/// Attributes that a function may have by a registration of this name, or by an annotation.
const FLAGS: [(&str, &str); 4] = [
    ("__enzyme_inactivefn", INACTIVE),
    ("__enzyme_inactive_global", INACTIVE),
    ("__enzyme_nofree", "enzyme_nofree"),
    ("__enzyme_shouldrecompute", RECOMPUTE),
];

/// Brings the hints of a module into one spelling; what is not understood is told.
pub fn apply(m: &mut Module) -> Vec<Diagnostic> {
    let mut errors = Vec::new();
    for registration in m.registrations() {
        if let Err(message) = register(m, &registration) {
            errors.push(Diagnostic {
                reason: if message.starts_with("unsupported") { Reason::Unsupported } else { Reason::Misuse },
                message,
                function: m.globals[registration.global].name.clone(),
                instruction: None,
                loc: m.global_loc(registration.global),
            });
        }
    }
    for (symbol, text) in m.annotations() {
        let (name, value) = match text.split_once('=') {
            Some((name, value)) => (name.to_owned(), Some(value.to_owned())),
            None => (text, None),
        };
        match symbol {
            Symbol::Function(f) => set(&mut m.functions[f].attrs.0, &name, value),
            Symbol::Global(g) => set(&mut m.globals[g].attrs.0, &name, value),
        }
    }
    for (_, f) in m.functions.iter() {
        if let Some(name) = like(f)
            && matches!(classify(m, f), External::Unknown)
        {
            let message = format!("`{}` is to be differentiated as `{name}`, of which nothing is known", f.name);
            errors.push(Diagnostic::of(m, f, Reason::Misuse, message));
        }
    }
    errors
}

fn register(m: &mut Module, registration: &Registration) -> Result<(), String> {
    let elements = &registration.elements;
    let variable = m.globals[registration.global].name.clone();
    let convention = |form: &str| format!("`{variable}` is not of the form {form}");
    match registration.name {
        "__enzyme_register_gradient" => {
            let form = "{function, augmented forward, reverse}";
            let [f, augmented, reverse] = functions(m, elements).ok_or_else(|| convention(form))?;
            if f == augmented || f == reverse {
                return Err(format!("`{}` is given as its own rule", m.functions[f].name));
            }
            let [augmented, reverse] = [augmented, reverse].map(|rule| pieces::in_order(m, f, rule, false));
            attach(m, f, AUGMENT, augmented);
            attach(m, f, GRADIENT, reverse);
            Signature::of(m, f).map(drop)
        }
        "__enzyme_register_derivative" => {
            let [f, tangent] = functions(m, elements).ok_or_else(|| convention("{function, tangent}"))?;
            if f == tangent {
                return Err(format!("`{}` is given as its own rule", m.functions[f].name));
            }
            let tangent = pieces::in_order(m, f, tangent, true);
            attach(m, f, DERIVATIVE, tangent);
            custom_rule::tangent(m, f, tangent).map(drop)
        }
        // A rule for a mode that is refused wherever it is asked for.
        "__enzyme_register_splitderivative" => Ok(()),
        // [`crate::program::loop_marks`].
        MARK => Ok(()),
        "__enzyme_function_like" => {
            let form = "{function, \"name of a known function\"}";
            let [f, name] = elements.as_slice() else { return Err(convention(form)) };
            let (Some(f), Some(name)) = (function(m, *f), m.text(*name)) else { return Err(convention(form)) };
            set(&mut m.functions[f].attrs.0, LIKE[0], Some(name));
            Ok(())
        }
        "__enzyme_allocation_like" => allocator(m, elements)
            .ok_or_else(|| convention("{allocator, index of its size, \"-1,…\" (arguments of the free), free}")),
        name => {
            let attribute = FLAGS.iter().find(|(n, _)| *n == name).map_or(INACTIVE, |(_, a)| *a);
            let of_variables = name == "__enzyme_inactive_global";
            for element in elements {
                match m.symbol(*element) {
                    Some(Symbol::Function(f)) if !of_variables => set(&mut m.functions[f].attrs.0, attribute, None),
                    Some(Symbol::Global(g)) if of_variables => set(&mut m.globals[g].attrs.0, attribute, None),
                    _ if of_variables => return Err(convention("{addresses of variables}")),
                    _ => return Err(convention("{functions}")),
                }
            }
            Ok(())
        }
    }
}

/// `{allocator, index of the size, "-1,…", free}`: the string lists what the free gets, where -1 is the block
/// and other numbers are arguments of the allocation.
fn allocator(m: &mut Module, elements: &[ConstId]) -> Option<()> {
    let [allocator, size, arguments, free] = elements else { return None };
    let (allocator, free) = (function(m, *allocator)?, function(m, *free)?);
    let size = number(m, *size)?;
    let block = m.text(*arguments)?.split(',').position(|a| a.trim() == "-1")?;
    let is_size =
        m.functions[allocator].params.get(size).is_some_and(|p| matches!(m.types.get(p.ty), ir::Type::Int(_)));
    let is_block = m.functions[free].params.get(block).is_some_and(|p| m.types.is_ptr(p.ty));
    if !is_size || !is_block {
        return None;
    }
    set(&mut m.functions[allocator].attrs.0, ALLOCATOR, Some(size.to_string()));
    set(&mut m.functions[free].attrs.0, DEALLOCATOR, Some(block.to_string()));
    Some(())
}

fn function(m: &Module, constant: ConstId) -> Option<FuncId> {
    match m.symbol(constant)? {
        Symbol::Function(f) => Some(f),
        Symbol::Global(_) => None,
    }
}

fn functions<const N: usize>(m: &Module, elements: &[ConstId]) -> Option<[FuncId; N]> {
    let found: Option<Vec<FuncId>> = elements.iter().map(|e| function(m, *e)).collect();
    found?.try_into().ok()
}

/// A number that was cast to a pointer.
fn number(m: &Module, constant: ConstId) -> Option<usize> {
    match &m.constants.get(constant).kind {
        ConstKind::Int(n) => usize::try_from(*n).ok(),
        ConstKind::Null | ConstKind::Zero => Some(0),
        ConstKind::Expr(ConstExpr::Cast(_, inner)) => number(m, *inner),
        _ => None,
    }
}
