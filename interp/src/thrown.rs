//! Exceptions that were thrown and caught, by thread, and those that are shared.
//!
//! What the ABI keeps in a header before the exception object is kept here, by the object's address. Objects are heap
//! blocks, so that a use after the last handler ends is found.

use crate::outcome::{Fault, Res, UbKind};
use crate::value::{Pointer, Scalar};
use std::collections::BTreeMap;

/// A type: its mangled name, and its `std::type_info` if the program has one.
#[derive(Clone, Debug, PartialEq)]
pub struct ClassRef {
    /// The mangled name, such as `St9exception`.
    pub name: String,
    pub(crate) info: Pointer,
}

impl ClassRef {
    /// A class of the standard library.
    pub fn standard(name: &str) -> ClassRef {
        ClassRef { name: name.to_owned(), info: Pointer::NULL }
    }
}

/// An exception that is shared.
#[derive(Clone, Debug)]
pub struct Shared {
    pub(crate) object: Pointer,
    pub(crate) ty: ClassRef,
    pub(crate) destructor: Pointer,
    /// Pointers to it.
    pub(crate) pointers: u64,
    /// Threads in which it is thrown or handled.
    pub threads: u64,
}

/// An exception: its object and type.
#[derive(Clone, Debug)]
pub struct Thrown {
    /// The object.
    pub object: Pointer,
    /// Its type.
    pub ty: ClassRef,
    /// Its destructor, or null.
    pub destructor: Pointer,
    /// Handlers that have begun and not ended; negative while it is thrown again.
    pub(crate) handlers: i64,
    /// What the handler just entered sees.
    pub(crate) seen: Pointer,
}

/// What all threads have in common.
#[derive(Clone, Debug, Default)]
pub struct Common {
    /// Vtables and texts of standard exceptions made so far.
    pub tables: BTreeMap<String, Pointer>,
    /// Exceptions with pointers to them, by address of the object.
    pub shared: BTreeMap<u64, Shared>,
}

/// The exceptions of a thread.
#[derive(Clone, Debug, Default)]
pub struct Exceptions {
    /// By address of the object.
    pub(crate) thrown: BTreeMap<u64, Thrown>,
    /// Those in handlers, the innermost last.
    pub(crate) caught: Vec<u64>,
    /// Thrown and not yet in a handler.
    pub(crate) uncaught: i64,
    /// What all threads have in common.
    pub common: Common,
    /// What the landing pad just entered gives.
    pub landing: (Pointer, i32),
}

impl Exceptions {
    /// The exception with that object.
    pub fn find(&self, object: u64) -> Option<Thrown> {
        self.thrown.get(&object).cloned()
    }

    /// The exception whose handler runs.
    pub fn handled(&self) -> Option<Thrown> {
        self.caught.last().and_then(|object| self.find(*object))
    }

    /// A landing pad is entered, whose handler will see `seen`.
    pub fn enter(&mut self, object: Pointer, seen: Pointer, selector: i32) {
        if let Some(thrown) = self.thrown.get_mut(&object.addr) {
            thrown.seen = seen;
        }
        self.landing = (object, selector);
    }
}

/// A scalar that is a pointer to a run-time object.
pub fn pointer(scalar: Scalar) -> Res<Pointer> {
    if scalar.is_init() {
        return Ok(scalar.as_ptr());
    }
    Err(Fault::ub(UbKind::Uninitialised, "a pointer of an object with virtual functions is uninitialised"))
}
