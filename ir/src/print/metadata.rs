//! Metadata as text.

use super::{Writer, escape};
use crate::entity::EntityRef;
use crate::inst::DebugRecord;
use crate::metadata::{MdBody, MdField, MdId, MdNode, MdOperand};

impl Writer<'_> {
    pub(super) fn md_ref(&mut self, id: MdId) {
        self.put("!");
        self.number(id.index());
    }

    pub(super) fn md_operand(&mut self, operand: &MdOperand) {
        match operand {
            MdOperand::Null => self.put("null"),
            MdOperand::Node(id) => self.md_ref(*id),
            MdOperand::Str(text) => {
                self.put("!\"");
                escape(&mut self.out, text);
                self.put("\"");
            }
            MdOperand::Const(id) => self.typed_constant(*id),
            MdOperand::Inline(node) => self.node(node),
            MdOperand::Local(operand) => {
                // The type of a local value is known to its function alone.
                let ty = match operand {
                    crate::Operand::Const(id) => Some(self.module.constants.get(*id).ty),
                    crate::Operand::Local(value) => self.slots.as_ref().and_then(|s| s.ty(*value)),
                };
                if let Some(ty) = ty {
                    self.ty(ty);
                    self.put(" ");
                }
                self.operand(*operand);
            }
        }
    }

    fn node(&mut self, node: &MdNode) {
        if node.distinct {
            self.put("distinct ");
        }
        match &node.body {
            MdBody::Tuple(operands) => {
                self.put("!{");
                self.list(operands, |w, o| w.md_operand(o));
                self.put("}");
            }
            MdBody::Special { class, fields } => {
                self.put("!");
                self.put(class);
                self.put("(");
                self.list(fields, |w, (name, field)| {
                    if !name.is_empty() {
                        w.put(name);
                        w.put(": ");
                    }
                    w.field(field);
                });
                self.put(")");
            }
        }
    }

    fn field(&mut self, field: &MdField) {
        match field {
            MdField::Int(i) => self.number(i),
            MdField::Str(text) => {
                self.put("\"");
                escape(&mut self.out, text);
                self.put("\"");
            }
            MdField::Words(words) => self.put(words),
            MdField::Operand(operand) => self.md_operand(operand),
        }
    }

    /// A name of a kind or of named metadata; escapes are by backslash, without quotes.
    pub(super) fn md_name(&mut self, name: &str) {
        self.put("!");
        for (i, b) in name.bytes().enumerate() {
            let plain =
                b.is_ascii_alphabetic() || matches!(b, b'-' | b'$' | b'.' | b'_') || (i > 0 && b.is_ascii_digit());
            if plain {
                self.out.push(char::from(b));
            } else {
                self.put(&format!("\\{b:02X}"));
            }
        }
    }

    /// Attachments, each behind `separator`.
    pub(super) fn attachments(&mut self, separator: &str, list: &[(String, MdId)]) {
        if self.options.metadata {
            for (kind, id) in list {
                self.put(separator);
                self.md_name(kind);
                self.put(" ");
                self.md_ref(*id);
            }
        }
    }

    /// `#dbg_value(…)` on a line of its own.
    pub(super) fn debug_record(&mut self, record: &DebugRecord) {
        self.put("    #dbg_");
        self.put(&record.kind);
        self.put("(");
        self.list(&record.operands, |w, o| w.md_operand(o));
        self.put(")\n");
    }

    /// Named metadata and all numbered nodes.
    pub(super) fn all_metadata(&mut self) {
        for (name, nodes) in &self.module.named_metadata {
            self.md_name(name);
            self.put(" = !{");
            self.list(nodes, |w, id| w.md_ref(*id));
            self.put("}\n");
        }
        if !self.module.metadata.is_empty() {
            self.put("\n");
        }
        for (id, node) in &self.module.metadata {
            self.md_ref(id);
            self.put(" = ");
            self.node(node);
            self.put("\n");
        }
    }
}
