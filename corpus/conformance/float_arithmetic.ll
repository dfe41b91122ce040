; Floating-point instructions in every format.

declare double @llvm.fma.f64(double, double, double)
declare double @llvm.fmuladd.f64(double, double, double)
declare float @llvm.fma.f32(float, float, float)
declare double @llvm.sqrt.f64(double)
declare double @llvm.powi.f64.i32(double, i32)
declare double @llvm.ldexp.f64.i32(double, i32)
declare { double, i32 } @llvm.frexp.f64.i32(double)
declare double @llvm.canonicalize.f64(double)
declare double @llvm.arithmetic.fence.f64(double)
declare i16 @llvm.convert.to.fp16.f32(float)
declare float @llvm.convert.from.fp16.f32(i16)

; IEEE 754 arithmetic: infinities, NaNs, signed zeros.
; open: the sign of a NaN.
; expect: NaN
define double @inf_minus_inf() {
  %r = fsub double 0x7FF0000000000000, 0x7FF0000000000000
  ret double %r
}

; open: the sign of a NaN.
; expect: NaN
define double @zero_times_inf() {
  %r = fmul double 0.0, 0x7FF0000000000000
  ret double %r
}

; open: the sign of a NaN.
; expect: NaN
define double @zero_by_zero() {
  %r = fdiv double 0.0, 0.0
  ret double %r
}

; expect: inf
define double @one_by_zero() {
  %r = fdiv double 1.0, 0.0
  ret double %r
}

; expect: -inf
define double @one_by_minus_zero() {
  %r = fdiv double 1.0, -0.0
  ret double %r
}

; expect: -0
define double @minus_zero_sum() {
  %r = fadd double -0.0, -0.0
  ret double %r
}

; expect: 0
define double @zeros_sum() {
  %r = fadd double 0.0, -0.0
  ret double %r
}

; expect: 0
define double @zero_difference() {
  %r = fsub double 0.0, 0.0
  ret double %r
}

; open: the sign of a NaN.
; expect: NaN
define double @inf_rem() {
  %r = frem double 0x7FF0000000000000, 2.0
  ret double %r
}

; expect: 5.5
define double @rem_inf() {
  %r = frem double 5.5, 0x7FF0000000000000
  ret double %r
}

; open: the sign of a NaN.
; expect: NaN
define double @rem_by_zero() {
  %r = frem double 5.5, 0.0
  ret double %r
}

; expect: -1.5
define double @rem_negative() {
  %r = frem double -5.5, 2.0
  ret double %r
}

; expect: -0
define double @rem_zero_sign() {
  %r = frem double -4.0, 2.0
  ret double %r
}

; expect: NaN
define double @nan_operand() {
  %r = fadd double 0x7FF8000000000000, 1.0
  ret double %r
}

; expect: 1
define double @ulp() {
  %r = fadd double 1.0, 0x3CA0000000000000
  ret double %r
}

; expect: 0x3ff0000000000002
define double @ulp_up() {
  %r = fadd double 0x3FF0000000000001, 0x3CA0000000000000
  ret double %r
}

; expect: 0x2
define double @subnormal_sum() {
  %r = fadd double 0x0000000000000001, 0x0000000000000001
  ret double %r
}

; expect: 0x8000000000000
define double @subnormal_product() {
  %r = fmul double 0x0010000000000000, 0.5
  ret double %r
}

; "The value produced is a copy of the operand with its sign bit flipped." (fneg)
; expect: -0
define double @fneg_zero() {
  %r = fneg double 0.0
  ret double %r
}

; expect: 0xfff8000000000000
define double @fneg_nan() {
  %r = fneg double 0x7FF8000000000000
  ret double %r
}

; expect: {-1, 2}
define <2 x float> @fneg_lanes() {
  %r = fneg <2 x float> <float 1.0, float -2.0>
  ret <2 x float> %r
}

; expect: 0xbc00
define half @fneg_half() {
  %r = fneg half 0xH3C00
  ret half %r
}

; float: rounded to 24 bits after each operation.
; expect: 16777216
define float @float_sum() {
  %r = fadd float 16777216.0, 1.0
  ret float %r
}

; expect: 0x3e99999a
define float @float_product() {
  %r = fmul float 0x3FB99999A0000000, 3.0
  ret float %r
}

; expect: 0x3eaaaaab
define float @float_quotient() {
  %r = fdiv float 1.0, 3.0
  ret float %r
}

; expect: 0x3f7fffff
define float @float_difference() {
  %r = fsub float 1.0, 0x3E70000000000000
  ret float %r
}

; expect: inf
define float @float_overflow() {
  %r = fmul float 0x47D2CED320000000, 10.0
  ret float %r
}

; expect: 1
define float @float_remainder() {
  %r = frem float 10.0, 3.0
  ret float %r
}

; half: rounded to 11 bits.
; expect: 0x6800
define half @half_sum() {
  %r = fadd half 0xH6800, 0xH3C00
  ret half %r
}

