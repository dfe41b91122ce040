//! Metadata (LangRef, "Metadata"): kept whole, node by node and field by field, so that
//! debug information and TBAA survive a read-print-read cycle, with accessors for what we use.

use crate::constant::ConstId;
use cranelift_entity::entity_impl;

/// A numbered metadata node, `!12`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MdId(u32);
entity_impl!(MdId, "!");

/// An operand of a metadata tuple or field.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum MdOperand {
    /// `null`
    Null,
    /// `!12`
    Node(MdId),
    /// `!"text"`
    Str(Vec<u8>),
    /// A typed constant, `i64 8`.
    Const(ConstId),
    /// An inline node, as `!DIExpression(…)` always is.
    Inline(Box<MdNode>),
    /// A value of the function in which the operand stands: `metadata ptr %x`.
    Local(crate::inst::Operand),
}

/// The value of a field of a specialised node.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum MdField {
    /// An integer.
    Int(i128),
    /// A string, quoted in print.
    Str(Vec<u8>),
    /// Bare words such as `DW_TAG_member`, `DIFlagPrototyped | DIFlagX`, `true`, `FullDebug`, as printed.
    Words(String),
    /// Anything else that may stand as an operand.
    Operand(MdOperand),
}

/// The body of a node.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum MdBody {
    /// `!{ … }`
    Tuple(Vec<MdOperand>),
    /// `!DILocation(line: 3, …)`: the class name without `!`, then its fields; the name of a field is
    /// empty where the class takes positional operands (`!DIExpression`, `!DIArgList`).
    Special {
        /// `DILocation`, `DISubprogram`, …
        class: String,
        /// Fields in printed order.
        fields: Vec<(String, MdField)>,
    },
}

/// A metadata node.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct MdNode {
    /// `distinct`
    pub distinct: bool,
    /// What it holds.
    pub body: MdBody,
}

impl MdNode {
    /// The class of a specialised node, or `""`.
    pub fn class(&self) -> &str {
        match &self.body {
            MdBody::Special { class, .. } => class,
            MdBody::Tuple(_) => "",
        }
    }

    /// A field of a specialised node by name.
    pub fn field(&self, name: &str) -> Option<&MdField> {
        match &self.body {
            MdBody::Special { fields, .. } => fields.iter().find(|(n, _)| n == name).map(|(_, f)| f),
            MdBody::Tuple(_) => None,
        }
    }

    /// An integer field.
    pub fn int(&self, name: &str) -> Option<i128> {
        match self.field(name) {
            Some(MdField::Int(i)) => Some(*i),
            _ => None,
        }
    }

    /// A field that refers to another node.
    pub fn node(&self, name: &str) -> Option<MdId> {
        match self.field(name) {
            Some(MdField::Operand(MdOperand::Node(id))) => Some(*id),
            _ => None,
        }
    }

    /// A string field.
    pub fn str(&self, name: &str) -> Option<String> {
        match self.field(name) {
            Some(MdField::Str(s)) => Some(String::from_utf8_lossy(s).into_owned()),
            _ => None,
        }
    }

    /// The operands of a tuple; empty for specialised nodes.
    pub fn operands(&self) -> &[MdOperand] {
        match &self.body {
            MdBody::Tuple(ops) => ops,
            MdBody::Special { .. } => &[],
        }
    }
}

/// A place in the user's source.
#[derive(Clone, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct SourceLoc {
    /// File name as in the debug information (with its directory when relative).
    pub file: String,
    /// Line, from 1; 0 when the compiler gave none.
    pub line: u32,
    /// Column, from 1; 0 when the compiler gave none.
    pub column: u32,
}

impl std::fmt::Display for SourceLoc {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}
