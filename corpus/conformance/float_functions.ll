; Minimum and maximum, rounding to integers, signs, classes, saturating conversions.

declare double @llvm.minnum.f64(double, double)
declare double @llvm.maxnum.f64(double, double)
declare double @llvm.minimum.f64(double, double)
declare double @llvm.maximum.f64(double, double)
declare double @llvm.copysign.f64(double, double)
declare double @llvm.fabs.f64(double)
declare <4 x double> @llvm.floor.v4f64(<4 x double>)
declare double @llvm.floor.f64(double)
declare <4 x double> @llvm.ceil.v4f64(<4 x double>)
declare double @llvm.ceil.f64(double)
declare <4 x double> @llvm.trunc.v4f64(<4 x double>)
declare double @llvm.trunc.f64(double)
declare <4 x double> @llvm.rint.v4f64(<4 x double>)
declare double @llvm.rint.f64(double)
declare <4 x double> @llvm.nearbyint.v4f64(<4 x double>)
declare double @llvm.nearbyint.f64(double)
declare <4 x double> @llvm.round.v4f64(<4 x double>)
declare double @llvm.round.f64(double)
declare <4 x double> @llvm.roundeven.v4f64(<4 x double>)
declare double @llvm.roundeven.f64(double)
declare i64 @llvm.lround.i64.f64(double)
declare i64 @llvm.lrint.i64.f64(double)
declare i64 @llvm.llround.i64.f64(double)
declare i64 @llvm.llrint.i64.f64(double)
declare i1 @llvm.is.fpclass.f64(double, i32)
declare i1 @llvm.is.fpclass.f32(float, i32)
declare i1 @llvm.is.fpclass.f16(half, i32)
declare <2 x i1> @llvm.is.fpclass.v2f64(<2 x double>, i32)
declare i8 @llvm.fptosi.sat.i8.f64(double)
declare i32 @llvm.fptosi.sat.i32.f64(double)
declare i64 @llvm.fptosi.sat.i64.f64(double)
declare i1 @llvm.fptosi.sat.i1.f64(double)
declare i19 @llvm.fptosi.sat.i19.f64(double)
declare i128 @llvm.fptosi.sat.i128.f64(double)
declare i8 @llvm.fptoui.sat.i8.f64(double)
declare i64 @llvm.fptoui.sat.i64.f64(double)
declare i1 @llvm.fptoui.sat.i1.f64(double)

; "If either operand is a NaN, returns the other non-NaN operand. Returns NaN only if both operands are NaN." (minnum,
; maxnum)
; expect: 2
define double @minnum_left_nan() {
  %r = call double @llvm.minnum.f64(double 0x7FF8000000000000, double 2.0)
  ret double %r
}

; expect: 2
define double @minnum_right_nan() {
  %r = call double @llvm.minnum.f64(double 2.0, double 0x7FF8000000000000)
  ret double %r
}

; expect: NaN
define double @minnum_both_nan() {
  %r = call double @llvm.minnum.f64(double 0x7FF8000000000000, double 0x7FF8000000000000)
  ret double %r
}

; expect: -3
define double @minnum_plain() {
  %r = call double @llvm.minnum.f64(double 1.0, double -3.0)
  ret double %r
}

; expect: 1
define double @minnum_infinity() {
  %r = call double @llvm.minnum.f64(double 0x7FF0000000000000, double 1.0)
  ret double %r
}

; expect: 2
define double @maxnum_left_nan() {
  %r = call double @llvm.maxnum.f64(double 0x7FF8000000000000, double 2.0)
  ret double %r
}

; expect: 2
define double @maxnum_right_nan() {
  %r = call double @llvm.maxnum.f64(double 2.0, double 0x7FF8000000000000)
  ret double %r
}

; expect: NaN
define double @maxnum_both_nan() {
  %r = call double @llvm.maxnum.f64(double 0x7FF8000000000000, double 0x7FF8000000000000)
  ret double %r
}

