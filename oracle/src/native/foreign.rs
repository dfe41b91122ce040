//! The boundary: a shared library in the process, and its functions as pointers whose type is compared with the
//! function's.
//!
//! Three things are not the compiler's to check here.
//!
//! - *Opening* runs the constructors of the program that the user has named, as running the program would: who loads a
//!   program vouches for it. Nothing is left open when that is done (`RTLD_NOW`), so no later call can fail to find a
//!   function.
//! - *The type* of a pointer: [`CFunction`] is implemented for pointers to functions of the calling convention of C
//!   only, and nobody else can implement it, so that a pointer and an address are of the same size; its signature is
//!   compared with that in IR before the address is taken for such a pointer. What pointers point to, and how far, is
//!   not compared, so calling stays unsafe.
//! - *The life* of the code: a [`Symbol`] holds the library, which is closed when the last one is dropped. The bare
//!   pointer can be copied out of it (it is `Copy`), as with any library for Rust; using it, an unsafe call, is then
//!   right only while a symbol lives.

#![allow(
    unsafe_code,
    reason = "opens the library that was made of the user's program, and gives pointers to its functions"
)]

use super::signature::{Passed, Signature};
use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
use std::error::Error;
use std::fmt;
use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;

/// A library in the process.
#[derive(Debug)]
pub(super) struct Opened(Library);

impl Opened {
    /// Opens a file; an error is what the system's loader says.
    pub fn open(path: &Path) -> Result<Opened, String> {
        // SAFETY: the file was just made from the user's program, whose constructors the user vouches for.
        let library = unsafe { Library::open(Some(path), RTLD_NOW | RTLD_LOCAL) };
        library.map(Opened).map_err(|error| error.source().map_or_else(|| error.to_string(), ToString::to_string))
    }
}

/// A pointer to a function of a loaded library, which stays loaded as long as this lives. It is called like the
/// function.
pub struct Symbol<F> {
    function: F,
    library: Arc<Opened>,
}

impl<F: CFunction> Symbol<F> {
    /// The function of that name, which must be of that signature. `None` if the library does not export it.
    pub(super) fn find(library: &Arc<Opened>, name: &str, signature: &Signature) -> Option<Symbol<F>> {
        assert!(signature.fits(&F::signature()), "the signature was compared before");
        // SAFETY: `F` is a pointer to a function ([`CFunction`] is sealed) whose parameters and result are passed as
        // those of the function.
        let function = unsafe { library.0.get::<F>(name) }.ok()?;
        Some(Symbol { function: *function, library: library.clone() })
    }
}

impl<F> Deref for Symbol<F> {
    type Target = F;

    fn deref(&self) -> &F {
        &self.function
    }
}

impl<F: Clone> Clone for Symbol<F> {
    fn clone(&self) -> Symbol<F> {
        Symbol { function: self.function.clone(), library: self.library.clone() }
    }
}

impl<F: fmt::Debug> fmt::Debug for Symbol<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Symbol").field(&self.function).finish()
    }
}

/// A pointer to a function of C, `unsafe extern "C" fn(…) -> …`, of up to 16 parameters.
pub trait CFunction: Copy + sealed::CFunction {
    /// Its signature.
    fn signature() -> Signature;
}

mod sealed {
    //! Nobody else can add types.

    /// Implemented here only.
    pub trait CFunction {}
}

macro_rules! functions {
    ($($param:ident)*) => {
        impl<$($param: Passed,)* R: Passed> sealed::CFunction for unsafe extern "C" fn($($param),*) -> R {}
        impl<$($param: Passed,)* R: Passed> CFunction for unsafe extern "C" fn($($param),*) -> R {
            fn signature() -> Signature {
                Signature { params: vec![$($param::kind()),*], variadic: false, result: R::kind() }
            }
        }
    };
}

functions!();
functions!(A);
functions!(A B);
functions!(A B C);
functions!(A B C D);
functions!(A B C D E);
functions!(A B C D E G);
functions!(A B C D E G H);
functions!(A B C D E G H I);
functions!(A B C D E G H I J);
functions!(A B C D E G H I J K);
functions!(A B C D E G H I J K L);
functions!(A B C D E G H I J K L M);
functions!(A B C D E G H I J K L M N);
functions!(A B C D E G H I J K L M N O);
functions!(A B C D E G H I J K L M N O P);
functions!(A B C D E G H I J K L M N O P Q);
