//! The host's mathematical library, called so that results are bit for bit those of the native program.
//!
//! The functions are declared from the table's list; names appear nowhere here. Soundness: each declared function has
//! exactly the C prototype of its group (C23 7.12 and glibc's manual), touches no memory but its pointer results, which
//! are Rust references, and `errno`. So all of them are safe to call.
//!
//! Rust's run-time library brings functions of the same names, some of which round differently (`cbrt`), and the linker
//! may take those. So a function is looked up in the shared library that native programs use, and the linked one serves
//! where there is none.

#![allow(
    unsafe_code,
    reason = "declares the host's libm; everything declared is a pure function of scalars or writes through references"
)]

use ir::FloatKind;
use rules::Op;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::OnceLock;

unsafe extern "C" {
    fn dlopen(file: *const c_char, flags: c_int) -> *mut c_void;
    fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
}

/// `RTLD_NOW` of `dlopen`.
const NOW: c_int = 2;

/// A shared library of the host, opened when first needed.
struct Library {
    file: &'static CStr,
    handle: OnceLock<usize>,
}

/// The mathematical library.
static MATH: Library = Library { file: c"libm.so.6", handle: OnceLock::new() };
/// The run-time library of the compiler that links native programs; Rust links its own, which divides otherwise.
static COMPILER: Library = Library { file: c"libgcc_s.so.1", handle: OnceLock::new() };

/// The function of that name (with a final zero) in the host's shared library, else the linked one. `F` is the type of
/// a pointer to the function as declared here.
fn shared<F: Copy>(library: &Library, name: &'static str, linked: F) -> F {
    const { assert!(size_of::<F>() == size_of::<*mut c_void>()) };
    // SAFETY: the name ends with a zero; the library is never closed, so what is found in it stays.
    let open = || unsafe { dlopen(library.file.as_ptr(), NOW) } as usize;
    let library = *library.handle.get_or_init(open);
    let Ok(name) = CStr::from_bytes_with_nul(name.as_bytes()) else { return linked };
    if library == 0 {
        return linked;
    }
    // SAFETY: the handle is one of `dlopen`, and the name ends with a zero.
    let address = unsafe { dlsym(library as *mut c_void, name.as_ptr()) };
    if address.is_null() {
        return linked;
    }
    // SAFETY: an address of the size of `F`, of the function which `F` was declared for.
    unsafe { std::mem::transmute_copy(&address) }
}

/// Two results of a complex operation, as the x86-64 ABI returns `{ double, double }`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
struct Pair<F> {
    re: F,
    im: F,
}

/// A complex operation on the parts of both operands.
type Complex<F> = extern "C" fn(F, F, F, F) -> Pair<F>;

// The compiler's run-time library: complex multiplication and division. `_Complex` is returned as the struct of its
// parts.
unsafe extern "C" {
    safe fn __muldc3(a: f64, b: f64, c: f64, d: f64) -> Pair<f64>;
    safe fn __divdc3(a: f64, b: f64, c: f64, d: f64) -> Pair<f64>;
    safe fn __mulsc3(a: f32, b: f32, c: f32, d: f32) -> Pair<f32>;
    safe fn __divsc3(a: f32, b: f32, c: f32, d: f32) -> Pair<f32>;
}

/// A host function, or the way to compute without one.
#[derive(Clone, Copy, Debug)]
pub enum Host {
    /// `double f(double)`
    D1(extern "C" fn(f64) -> f64),
    /// `double f(double, double)`
    D2(extern "C" fn(f64, f64) -> f64),
    /// `double f(double, double, double)`
    D3(extern "C" fn(f64, f64, f64) -> f64),
    /// `float f(float)`
    F1(extern "C" fn(f32) -> f32),
    /// `float f(float, float)`
    F2(extern "C" fn(f32, f32) -> f32),
    /// `float f(float, float, float)`
    F3(extern "C" fn(f32, f32, f32) -> f32),
    /// `double f(double, int)`
    Di(extern "C" fn(f64, i32) -> f64),
    /// `float f(float, int)`
    Fi(extern "C" fn(f32, i32) -> f32),
    /// `double f(double, long)`
    Dl(extern "C" fn(f64, i64) -> f64),
    /// `float f(float, long)`
    Fl(extern "C" fn(f32, i64) -> f32),
    /// `double f(int, double)`
    Id(extern "C" fn(i32, f64) -> f64),
    /// `float f(int, float)`
    If(extern "C" fn(i32, f32) -> f32),
    /// Not a host function: by software floats or multi-precision.
    Soft,
}

/// The function of that name, [`shared`] if it can be.
macro_rules! named {
    ($name:ident) => {
        shared(&MATH, concat!(stringify!($name), "\0"), $name)
    };
}