; expect: 1
define double @maxnum_plain() {
  %r = call double @llvm.maxnum.f64(double 1.0, double -3.0)
  ret double %r
}

; expect: inf
define double @maxnum_infinity() {
  %r = call double @llvm.maxnum.f64(double 0x7FF0000000000000, double 1.0)
  ret double %r
}

; "If either operand is a NaN, returns NaN. Otherwise returns the lesser of the two arguments. -0.0 is considered to
; be less than +0.0 for this intrinsic." (minimum, maximum)
; expect: NaN
define double @minimum_left_nan() {
  %r = call double @llvm.minimum.f64(double 0x7FF8000000000000, double 2.0)
  ret double %r
}

; expect: NaN
define double @minimum_right_nan() {
  %r = call double @llvm.minimum.f64(double 2.0, double 0x7FF8000000000000)
  ret double %r
}

; expect: -0
define double @minimum_zeros() {
  %r = call double @llvm.minimum.f64(double 0.0, double -0.0)
  ret double %r
}

; expect: -0
define double @minimum_zeros_swapped() {
  %r = call double @llvm.minimum.f64(double -0.0, double 0.0)
  ret double %r
}

; expect: -3
define double @minimum_plain() {
  %r = call double @llvm.minimum.f64(double 1.0, double -3.0)
  ret double %r
}

; expect: NaN
define double @maximum_left_nan() {
  %r = call double @llvm.maximum.f64(double 0x7FF8000000000000, double 2.0)
  ret double %r
}

; expect: NaN
define double @maximum_right_nan() {
  %r = call double @llvm.maximum.f64(double 2.0, double 0x7FF8000000000000)
  ret double %r
}

; expect: 0
define double @maximum_zeros() {
  %r = call double @llvm.maximum.f64(double 0.0, double -0.0)
  ret double %r
}

; expect: 0
define double @maximum_zeros_swapped() {
  %r = call double @llvm.maximum.f64(double -0.0, double 0.0)
  ret double %r
}

; expect: 1
define double @maximum_plain() {
  %r = call double @llvm.maximum.f64(double 1.0, double -3.0)
  ret double %r
}

; "It returns a value with the magnitude of the first operand and the sign of the second operand" (copysign), of NaNs
; as well.
; expect: -1.5
define double @copysign_zero() {
  %r = call double @llvm.copysign.f64(double 1.5, double -0.0)
  ret double %r
}

; expect: 1.5
define double @copysign_nan() {
  %r = call double @llvm.copysign.f64(double -1.5, double 0x7FF8000000000000)
  ret double %r
}

; expect: 0xfff8000000000000
define double @copysign_of_nan() {
  %r = call double @llvm.copysign.f64(double 0x7FF8000000000000, double -1.0)
  ret double %r
}

; expect: 0
define double @fabs_minus_zero() {
  %r = call double @llvm.fabs.f64(double -0.0)
  ret double %r
}

; expect: 0x7ff8000000000001
define double @fabs_nan() {
  %r = call double @llvm.fabs.f64(double 0xFFF8000000000001)
  ret double %r
}

; Rounding to an integer: towards minus infinity, plus infinity, zero; half away from zero; half to even.
; expect: {2, -3, 0, -1}
define <4 x double> @floor_halves() {
  %r = call <4 x double> @llvm.floor.v4f64(<4 x double> <double 2.5, double -2.5, double 0.5, double -0.5>)
  ret <4 x double> %r
}

; expect: {inf, -0, 0x4340000000000001, NaN}
define <4 x double> @floor_special() {
  %r = call <4 x double> @llvm.floor.v4f64(<4 x double> <double 0x7FF0000000000000, double -0.0, double 0x4340000000000001, double 0x7FF8000000000000>)
  ret <4 x double> %r
}

; expect: {3, -2, 1, -0}
define <4 x double> @ceil_halves() {
  %r = call <4 x double> @llvm.ceil.v4f64(<4 x double> <double 2.5, double -2.5, double 0.5, double -0.5>)
  ret <4 x double> %r
}

