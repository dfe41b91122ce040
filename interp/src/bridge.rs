//! The bridge to native code: functions of the host's shared libraries, for declarations that neither the table of
//! rules nor a shim knows.
//!
//! It is closed unless libraries are named. A call crosses it through libffi, with scalars only: integers of up to 64
//! bits, `float` and `double`, and one such result or none. A pointer does not cross, for interpreted memory is not the
//! host's. What the library does is out of the interpreter's sight, so no undefined behaviour is found in it, no
//! snapshot holds its state, and a number that went through it has no derivative: where shadows ride along, a call with
//! a floating-point argument is refused.
//!
//! Soundness is the user's: who names a library says that its functions are what the program declares
//! (`adj run --native-calls`).

#![allow(
    unsafe_code,
    reason = "opens libraries that the user names, and calls functions of them as the program declares them"
)]

use crate::outcome::{Fault, Res};
use crate::value::Leaf;
use ir::FloatKind;
use libffi::middle::{Arg, Cif, CodePtr, Type};
use std::collections::BTreeMap;
use std::error::Error;
use std::ffi::{OsStr, c_int, c_void};
use std::fmt;
use std::path::Path;
use std::sync::{Arc, Mutex};

unsafe extern "C" {
    fn __errno_location() -> *mut c_int;
}

/// Whether native code may be called, and of which libraries.
#[derive(Clone, Default, Debug)]
pub enum Bridge {
    /// None.
    #[default]
    Closed,
    /// None, because this code is executed several times where the program executes it once.
    Repeated,
    /// That of these libraries.
    Open(Arc<Libraries>),
}

impl PartialEq for Bridge {
    fn eq(&self, other: &Bridge) -> bool {
        match (self, other) {
            (Bridge::Closed, Bridge::Closed) | (Bridge::Repeated, Bridge::Repeated) => true,
            (Bridge::Open(a), Bridge::Open(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }
}

impl Bridge {
    /// A bridge to libraries, by file or by the name that the system's loader finds (`libm.so.6`). Their initialisers
    /// run now.
    pub fn open<S: AsRef<OsStr>>(names: &[S]) -> Result<Bridge, NotOpened> {
        let mut libraries = Vec::new();
        for name in names {
            // The loader looks for a name without a slash in its own folders only.
            let file = Path::new(name.as_ref()).canonicalize();
            let name = name.as_ref();
            // SAFETY: the user vouches for the library's initialisers. It is closed after the last function found in it
            // is forgotten.
            let library = unsafe { libloading::Library::new(file.as_deref().map_or(name, Path::as_os_str)) };
            let name = name.to_string_lossy().into_owned();
            match library {
                Ok(library) => libraries.push((name, library)),
                // What the loader says is the source of the error.
                Err(error) => {
                    let why = error.source().map_or_else(|| error.to_string(), ToString::to_string);
                    return Err(NotOpened { name, why });
                }
            }
        }
        Ok(Bridge::Open(Arc::new(Libraries { libraries, crossings: Mutex::default() })))
    }

    /// The same for code that is executed several times where the program executes it once.
    pub fn repeated(&self) -> Bridge {
        match self {
            Bridge::Closed => Bridge::Closed,
            Bridge::Repeated | Bridge::Open(_) => Bridge::Repeated,
        }
    }

    /// The calls so far, through this bridge and its clones.
    pub fn crossings(&self) -> Vec<Crossing> {
        let Bridge::Open(libraries) = self else { return Vec::new() };
        let Ok(crossings) = libraries.crossings.lock() else { return Vec::new() };
        let entry = |((function, library), calls): (&(String, usize), &u64)| Crossing {
            function: function.clone(),
            library: libraries.libraries[*library].0.clone(),
            calls: *calls,
        };
        crossings.iter().map(entry).collect()
    }
}

/// A library that cannot be opened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotOpened {
    /// As the user named it.
    pub name: String,
    /// What the system's loader says.
    pub why: String,
}

impl fmt::Display for NotOpened {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the library {} cannot be opened: {}", self.name, self.why)
    }
}

impl Error for NotOpened {}

/// A function of a library that was called, and how often.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Crossing {
    /// The function.
    pub function: String,
    /// The library that it was found in, as the user named it.
    pub library: String,
    /// Calls.
    pub calls: u64,
}

