//! Attributes of parameters, return values, call sites, functions and globals.
//!
//! Kept by name as LLVM prints them, so that none is lost; analyses ask by name.

use crate::types::TypeId;

/// The value of an attribute.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum AttrValue {
    /// A flag: `noalias`, `nounwind`.
    Flag,
    /// An integer: `align 8`, `dereferenceable(16)`, `alignstack(16)`.
    Int(u64),
    /// A type: `byval(%struct.s)`, `sret({ … })`, `elementtype(i32)`.
    Type(TypeId),
    /// A string attribute without value, `"key"`, or with one, `"key"="value"`.
    Str(Option<String>),
    /// The text inside the parentheses as printed: `memory(argmem: read)`, `range(i32 0, 10)`,
    /// `allockind("alloc,zeroed")`.
    Text(String),
}

/// One attribute.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Attr {
    /// Its name, without quotes.
    pub name: String,
    /// Its value.
    pub value: AttrValue,
}

/// A set of attributes in printed order.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Attrs(pub Vec<Attr>);

impl Attrs {
    /// Is an attribute of that name (of any kind of value) present?
    pub fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// The value of the attribute of that name.
    pub fn get(&self, name: &str) -> Option<&AttrValue> {
        self.0.iter().find(|a| a.name == name).map(|a| &a.value)
    }

    /// The type of a type attribute such as `byval(T)`.
    pub fn ty(&self, name: &str) -> Option<TypeId> {
        match self.get(name) {
            Some(AttrValue::Type(ty)) => Some(*ty),
            _ => None,
        }
    }

    /// The number of an integer attribute such as `align N`.
    pub fn int(&self, name: &str) -> Option<u64> {
        match self.get(name) {
            Some(AttrValue::Int(n)) => Some(*n),
            _ => None,
        }
    }

    /// Adds a flag.
    pub fn flag(mut self, name: &str) -> Attrs {
        self.0.push(Attr { name: name.to_owned(), value: AttrValue::Flag });
        self
    }

    /// No attribute at all.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