; expect: {inf, -0, 0x4340000000000001, NaN}
define <4 x double> @ceil_special() {
  %r = call <4 x double> @llvm.ceil.v4f64(<4 x double> <double 0x7FF0000000000000, double -0.0, double 0x4340000000000001, double 0x7FF8000000000000>)
  ret <4 x double> %r
}

; expect: {2, -2, 0, -0}
define <4 x double> @trunc_halves() {
  %r = call <4 x double> @llvm.trunc.v4f64(<4 x double> <double 2.5, double -2.5, double 0.5, double -0.5>)
  ret <4 x double> %r
}

; expect: {inf, -0, 0x4340000000000001, NaN}
define <4 x double> @trunc_special() {
  %r = call <4 x double> @llvm.trunc.v4f64(<4 x double> <double 0x7FF0000000000000, double -0.0, double 0x4340000000000001, double 0x7FF8000000000000>)
  ret <4 x double> %r
}

; expect: {2, -2, 0, -0}
define <4 x double> @rint_halves() {
  %r = call <4 x double> @llvm.rint.v4f64(<4 x double> <double 2.5, double -2.5, double 0.5, double -0.5>)
  ret <4 x double> %r
}

; expect: {inf, -0, 0x4340000000000001, NaN}
define <4 x double> @rint_special() {
  %r = call <4 x double> @llvm.rint.v4f64(<4 x double> <double 0x7FF0000000000000, double -0.0, double 0x4340000000000001, double 0x7FF8000000000000>)
  ret <4 x double> %r
}

; expect: {2, -2, 0, -0}
define <4 x double> @nearbyint_halves() {
  %r = call <4 x double> @llvm.nearbyint.v4f64(<4 x double> <double 2.5, double -2.5, double 0.5, double -0.5>)
  ret <4 x double> %r
}

; expect: {inf, -0, 0x4340000000000001, NaN}
define <4 x double> @nearbyint_special() {
  %r = call <4 x double> @llvm.nearbyint.v4f64(<4 x double> <double 0x7FF0000000000000, double -0.0, double 0x4340000000000001, double 0x7FF8000000000000>)
  ret <4 x double> %r
}

; expect: {3, -3, 1, -1}
define <4 x double> @round_halves() {
  %r = call <4 x double> @llvm.round.v4f64(<4 x double> <double 2.5, double -2.5, double 0.5, double -0.5>)
  ret <4 x double> %r
}

; expect: {inf, -0, 0x4340000000000001, NaN}
define <4 x double> @round_special() {
  %r = call <4 x double> @llvm.round.v4f64(<4 x double> <double 0x7FF0000000000000, double -0.0, double 0x4340000000000001, double 0x7FF8000000000000>)
  ret <4 x double> %r
}

; expect: {2, -2, 0, -0}
define <4 x double> @roundeven_halves() {
  %r = call <4 x double> @llvm.roundeven.v4f64(<4 x double> <double 2.5, double -2.5, double 0.5, double -0.5>)
  ret <4 x double> %r
}

; expect: {inf, -0, 0x4340000000000001, NaN}
define <4 x double> @roundeven_special() {
  %r = call <4 x double> @llvm.roundeven.v4f64(<4 x double> <double 0x7FF0000000000000, double -0.0, double 0x4340000000000001, double 0x7FF8000000000000>)
  ret <4 x double> %r
}

; "Returns the nearest integer … as an integer": half away from zero (lround), to even (lrint).
; expect: 3
define i64 @lround_2_5() {
  %r = call i64 @llvm.lround.i64.f64(double 2.5)
  ret i64 %r
}

; expect: -3
define i64 @lround_minus_2_5() {
  %r = call i64 @llvm.lround.i64.f64(double -2.5)
  ret i64 %r
}

; expect: 2
define i64 @lrint_2_5() {
  %r = call i64 @llvm.lrint.i64.f64(double 2.5)
  ret i64 %r
}