/// Shared libraries of the host.
#[derive(Debug)]
pub struct Libraries {
    /// In the order in which they are asked.
    libraries: Vec<(String, libloading::Library)>,
    /// By function and library: calls.
    crossings: Mutex<BTreeMap<(String, usize), u64>>,
}

/// How C passes a scalar.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Passed {
    /// As an integer of that type, sign-extended.
    Signed(u8),
    /// As an integer of that type, zero-extended.
    Unsigned(u8),
    /// As a number.
    Float(FloatKind),
}

impl Passed {
    /// How C passes a leaf, if it crosses the bridge; `signed` is whether it is declared `signext`.
    pub fn of(leaf: Leaf, signed: bool) -> Option<Passed> {
        match leaf {
            Leaf::Int(1) => Some(Passed::Unsigned(8)),
            Leaf::Int(bits @ (8 | 16 | 32 | 64)) => {
                Some(if signed { Passed::Signed(bits) } else { Passed::Unsigned(bits) })
            }
            Leaf::Float(kind @ (FloatKind::Float | FloatKind::Double)) => Some(Passed::Float(kind)),
            Leaf::Int(_) | Leaf::Float(_) | Leaf::Ptr => None,
        }
    }

    fn ffi(self) -> Type {
        match self {
            Passed::Signed(8) => Type::i8(),
            Passed::Signed(16) => Type::i16(),
            Passed::Signed(32) => Type::i32(),
            Passed::Signed(_) => Type::i64(),
            Passed::Unsigned(8) => Type::u8(),
            Passed::Unsigned(16) => Type::u16(),
            Passed::Unsigned(32) => Type::u32(),
            Passed::Unsigned(_) => Type::u64(),
            Passed::Float(FloatKind::Float) => Type::f32(),
            Passed::Float(_) => Type::f64(),
        }
    }
}

/// What a native function gave.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Given {
    /// The bits of its result, of which the declared ones count.
    pub bits: u64,
    /// What it left in `errno`; 0 if it did not touch it.
    pub errno: i32,
}

impl Libraries {
    /// The library that has a function of that name.
    fn find(&self, name: &str) -> Option<(usize, CodePtr)> {
        self.libraries.iter().enumerate().find_map(|(index, (_, library))| {
            // SAFETY: a pointer stands for the function, which is called with the types that the program declares.
            let address: *mut c_void = *unsafe { library.get::<*mut c_void>(name) }.ok()?;
            Some((index, CodePtr(address)))
        })
    }

    /// Calls the function of that name, with the bits of its arguments, of which the first `fixed` are not variadic;
    /// `None` if no library has it.
    pub fn call(&self, name: &str, args: &[(Passed, u64)], fixed: usize, result: Option<Passed>) -> Res<Option<Given>> {
        let Some((library, code)) = self.find(name) else { return Ok(None) };
        let types = args.iter().map(|(passed, _)| passed.ffi());
        // An integer is read as the whole register; who asked takes the bits that are declared.
        let returns = match result {
            None => Type::void(),
            Some(number @ Passed::Float(_)) => number.ffi(),
            Some(_) => Type::u64(),
        };
        let made = match fixed < args.len() {
            true => Cif::try_new_variadic(types, fixed, returns),
            false => Cif::try_new(types, returns),
        };
        let interface = made.map_err(|error| Fault::unsupported(format!("a native call of {name}: {error:?}")))?;
        // x86-64 is little-endian: the low bits of a word begin where the word does.
        let values: Vec<Arg<'_>> = args.iter().map(|(_, bits)| Arg::new(bits)).collect();
        if let Ok(mut crossings) = self.crossings.lock() {
            *crossings.entry((name.to_owned(), library)).or_default() += 1;
        }
        // SAFETY: the function is called with the types that the program declares, which the user vouches for; `errno`
        // is this thread's.
        let (bits, errno) = unsafe {
            *__errno_location() = 0;
            let bits = match result {
                None => {
                    interface.call::<()>(code, &values);
                    0
                }
                Some(Passed::Float(FloatKind::Float)) => u64::from(interface.call::<f32>(code, &values).to_bits()),
                Some(Passed::Float(_)) => interface.call::<f64>(code, &values).to_bits(),
                Some(_) => interface.call::<u64>(code, &values),
            };
            (bits, *__errno_location())
        };
        Ok(Some(Given { bits, errno }))
    }
}