; expect: 0x4080
define half @half_product() {
  %r = fmul half 0xH3E00, 0xH3E00
  ret half %r
}

; expect: 0x3555
define half @half_quotient() {
  %r = fdiv half 0xH3C00, 0xH4200
  ret half %r
}

; expect: 0x7c00
define half @half_overflow() {
  %r = fmul half 0xH7BFF, 0xH4000
  ret half %r
}

; bfloat: rounded to 8 bits.
; expect: 0x4380
define bfloat @bfloat_sum() {
  %r = fadd bfloat 0xR4380, 0xR3F80
  ret bfloat %r
}

; expect: 0x3eab
define bfloat @bfloat_quotient() {
  %r = fdiv bfloat 0xR3F80, 0xR4040
  ret bfloat %r
}

; x86_fp80: 64 bits.
; expect: 0x3fff8000000000000001
define x86_fp80 @fp80_sum() {
  %r = fadd x86_fp80 0xK3FFF8000000000000000, 0xK3FC08000000000000000
  ret x86_fp80 %r
}

; expect: 0x40008000000000000001
define x86_fp80 @fp80_product() {
  %r = fmul x86_fp80 0xK40008000000000000000, 0xK3FFF8000000000000001
  ret x86_fp80 %r
}

; expect: 0x3ffdaaaaaaaaaaaaaaab
define x86_fp80 @fp80_quotient() {
  %r = fdiv x86_fp80 0xK3FFF8000000000000000, 0xK4000C000000000000000
  ret x86_fp80 %r
}

; expect: 0x40008000000000000000
define x86_fp80 @fp80_remainder() {
  %r = frem x86_fp80 0xK4001A000000000000000, 0xK4000C000000000000000
  ret x86_fp80 %r
}

; fp128: 113 bits.
; expect: 0x3fff0000000000000000000000000001
define fp128 @quad_sum() {
  %r = fadd fp128 0xL00000000000000003FFF000000000000, 0xL00000000000000003F8F000000000000
  ret fp128 %r
}

; expect: 0x3ffd5555555555555555555555555555
define fp128 @quad_quotient() {
  %r = fdiv fp128 0xL00000000000000003FFF000000000000, 0xL00000000000000004000800000000000
  ret fp128 %r
}

; fma rounds once, fmuladd (without the instruction) twice.
; expect: 0x3970000000000000
define double @fma_rounds_once() {
  %r = call double @llvm.fma.f64(double 0x3FF0000000000001, double 0x3FF0000000000001, double 0xBFF0000000000002)
  ret double %r
}

; open: fmuladd may round once.
; expect: 0
define double @fmuladd_rounds_twice() {
  %r = call double @llvm.fmuladd.f64(double 0x3FF0000000000001, double 0x3FF0000000000001, double 0xBFF0000000000002)
  ret double %r
}

; expect: 17
define float @fma_float() {
  %r = call float @llvm.fma.f32(float 3.0, float 4.0, float 5.0)
  ret float %r
}

; Square roots are correctly rounded; "sqrt(-0.0) is -0.0"; of a negative number NaN.
; expect: 0x3ff6a09e667f3bcd
define double @sqrt_two() {
  %r = call double @llvm.sqrt.f64(double 2.0)
  ret double %r
}

; expect: -0
define double @sqrt_minus_zero() {
  %r = call double @llvm.sqrt.f64(double -0.0)
  ret double %r
}

; expect: -1
define i1 @sqrt_negative() {
  %s = call double @llvm.sqrt.f64(double -1.0)
  %r = fcmp uno double %s, %s
  ret i1 %r
}

; powi, ldexp, frexp; canonicalize and arithmetic.fence give their operand.
; expect: 0.125
define double @powi_negative() {
  %r = call double @llvm.powi.f64.i32(double 2.0, i32 -3)
  ret double %r
}

; expect: 1
define double @powi_zero() {
  %r = call double @llvm.powi.f64.i32(double 0x7FF8000000000000, i32 0)
  ret double %r
}

; expect: 0x1
define double @ldexp_subnormal() {
  %r = call double @llvm.ldexp.f64.i32(double 1.0, i32 -1074)
  ret double %r
}

; expect: {-0.75, 4}
define { double, i32 } @frexp_parts() {
  %r = call { double, i32 } @llvm.frexp.f64.i32(double -12.0)
  ret { double, i32 } %r
}

; expect: 2.5
define double @arithmetic_fence() {
  %r = call double @llvm.arithmetic.fence.f64(double 2.5)
  ret double %r
}

; expect: 15872
define i16 @to_fp16() {
  %r = call i16 @llvm.convert.to.fp16.f32(float 1.5)
  ret i16 %r
}

; expect: 1.5
define float @from_fp16() {
  %r = call float @llvm.convert.from.fp16.f32(i16 15872)
  ret float %r
}