; expect: -4
define i64 @lrint_minus_3_5() {
  %r = call i64 @llvm.lrint.i64.f64(double -3.5)
  ret i64 %r
}

; expect: 1
define i64 @llround_0_5() {
  %r = call i64 @llvm.llround.i64.f64(double 0.5)
  ret i64 %r
}

; expect: 2
define i64 @llrint_1_5() {
  %r = call i64 @llvm.llrint.i64.f64(double 1.5)
  ret i64 %r
}

; "Returns i1 true if the value belongs to any of the classes of the mask": bits 0 to 9 are signaling NaN, quiet NaN,
; -inf, -normal, -subnormal, -0, +0, +subnormal, +normal, +inf.
; expect: -1
define i1 @class_of_snan() {
  %r = call i1 @llvm.is.fpclass.f64(double 0x7FF0000000000001, i32 1)
  ret i1 %r
}

; expect: 0
define i1 @no_other_class_of_snan() {
  %r = call i1 @llvm.is.fpclass.f64(double 0x7FF0000000000001, i32 1022)
  ret i1 %r
}

; expect: -1
define i1 @class_of_qnan() {
  %r = call i1 @llvm.is.fpclass.f64(double 0x7FF8000000000000, i32 2)
  ret i1 %r
}

; expect: 0
define i1 @no_other_class_of_qnan() {
  %r = call i1 @llvm.is.fpclass.f64(double 0x7FF8000000000000, i32 1021)
  ret i1 %r
}

; expect: -1
define i1 @class_of_minus_inf() {
  %r = call i1 @llvm.is.fpclass.f64(double 0xFFF0000000000000, i32 4)
  ret i1 %r
}

; expect: 0
define i1 @no_other_class_of_minus_inf() {
  %r = call i1 @llvm.is.fpclass.f64(double 0xFFF0000000000000, i32 1019)
  ret i1 %r
}

; expect: -1
define i1 @class_of_minus_normal() {
  %r = call i1 @llvm.is.fpclass.f64(double -1.0, i32 8)
  ret i1 %r
}

; expect: 0
define i1 @no_other_class_of_minus_normal() {
  %r = call i1 @llvm.is.fpclass.f64(double -1.0, i32 1015)
  ret i1 %r
}

; expect: -1
define i1 @class_of_minus_subnormal() {
  %r = call i1 @llvm.is.fpclass.f64(double 0x8000000000000001, i32 16)
  ret i1 %r
}

; expect: 0
define i1 @no_other_class_of_minus_subnormal() {
  %r = call i1 @llvm.is.fpclass.f64(double 0x8000000000000001, i32 1007)
  ret i1 %r
}

; expect: -1
define i1 @class_of_minus_zero() {
  %r = call i1 @llvm.is.fpclass.f64(double -0.0, i32 32)
  ret i1 %r
}

; expect: 0
define i1 @no_other_class_of_minus_zero() {
  %r = call i1 @llvm.is.fpclass.f64(double -0.0, i32 991)
  ret i1 %r
}

; expect: -1
define i1 @class_of_zero() {
  %r = call i1 @llvm.is.fpclass.f64(double 0.0, i32 64)
  ret i1 %r
}

; expect: 0
define i1 @no_other_class_of_zero() {
  %r = call i1 @llvm.is.fpclass.f64(double 0.0, i32 959)
  ret i1 %r
}

; expect: -1
define i1 @class_of_subnormal() {
  %r = call i1 @llvm.is.fpclass.f64(double 0x0000000000000001, i32 128)
  ret i1 %r
}

; expect: 0
define i1 @no_other_class_of_subnormal() {
  %r = call i1 @llvm.is.fpclass.f64(double 0x0000000000000001, i32 895)
  ret i1 %r
}

; expect: -1
define i1 @class_of_normal() {
  %r = call i1 @llvm.is.fpclass.f64(double 1.0, i32 256)
  ret i1 %r
}

; expect: 0
define i1 @no_other_class_of_normal() {
  %r = call i1 @llvm.is.fpclass.f64(double 1.0, i32 767)
  ret i1 %r
}

