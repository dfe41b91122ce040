//! What the engine needs of the libraries before a program runs; [`crate::library`] is what it needs while it runs.

use crate::memory::Memory;
use crate::outcome::Res;
use crate::value::Pointer;
use ir::entity::SecondaryMap;
use ir::{FuncId, GlobalId, Module};

/// The symbols of a program, and where they are.
#[derive(Clone, Copy)]
pub struct Symbols<'a> {
    /// The module.
    pub module: &'a Module,
    /// Addresses of global variables.
    pub globals: &'a SecondaryMap<GlobalId, Pointer>,
    /// Addresses of functions.
    pub functions: &'a SecondaryMap<FuncId, Pointer>,
}

/// What libraries bring into a program.
pub trait Link {
    /// The module with the functions that the libraries bring as IR, if it names any.
    fn declare(&self, module: &Module) -> Option<Module>;

    /// Fills the libraries' variables that need the whole program.
    fn initialise(&self, symbols: Symbols<'_>, image: &mut Memory<()>) -> Res;

    /// Fills one declared variable of the libraries (`stdout`), if it is one.
    fn initialise_variable(&self, image: &mut Memory<()>, name: &str, at: Pointer) -> Res;

    /// Is it a function that is known by name even where the program defines it?
    fn replaces_body(&self, name: &str) -> bool;

    /// Is it one of the functions without which a program has one thread?
    fn is_of_threads(&self, name: &str) -> bool;

    /// Is it an intrinsic that is executed like a call of the libraries (of device code)?
    fn is_intrinsic(&self, name: &str) -> bool;
}
