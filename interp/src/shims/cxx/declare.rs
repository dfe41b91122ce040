//! Functions of libstdc++ that programs need even where they do not declare them: its vtables hold them.

use super::{future, standard};
use ir::{Function, Module};

/// The module with the functions of the standard exceptions declared, if it has to do with exceptions and lacks some.
pub fn declare(module: &Module) -> Option<Module> {
    let concerned = |name: &str| {
        name == "__cxa_begin_catch"
            || name == "__cxa_throw"
            || name.contains("__throw_")
            || name.contains("basic_string")
            || future::is_concerned(name)
    };
    let uses = module.functions.values().any(|f| f.is_declaration() && concerned(&f.name))
        || module.globals.values().any(|g| g.init.is_none() && g.name.starts_with("_ZTVSt"));
    if !uses {
        return None;
    }
    let mut whole = module.clone();
    let (ptr, void) = (whole.types.ptr(), whole.types.void());
    for names in standard::members() {
        for (name, ret) in names.iter().zip([void, void, ptr]) {
            if whole.function(name).is_none() {
                whole.functions.push(Function::new(name, ret, &[ptr]));
            }
        }
    }
    future::declare(&mut whole);
    Some(whole)
}
