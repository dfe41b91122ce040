//! The run-time part of libstdc++: what its headers leave to the shared library.
//!
//! Layouts and contracts are those of the Itanium C++ ABI and of libstdc++'s own headers (`stl_tree.h`,
//! `hashtable_policy.h`, …), which the program's IR was compiled from. Each file lists the mangled names it knows.

pub(crate) mod classes;
mod filebuf;
mod future;
mod hash;
pub(crate) mod iostream;
mod istream;
mod list;
mod search;
pub(crate) mod standard;
mod string;
mod string_parts;
mod stringbuf;
pub(crate) mod thread;
mod tree;

use crate::library::Shim;
use crate::machine::Machine;
use crate::unwind::{exception_ptr, exceptions};

/// Does a function work on streams?
pub fn keeps_text<M: Machine>(name: &str) -> bool {
    let found = iostream::find::<M>(name).or_else(|| istream::find(name));
    found.or_else(|| stringbuf::find(name)).or_else(|| filebuf::find(name)).is_some()
}

/// The shims of this folder by name.
pub fn find<M: Machine>(name: &str) -> Option<Shim<M>> {
    tree::find(name)
        .or_else(|| list::find(name))
        .or_else(|| hash::find(name))
        .or_else(|| exceptions::find(name))
        .or_else(|| exception_ptr::find(name))
        .or_else(|| future::find(name))
        .or_else(|| standard::find(name))
        .or_else(|| string::find(name))
        .or_else(|| iostream::find(name))
        .or_else(|| istream::find(name))
        .or_else(|| stringbuf::find(name))
        .or_else(|| filebuf::find(name))
        .or_else(|| thread::find(name))
}
