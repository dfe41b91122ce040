//! The operations of the table: one name for each row.
//!
//! `Op` names the *mathematical* operation. How a program spells it (`sinf`, `llvm.sin.f64`, the `fadd` instruction) is
//! data of its row. The list below is the only one: [`Op::ALL`] comes from it, and a test demands exactly one row for
//! each member.

macro_rules! operations {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// An operation of the table. Consumers match on it exhaustively, without a `_` arm.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Op { $($(#[$doc])* $name,)* }

        impl Op {
            /// Every operation, in declaration order: `ALL[op as usize] == op`.
            pub const ALL: &'static [Op] = &[$(Op::$name,)*];

            /// The variant's name.
            pub fn name(self) -> &'static str {
                match self { $(Op::$name => stringify!($name),)* }
            }
        }
    };
}

operations! {
    // Arithmetic.
    /// x0 + x1.
    FAdd,
    /// x0 - x1.
    FSub,
    /// x0 · x1.
    FMul,
    /// x0 / x1.
    FDiv,
    /// Remainder of the truncated quotient: the `frem` instruction.
    FRem,
    /// -x0.
    FNeg,
    /// x0 · x1 + x2, rounded once.
    Fma,
    /// x0 · x1 + x2, rounded once or twice as the target likes.
    FMulAdd,
    /// |x0|.
    Fabs,
    /// Magnitude of x0, sign of x1.
    CopySign,
    /// Smaller operand; a quiet NaN loses (`fmin`, `llvm.minnum`).
    Fmin,
    /// Larger operand; a quiet NaN loses (`fmax`, `llvm.maxnum`).
    Fmax,
    /// Smaller operand; NaN wins (`llvm.minimum`).
    Minimum,
    /// Larger operand; NaN wins (`llvm.maximum`).
    Maximum,
    /// Operand of smaller magnitude; a quiet NaN loses.
    FminMag,
    /// Operand of larger magnitude; a quiet NaN loses.
    FmaxMag,
    /// Operand of smaller magnitude; NaN wins.
    MinimumMag,
    /// Operand of larger magnitude; NaN wins.
    MaximumMag,
    /// max(x0 - x1, 0).
    Fdim,
    /// Remainder of the truncated quotient: the library function.
    Fmod,
    /// Remainder of the quotient rounded to nearest, ties to even.
    Remainder,
    /// `Remainder` that also stores low bits of the quotient.
    Remquo,
    /// The operand itself (`llvm.canonicalize`, `llvm.arithmetic.fence`).
    Identity,
    // Roots and powers.
    /// Square root.
    Sqrt,
    /// Cube root.
    Cbrt,
    /// sqrt(x0² + x1²).
    Hypot,
    /// x0 to the real power x1.
    Pow,
    /// x0 to the integer power n0.
    Powi,
    // Exponentials and logarithms.
    /// e^x.
    Exp,
    /// 2^x.
    Exp2,
    /// 10^x.
    Exp10,
    /// e^x - 1.
    Expm1,
    /// Natural logarithm.
    Log,
    /// Logarithm to base 2.
    Log2,
    /// Logarithm to base 10.
    Log10,
    /// log(1 + x).
    Log1p,
    // Circular and hyperbolic functions.
    /// Sine.
    Sin,
    /// Cosine.
    Cos,
    /// Tangent.
    Tan,
    /// Inverse sine.
    Asin,
    /// Inverse cosine.
    Acos,
    /// Inverse tangent.
    Atan,
    /// Angle of the point (x1, x0).
    Atan2,
    /// Angle of the complex number x0 + i·x1.
    Carg,
    /// sin(πx).
    SinPi,
    /// cos(πx).
    CosPi,
    /// tan(πx).
    TanPi,
    /// Sine and cosine through two pointers.
    SinCos,
    /// sin(πx) and cos(πx) through two pointers.
    SinCosPi,
    /// Hyperbolic sine.
    Sinh,
    /// Hyperbolic cosine.
    Cosh,
    /// Hyperbolic tangent.
    Tanh,
    /// Inverse hyperbolic sine.
    Asinh,
    /// Inverse hyperbolic cosine.
    Acosh,
    /// Inverse hyperbolic tangent.
    Atanh,
    // Rounding and the parts of a number.
    /// Largest integer not above x.
    Floor,
    /// Smallest integer not below x.
    Ceil,
    /// Rounds toward zero.
    Trunc,
    /// Nearest integer, halves away from zero.
    Round,
    /// Nearest integer, halves to even.
    RoundEven,
    /// Nearest integer in the current rounding mode, raises inexact.
    Rint,
    /// Nearest integer in the current rounding mode.
    NearbyInt,
    /// x0 · 2^n0.
    Ldexp,
    /// x0 · 2^n0 with a `long` exponent.
    Scalbln,
    /// x0 · 2^x1 for an integer-valued x1.
    Scalb,
    /// Fraction and exponent, exponent through a pointer.
    Frexp,
    /// Fraction and exponent as the two fields of the result.
    FrexpPair,
    /// Fraction and integral part, integral part through a pointer.
    Modf,
    /// Binary exponent as a floating-point number.
    Logb,
    /// x scaled into [1, 2).
    Significand,
    /// Next representable number after x0 towards x1.
    NextAfter,
    /// `NextAfter` with a `long double` direction.
    NextToward,
    /// Next representable number above.
    NextUp,
    /// Next representable number below.
    NextDown,
    /// A NaN with the payload of a string.
    NanOf,
    // Special functions.
    /// Error function.
    Erf,
    /// 1 - erf.
    Erfc,
    /// Gamma function.
    TGamma,
    /// log |Γ(x)|.
    LGamma,
    /// log |Γ(x)|, sign of Γ through a pointer.
    LGammaR,
    /// Bessel function of the first kind, order 0.
    J0,
    /// Bessel function of the first kind, order 1.
    J1,
    /// Bessel function of the first kind, order n0.
    Jn,
    /// Bessel function of the second kind, order 0.
    Y0,
    /// Bessel function of the second kind, order 1.
    Y1,
    /// Bessel function of the second kind, order n0.
    Yn,
    // Integer results: no derivative passes through them.
    /// Nearest integer, halves away from zero, as an integer.
    Lround,
    /// `Lround` to `long long`.
    Llround,
    /// Nearest integer in the current rounding mode, as an integer.
    Lrint,
    /// `Lrint` to `long long`.
    Llrint,
    /// Binary exponent as an integer.
    Ilogb,
    /// `Ilogb` to `long`.
    Llogb,
    /// Is it a NaN?
    IsNan,
    /// Is it infinite?
    IsInf,
    /// Is it finite?
    IsFinite,
    /// Sign bit.
    SignBit,
    /// Is it a signaling NaN?
    IsSignaling,
    /// Class of the number.
    FpClassify,
    /// Class test against a mask (`llvm.is.fpclass`).
    IsFpClass,
    // Complex arithmetic of the compiler's run-time library.
    /// (x0 + i·x1) · (x2 + i·x3).
    ComplexMul,
    /// (x0 + i·x1) / (x2 + i·x3).
    ComplexDiv,
}
