//! Constants and operands as text.

use super::slots::Slots;
use super::{Writer, escape, global_name};
use crate::constant::{ConstExpr, ConstId, ConstKind};
use crate::float_text;
use crate::function::{BlockId, Function};
use crate::inst::{GepFlags, Operand};
use crate::types::{Type, TypeId};

impl Writer<'_> {
    /// `i32 5`
    pub(super) fn typed_constant(&mut self, id: ConstId) {
        self.ty(self.module.constants.get(id).ty);
        self.out.push(' ');
        self.constant(id);
    }

    /// A constant without its type.
    pub(super) fn constant(&mut self, id: ConstId) {
        let constant = self.module.constants.get(id);
        match &constant.kind {
            ConstKind::Int(value) => self.int(constant.ty, *value),
            ConstKind::Float(bits) => match self.module.types.float_kind(constant.ty) {
                Some(kind) => self.put(&float_text::print(*bits, kind)),
                None => self.put("<float of another type>"),
            },
            ConstKind::Null => self.put("null"),
            ConstKind::Undef => self.put("undef"),
            ConstKind::Poison => self.put("poison"),
            ConstKind::Zero => self.put("zeroinitializer"),
            ConstKind::TokenNone => self.put("none"),
            ConstKind::Aggregate(elements) => self.aggregate(constant.ty, elements),
            ConstKind::Bytes(bytes) => {
                self.put("c\"");
                escape(&mut self.out, bytes);
                self.put("\"");
            }
            ConstKind::Global(id) => self.global_ref(&self.module.globals[*id].name),
            ConstKind::Function(id) => self.global_ref(&self.module.functions[*id].name),
            ConstKind::BlockAddress(id, block) => {
                let function = &self.module.functions[*id];
                self.put("blockaddress(");
                self.global_ref(&function.name);
                // The names of the block's own function, which need not be the one being printed.
                let name = Slots::new(function).block(*block).to_owned();
                self.put(&format!(", %{name})"));
            }
            ConstKind::InlineAsm(asm) => {
                self.put("asm ");
                for flag in &asm.flags {
                    self.put(&format!("{flag} "));
                }
                self.put("\"");
                escape(&mut self.out, &asm.template);
                self.put("\", \"");
                escape(&mut self.out, &asm.constraints);
                self.put("\"");
            }
            ConstKind::Expr(expr) => self.expr(constant.ty, expr),
            ConstKind::Metadata(operand) => self.md_operand(operand),
        }
    }

    pub(super) fn global_ref(&mut self, name: &str) {
        self.out.push('@');
        global_name(&mut self.out, name);
    }

    fn int(&mut self, ty: TypeId, value: u128) {
        match *self.module.types.get(ty) {
            Type::Int(1) => self.put(if value & 1 == 1 { "true" } else { "false" }),
            Type::Int(bits) => {
                let shift = 128 - bits.clamp(1, 128);
                self.number(((value << shift) as i128) >> shift);
            }
            _ => self.number(value),
        }
    }

    fn aggregate(&mut self, ty: TypeId, elements: &[ConstId]) {
        let (open, close) = match self.module.types.get(ty) {
            Type::Array { .. } => ("[", "]"),
            Type::Vector { .. } => ("<", ">"),
            _ => match (self.module.types.fields(ty), elements.is_empty()) {
                (Some((_, true)), true) => ("<{", "}>"),
                (Some((_, true)), false) => ("<{ ", " }>"),
                (_, true) => ("{", "}"),
                (_, false) => ("{ ", " }"),
            },
        };
        self.put(open);
        self.list(elements, |w, e| w.typed_constant(*e));
        self.put(close);
    }

    pub(super) fn gep_flags(&mut self, flags: GepFlags) {
        if flags.inbounds {
            self.put("inbounds ");
        } else if flags.nusw {
            self.put("nusw ");
        }
        if flags.nuw {
            self.put("nuw ");
        }
    }

    fn expr(&mut self, ty: TypeId, expr: &ConstExpr) {
        match expr {
            ConstExpr::Cast(op, value) => {
                self.put(op.name());
                self.put(" (");
                self.typed_constant(*value);
                self.put(" to ");
                self.ty(ty);
            }
            ConstExpr::Gep { elem_ty, flags, in_range, base, indices } => {
                self.put("getelementptr ");
                self.gep_flags(*flags);
                if let Some((low, high)) = in_range {
                    self.put(&format!("inrange({low}, {high}) "));
                }
                self.put("(");
                self.ty(*elem_ty);
                self.put(", ");
                self.typed_constant(*base);
                for index in indices {
                    self.put(", ");
                    self.typed_constant(*index);
                }
            }
            ConstExpr::Binary { op, nuw, nsw, lhs, rhs } => {
                self.put(op.name());
                self.put(if *nuw { " nuw" } else { "" });
                self.put(if *nsw { " nsw" } else { "" });
                self.put(" (");
                self.typed_constant(*lhs);
                self.put(", ");
                self.typed_constant(*rhs);
            }
        }
        self.put(")");
    }

    /// An operand without its type.
    pub(super) fn operand(&mut self, operand: Operand) {
        match operand {
            Operand::Local(value) => {
                self.out.push('%');
                match &self.slots {
                    Some(slots) => self.out.push_str(slots.value(value)),
                    None => self.out.push_str(&value.to_string()),
                }
            }
            Operand::Const(id) => self.constant(id),
        }
    }

    /// `i32 %x`
    pub(super) fn typed_operand(&mut self, func: &Function, operand: Operand) {
        self.ty(self.module.operand_ty(func, operand));
        self.out.push(' ');
        self.operand(operand);
    }

    /// `%loop`
    pub(super) fn block_ref(&mut self, block: BlockId) {
        self.out.push('%');
        self.block_name(block);
    }

    /// `loop`
    pub(super) fn block_name(&mut self, block: BlockId) {
        match &self.slots {
            Some(slots) => self.out.push_str(slots.block(block)),
            None => self.out.push_str(&block.to_string()),
        }
    }

    /// `label %loop`
    pub(super) fn label(&mut self, block: BlockId) {
        self.put("label ");
        self.block_ref(block);
    }
}