macro_rules! declare {
    (
        (F) -> F { $($op1:ident $d1:ident $f1:ident;)* }
        (F, F) -> F { $($op2:ident $d2:ident $f2:ident;)* }
        (F, long double) -> F { $($opt:ident $dt:ident $ft:ident;)* }
        (text) -> F { $($opn:ident $dn:ident $fnan:ident;)* }
        (F, F, F) -> F { $($op3:ident $d3:ident $f3:ident;)* }
        (F, i32) -> F { $($opi:ident $di:ident $fi:ident;)* }
        (F, i64) -> F { $($opl:ident $dl:ident $fl:ident;)* }
        (i32, F) -> F { $($opb:ident $db:ident $fb:ident;)* }
        (F, out i32) -> F { $($opo:ident $do_:ident $fo:ident;)* }
        (F, out F) -> F { $($opm:ident $dm:ident $fm:ident;)* }
        (F, F, out i32) -> F { $($opq:ident $dq:ident $fq:ident;)* }
        (F, out F, out F) { $($ops:ident $ds:ident $fs:ident;)* }
        (F) -> i32 { $($opw:ident $dw:ident $fw:ident;)* }
        (F) -> i64 { $($opx:ident $dx:ident $fx:ident;)* }
    ) => {
        #[link(name = "m")]
        unsafe extern "C" {
            $(safe fn $d1(x: f64) -> f64; safe fn $f1(x: f32) -> f32;)*
            $(safe fn $d2(x: f64, y: f64) -> f64; safe fn $f2(x: f32, y: f32) -> f32;)*
            $(safe fn $d3(x: f64, y: f64, z: f64) -> f64; safe fn $f3(x: f32, y: f32, z: f32) -> f32;)*
            $(safe fn $di(x: f64, n: i32) -> f64; safe fn $fi(x: f32, n: i32) -> f32;)*
            $(safe fn $dl(x: f64, n: i64) -> f64; safe fn $fl(x: f32, n: i64) -> f32;)*
            $(safe fn $db(n: i32, x: f64) -> f64; safe fn $fb(n: i32, x: f32) -> f32;)*
            $(safe fn $do_(x: f64, n: &mut i32) -> f64; safe fn $fo(x: f32, n: &mut i32) -> f32;)*
            $(safe fn $dm(x: f64, y: &mut f64) -> f64; safe fn $fm(x: f32, y: &mut f32) -> f32;)*
            $(safe fn $dq(x: f64, y: f64, n: &mut i32) -> f64; safe fn $fq(x: f32, y: f32, n: &mut i32) -> f32;)*
            $(safe fn $ds(x: f64, s: &mut f64, c: &mut f64); safe fn $fs(x: f32, s: &mut f32, c: &mut f32);)*
            $(safe fn $dw(x: f64) -> i32; safe fn $fw(x: f32) -> i32;)*
            $(safe fn $dx(x: f64) -> i64; safe fn $fx(x: f32) -> i64;)*
        }

        /// The host's function of an operation whose only result is a number of that format.
        pub fn find(op: Op, kind: FloatKind) -> Host {
            match (op, kind) {
                $((Op::$op1, FloatKind::Double) => Host::D1(named!($d1)),
                  (Op::$op1, FloatKind::Float) => Host::F1(named!($f1)),)*
                $((Op::$op2, FloatKind::Double) => Host::D2(named!($d2)),
                  (Op::$op2, FloatKind::Float) => Host::F2(named!($f2)),)*
                $((Op::$op3, FloatKind::Double) => Host::D3(named!($d3)),
                  (Op::$op3, FloatKind::Float) => Host::F3(named!($f3)),)*
                $((Op::$opi, FloatKind::Double) => Host::Di(named!($di)),
                  (Op::$opi, FloatKind::Float) => Host::Fi(named!($fi)),)*
                $((Op::$opl, FloatKind::Double) => Host::Dl(named!($dl)),
                  (Op::$opl, FloatKind::Float) => Host::Fl(named!($fl)),)*
                $((Op::$opb, FloatKind::Double) => Host::Id(named!($db)),
                  (Op::$opb, FloatKind::Float) => Host::If(named!($fb)),)*
                _ => Host::Soft,
            }
        }

        /// All results of an operation that has other results than one number: bits of the numbers and integers in
        /// order.
        fn find_many(op: Op, kind: FloatKind, x: &[u128]) -> Option<Vec<i128>> {
            let d = |i: usize| x.get(i).map(|b| f64::from_bits(*b as u64));
            let f = |i: usize| x.get(i).map(|b| f32::from_bits(*b as u32));
            let from_d = |v: f64| i128::from(v.to_bits());
            let from_f = |v: f32| i128::from(v.to_bits());
            let mut n = 0;
            let (mut p, mut q, mut s, mut t) = (0.0, 0.0, 0.0, 0.0);
            Some(match (op, kind) {
                $((Op::$opo, FloatKind::Double) => { let r = $do_(d(0)?, &mut n); vec![from_d(r), i128::from(n)] }
                  (Op::$opo, FloatKind::Float) => { let r = $fo(f(0)?, &mut n); vec![from_f(r), i128::from(n)] })*
                $((Op::$opm, FloatKind::Double) => { let r = $dm(d(0)?, &mut p); vec![from_d(r), from_d(p)] }
                  (Op::$opm, FloatKind::Float) => { let r = $fm(f(0)?, &mut s); vec![from_f(r), from_f(s)] })*
                $((Op::$opq, FloatKind::Double) => { let r = $dq(d(0)?, d(1)?, &mut n); vec![from_d(r), i128::from(n)] }
                  (Op::$opq, FloatKind::Float) => {
                      let r = $fq(f(0)?, f(1)?, &mut n); vec![from_f(r), i128::from(n)] })*
                $((Op::$ops, FloatKind::Double) => { $ds(d(0)?, &mut p, &mut q); vec![from_d(p), from_d(q)] }
                  (Op::$ops, FloatKind::Float) => { $fs(f(0)?, &mut s, &mut t); vec![from_f(s), from_f(t)] })*
                $((Op::$opw, FloatKind::Double) => vec![i128::from($dw(d(0)?))],
                  (Op::$opw, FloatKind::Float) => vec![i128::from($fw(f(0)?))],)*
                $((Op::$opx, FloatKind::Double) => vec![i128::from($dx(d(0)?))],
                  (Op::$opx, FloatKind::Float) => vec![i128::from($fx(f(0)?))],)*
                _ => return None,
            })
        }
    };
}
rules::for_each_host_function!(declare);

