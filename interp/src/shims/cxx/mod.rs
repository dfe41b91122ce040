//! The run-time part of libstdc++: what its headers leave to the shared library.
//!
//! Layouts and contracts are those of the Itanium C++ ABI and of libstdc++'s own headers (`stl_tree.h`,
//! `hashtable_policy.h`, …), which the program's IR was compiled from. Each file lists the mangled names it knows.

pub(crate) mod classes;
pub(crate) mod declare;
mod filebuf;
mod fstream;
mod future;
mod hash;
mod ios;
pub(crate) mod iostream;
mod istream;
mod list;
mod ostream;
mod search;
pub(crate) mod standard;
mod string;
mod string_changes;
mod string_members;
mod string_parts;
mod stringbuf;
pub(crate) mod thread;
mod tree;

use crate::machine::Machine;
use crate::shims::state::Shim;
use crate::unwind::{catch, exception_ptr};

/// Does a function work on streams?
pub fn keeps_text<M: Machine>(name: &str) -> bool {
    let found = ostream::find::<M>(name).or_else(|| iostream::find(name)).or_else(|| istream::find(name));
    found.or_else(|| stringbuf::find(name)).or_else(|| fstream::find(name)).is_some()
}

/// The shims of this folder by name.
pub fn find<M: Machine>(name: &str) -> Option<Shim<M>> {
    tree::find(name)
        .or_else(|| list::find(name))
        .or_else(|| hash::find(name))
        .or_else(|| catch::find(name))
        .or_else(|| exception_ptr::find(name))
        .or_else(|| future::find(name))
        .or_else(|| standard::find(name))
        .or_else(|| string_members::find(name))
        .or_else(|| ostream::find(name))
        .or_else(|| iostream::find(name))
        .or_else(|| istream::find(name))
        .or_else(|| stringbuf::find(name))
        .or_else(|| fstream::find(name))
        .or_else(|| thread::find(name))
}