; expect: -1
define i1 @class_of_inf() {
  %r = call i1 @llvm.is.fpclass.f64(double 0x7FF0000000000000, i32 512)
  ret i1 %r
}

; expect: 0
define i1 @no_other_class_of_inf() {
  %r = call i1 @llvm.is.fpclass.f64(double 0x7FF0000000000000, i32 511)
  ret i1 %r
}

; expect: -1
define i1 @class_of_float_subnormal() {
  %r = call i1 @llvm.is.fpclass.f32(float 0x36A0000000000000, i32 128)
  ret i1 %r
}

; expect: -1
define i1 @class_of_half_infinity() {
  %r = call i1 @llvm.is.fpclass.f16(half 0xHFC00, i32 4)
  ret i1 %r
}

; expect: {0, -1}
define <2 x i1> @class_of_lanes() {
  %r = call <2 x i1> @llvm.is.fpclass.v2f64(<2 x double> <double 1.0, double 0x7FF8000000000000>, i32 3)
  ret <2 x i1> %r
}

; "If the argument is any NaN, zero is returned. If the argument is smaller than the smallest representable … integer
; of the result type, the smallest representable … integer is returned", and so on for the largest (fptosi.sat,
; fptoui.sat).
; expect: 127
define i8 @fptosi_sat_i8_68() {
  %r = call i8 @llvm.fptosi.sat.i8.f64(double 300.0)
  ret i8 %r
}

; expect: -128
define i8 @fptosi_sat_i8_69() {
  %r = call i8 @llvm.fptosi.sat.i8.f64(double -300.0)
  ret i8 %r
}

; expect: -12
define i8 @fptosi_sat_i8_70() {
  %r = call i8 @llvm.fptosi.sat.i8.f64(double -12.9)
  ret i8 %r
}

; expect: 0
define i32 @fptosi_sat_i32_71() {
  %r = call i32 @llvm.fptosi.sat.i32.f64(double 0x7FF8000000000000)
  ret i32 %r
}

; expect: 9223372036854775807
define i64 @fptosi_sat_i64_72() {
  %r = call i64 @llvm.fptosi.sat.i64.f64(double 0x7FF0000000000000)
  ret i64 %r
}

; expect: -1
define i1 @fptosi_sat_i1_73() {
  %r = call i1 @llvm.fptosi.sat.i1.f64(double -1.0)
  ret i1 %r
}

; expect: 262143
define i19 @fptosi_sat_i19_74() {
  %r = call i19 @llvm.fptosi.sat.i19.f64(double 1.0e9)
  ret i19 %r
}

; expect: -170141183460469231731687303715884105728
define i128 @fptosi_sat_i128_75() {
  %r = call i128 @llvm.fptosi.sat.i128.f64(double -1.0e300)
  ret i128 %r
}

; expect: -1
define i8 @fptoui_sat_i8_76() {
  %r = call i8 @llvm.fptoui.sat.i8.f64(double 300.0)
  ret i8 %r
}

; expect: 0
define i8 @fptoui_sat_i8_77() {
  %r = call i8 @llvm.fptoui.sat.i8.f64(double -0.5)
  ret i8 %r
}

; expect: 0
define i8 @fptoui_sat_i8_78() {
  %r = call i8 @llvm.fptoui.sat.i8.f64(double -300.0)
  ret i8 %r
}

; expect: 0
define i64 @fptoui_sat_i64_79() {
  %r = call i64 @llvm.fptoui.sat.i64.f64(double 0xFFF0000000000000)
  ret i64 %r
}

; expect: -8446744073709551616
define i64 @fptoui_sat_i64_80() {
  %r = call i64 @llvm.fptoui.sat.i64.f64(double 1.0e19)
  ret i64 %r
}

; expect: 0
define i1 @fptoui_sat_i1_81() {
  %r = call i1 @llvm.fptoui.sat.i1.f64(double 0.9)
  ret i1 %r
}
