//! Types as text.

use super::{Writer, global_name};
use crate::types::{Type, TypeId, Types};
use std::fmt::Write;

/// A type as LLVM writes it.
pub fn type_text(types: &Types, ty: TypeId) -> String {
    let mut out = String::new();
    put_type(&mut out, types, ty);
    out
}

/// Appends a type. (Writing to a string cannot fail.)
fn put_type(out: &mut String, types: &Types, ty: TypeId) {
    match types.get(ty) {
        Type::Void => out.push_str("void"),
        Type::Int(bits) => {
            let _ = write!(out, "i{bits}");
        }
        Type::Float(kind) => out.push_str(kind.keyword()),
        Type::Ptr(0) => out.push_str("ptr"),
        Type::Ptr(space) => {
            let _ = write!(out, "ptr addrspace({space})");
        }
        Type::Vector { len, elem } => {
            let _ = write!(out, "<{len} x ");
            put_type(out, types, *elem);
            out.push('>');
        }
        Type::Array { len, elem } => {
            let _ = write!(out, "[{len} x ");
            put_type(out, types, *elem);
            out.push(']');
        }
        Type::Struct { fields, packed } => put_fields(out, types, fields, *packed),
        Type::Named(id) => {
            out.push('%');
            global_name(out, &types.named(*id).name);
        }
        Type::Func { ret, params, vararg } => {
            put_type(out, types, *ret);
            out.push_str(" (");
            put_types(out, types, params);
            match (vararg, params.is_empty()) {
                (true, true) => out.push_str("..."),
                (true, false) => out.push_str(", ..."),
                (false, _) => {}
            }
            out.push(')');
        }
        Type::Label => out.push_str("label"),
        Type::Token => out.push_str("token"),
        Type::Metadata => out.push_str("metadata"),
    }
}

fn put_types(out: &mut String, types: &Types, list: &[TypeId]) {
    for (i, ty) in list.iter().enumerate() {
        if i > 0 {
            out.push_str(", ");
        }
        put_type(out, types, *ty);
    }
}

fn put_fields(out: &mut String, types: &Types, fields: &[TypeId], packed: bool) {
    out.push_str(if packed { "<{" } else { "{" });
    if !fields.is_empty() {
        out.push(' ');
        put_types(out, types, fields);
        out.push(' ');
    }
    out.push_str(if packed { "}>" } else { "}" });
}

impl Writer<'_> {
    pub(super) fn ty(&mut self, ty: TypeId) {
        put_type(&mut self.out, &self.module.types, ty);
    }

    /// `%name = type { … }`, all of them.
    pub(super) fn structs(&mut self) {
        let types = &self.module.types;
        for (_, s) in types.named_structs() {
            self.out.push('%');
            global_name(&mut self.out, &s.name);
            self.out.push_str(" = type ");
            match &s.body {
                Some((fields, packed)) => put_fields(&mut self.out, types, fields, *packed),
                None => self.out.push_str("opaque"),
            }
            self.out.push('\n');
        }
    }
}
