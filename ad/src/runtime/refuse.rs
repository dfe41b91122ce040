//! The end of a gradient at run time, with a message.

use crate::base::builder::{Builder, plain_call};
use crate::base::names::{self, declare, internal};
use ir::{FuncId, InstKind, Module, Operand};

/// What ends the program where a gradient cannot go on. The interpreter knows it by name and stops as `unsupported`,
/// with the place.
pub const REFUSE: &str = "__adj_unsupported";

/// The call that ends a gradient at run time with a message.
pub fn refusal(m: &mut Module, text: &str) -> InstKind {
    let refuse = refuse(m);
    let fn_ty = function_type(m, refuse);
    let args = vec![message(m, text), m.int(64, text.len() as u128)];
    InstKind::Call(Box::new(plain_call(m.function_address(refuse), fn_ty, args, String::new())))
}

pub(crate) fn function_type(m: &mut Module, f: FuncId) -> ir::TypeId {
    let f = &m.functions[f];
    let (ret, vararg) = (f.ret, f.vararg);
    let params = f.params.iter().map(|p| p.ty).collect();
    m.types.intern(ir::Type::Func { ret, params, vararg })
}

/// `void @__adj_unsupported(ptr text, i64 length)`: writes a message to the standard error stream and aborts.
pub fn refuse(m: &mut Module) -> FuncId {
    let (ptr, i64t, i32t, void) = (m.types.ptr(), m.types.int(64), m.types.int(32), m.types.void());
    let mut f = match internal(m, REFUSE, void, &[ptr, i64t]) {
        Ok(f) => f,
        Err(id) => return id,
    };
    f.attrs = f.attrs.flag("noinline");
    let write = declare(m, "write", i64t, &[i32t, ptr, i64t]);
    let abort = declare(m, "abort", void, &[]);
    let mut b = Builder::new(m, f);
    let (text, length) = (b.f.param(0), b.f.param(1));
    let stream = b.m.int(32, 2);
    b.call(write, vec![stream, text, length]);
    b.call(abort, vec![]);
    b.effect(InstKind::Unreachable);
    let f = b.f;
    m.functions.push(f)
}

/// The address of a constant text, without a terminating zero.
pub fn message(m: &mut Module, text: &str) -> Operand {
    let i8t = m.types.int(8);
    let ty = m.types.array(text.len() as u64, i8t);
    let init = m.constants.intern(ty, ir::ConstKind::Bytes(text.as_bytes().to_vec()));
    let known = m.globals.iter().find(|(_, g)| g.init == Some(init) && g.name.starts_with("__adj_message"));
    if let Some((id, _)) = known {
        return m.global_address(id);
    }
    let mut global = ir::Global::new(&names::unique(m, "__adj_message"), ty, Some(init));
    global.flags.linkage = "private".to_owned();
    global.constant = true;
    global.align = 1;
    let id = m.globals.push(global);
    m.global_address(id)
}