/// All results, numbers as bits, of an operation with several results or an integer one; `None` if the host has no
/// function for it.
pub fn many(op: Op, kind: FloatKind, x: &[u128]) -> Option<Vec<i128>> {
    let d = |i: usize| x.get(i).map(|b| f64::from_bits(*b as u64));
    let f = |i: usize| x.get(i).map(|b| f32::from_bits(*b as u32));
    let pair_d = |p: Pair<f64>| vec![i128::from(p.re.to_bits()), i128::from(p.im.to_bits())];
    let pair_f = |p: Pair<f32>| vec![i128::from(p.re.to_bits()), i128::from(p.im.to_bits())];
    match (op, kind) {
        (Op::ComplexMul, FloatKind::Double) => {
            Some(pair_d(shared::<Complex<f64>>(&COMPILER, "__muldc3\0", __muldc3)(d(0)?, d(1)?, d(2)?, d(3)?)))
        }
        (Op::ComplexDiv, FloatKind::Double) => {
            Some(pair_d(shared::<Complex<f64>>(&COMPILER, "__divdc3\0", __divdc3)(d(0)?, d(1)?, d(2)?, d(3)?)))
        }
        (Op::ComplexMul, FloatKind::Float) => {
            Some(pair_f(shared::<Complex<f32>>(&COMPILER, "__mulsc3\0", __mulsc3)(f(0)?, f(1)?, f(2)?, f(3)?)))
        }
        (Op::ComplexDiv, FloatKind::Float) => {
            Some(pair_f(shared::<Complex<f32>>(&COMPILER, "__divsc3\0", __divsc3)(f(0)?, f(1)?, f(2)?, f(3)?)))
        }
        (Op::FrexpPair, _) => find_many(Op::Frexp, kind, x),
        _ => find_many(op, kind, x),
    }
}

impl Host {
    /// Applies the function to operands given as bits. `None` for [`Host::Soft`] or if operands are missing.
    #[inline]
    pub fn apply(self, x: &[u128], n: &[i128]) -> Option<u128> {
        let d = |i: usize| x.get(i).map(|b| f64::from_bits(*b as u64));
        let f = |i: usize| x.get(i).map(|b| f32::from_bits(*b as u32));
        let n = || n.first().copied();
        let from_d = |v: f64| u128::from(v.to_bits());
        let from_f = |v: f32| u128::from(v.to_bits());
        Some(match self {
            Host::D1(g) => from_d(g(d(0)?)),
            Host::D2(g) => from_d(g(d(0)?, d(1)?)),
            Host::D3(g) => from_d(g(d(0)?, d(1)?, d(2)?)),
            Host::F1(g) => from_f(g(f(0)?)),
            Host::F2(g) => from_f(g(f(0)?, f(1)?)),
            Host::F3(g) => from_f(g(f(0)?, f(1)?, f(2)?)),
            Host::Di(g) => from_d(g(d(0)?, n()? as i32)),
            Host::Fi(g) => from_f(g(f(0)?, n()? as i32)),
            Host::Dl(g) => from_d(g(d(0)?, n()? as i64)),
            Host::Fl(g) => from_f(g(f(0)?, n()? as i64)),
            Host::Id(g) => from_d(g(n()? as i32, d(0)?)),
            Host::If(g) => from_f(g(n()? as i32, f(0)?)),
            Host::Soft => return None,
        })
    }
}
