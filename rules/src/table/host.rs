//! Signatures of the host's mathematical library, as a list for a macro.
//!
//! An engine that calls the host's functions declares them from this list, so that no library name appears outside the
//! table.

/// Calls `$callback!` with every function of the host's library, in groups by signature.
///
/// A group is `(parameters) -> result { Operation double_name float_name; … }`. In parameters and result `F` is the
/// floating-point type, `i32` C's `int`, `i64` C's `long` (and `long long`), `out T` a pointer through which a result
/// is stored. A group without arrow returns nothing. The groups and their order are fixed; the names within grow.
///
/// ```
/// use rules::Op;
///
/// macro_rules! unary_functions {
///     ((F) -> F { $($op:ident $double:ident $float:ident;)* } $($rest:tt)*) => {
///         &[$((Op::$op, stringify!($double), stringify!($float))),*]
///     };
/// }
/// let unary: &[(Op, &str, &str)] = rules::for_each_host_function!(unary_functions);
/// assert!(unary.contains(&(Op::Sin, "sin", "sinf")));
/// ```
#[macro_export]
macro_rules! for_each_host_function {
    ($callback:ident) => {
        $callback! {
            (F) -> F {
                Fabs fabs fabsf; Sqrt sqrt sqrtf; Cbrt cbrt cbrtf;
                Exp exp expf; Exp2 exp2 exp2f; Exp10 exp10 exp10f; Expm1 expm1 expm1f;
                Log log logf; Log2 log2 log2f; Log10 log10 log10f; Log1p log1p log1pf;
                Sin sin sinf; Cos cos cosf; Tan tan tanf; Asin asin asinf; Acos acos acosf; Atan atan atanf;
                Sinh sinh sinhf; Cosh cosh coshf; Tanh tanh tanhf; Asinh asinh asinhf; Acosh acosh acoshf; Atanh atanh atanhf;
                Floor floor floorf; Ceil ceil ceilf; Trunc trunc truncf; Round round roundf; RoundEven roundeven roundevenf;
                Rint rint rintf; NearbyInt nearbyint nearbyintf; Logb logb logbf; Significand significand significandf;
                Erf erf erff; Erfc erfc erfcf; TGamma tgamma tgammaf; LGamma lgamma lgammaf;
                NextUp nextup nextupf; NextDown nextdown nextdownf;
                J0 j0 j0f; J1 j1 j1f; Y0 y0 y0f; Y1 y1 y1f;
            }
            (F, F) -> F {
                CopySign copysign copysignf; Fmin fmin fminf; Fmax fmax fmaxf; Fdim fdim fdimf;
                Fmod fmod fmodf; Remainder remainder remainderf;
                Hypot hypot hypotf; Pow pow powf; Atan2 atan2 atan2f; NextAfter nextafter nextafterf; Scalb scalb scalbf;
                FminMag fminmag fminmagf; FmaxMag fmaxmag fmaxmagf;
                Minimum fminimum fminimumf; Maximum fmaximum fmaximumf;
                MinimumMag fminimum_mag fminimum_magf; MaximumMag fmaximum_mag fmaximum_magf;
            }
            (F, long double) -> F { NextToward nexttoward nexttowardf; }
            (text) -> F { NanOf nan nanf; }
            (F, F, F) -> F { Fma fma fmaf; }
            (F, i32) -> F { Ldexp ldexp ldexpf; }
            (F, i64) -> F { Scalbln scalbln scalblnf; }
            (i32, F) -> F { Jn jn jnf; Yn yn ynf; }
            (F, out i32) -> F { Frexp frexp frexpf; LGammaR lgamma_r lgammaf_r; }
            (F, out F) -> F { Modf modf modff; }
            (F, F, out i32) -> F { Remquo remquo remquof; }
            (F, out F, out F) { SinCos sincos sincosf; }
            (F) -> i32 {
                Ilogb ilogb ilogbf; IsNan __isnan __isnanf; IsInf __isinf __isinff; IsFinite __finite __finitef;
                SignBit __signbit __signbitf; IsSignaling __issignaling __issignalingf; FpClassify __fpclassify __fpclassifyf;
            }
            (F) -> i64 { Llogb llogb llogbf; Lround lround lroundf; Llround llround llroundf; Lrint lrint lrintf; Llrint llrint llrintf; }
        }
    };
}
