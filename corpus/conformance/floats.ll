; Floating-point arithmetic, comparisons and conversions in every format.

declare double @llvm.fma.f64(double, double, double)
declare double @llvm.fmuladd.f64(double, double, double)
declare float @llvm.sqrt.f32(float)
declare double @llvm.powi.f64.i32(double, i32)
declare double @llvm.minnum.f64(double, double)
declare double @llvm.minimum.f64(double, double)
declare double @llvm.copysign.f64(double, double)
declare double @llvm.roundeven.f64(double)
declare double @llvm.round.f64(double)
declare i1 @llvm.is.fpclass.f64(double, i32)
declare i32 @llvm.fptosi.sat.i32.f64(double)
declare i8 @llvm.fptoui.sat.i8.f32(float)
declare { double, i32 } @llvm.frexp.f64.i32(double)
declare double @llvm.ldexp.f64.i32(double, i32)
declare double @sin(double)
declare double @modf(double, ptr)
declare void @sincos(double, ptr, ptr)
declare i64 @lround(double)
declare x86_fp80 @sqrtl(x86_fp80)
declare { double, double } @__muldc3(double, double, double, double)

; expect: 0.30000000000000004
define double @add_case() {
  %a = freeze double 0.1
  %r = fadd double %a, 0.2
  ret double %r
}

; expect: 0.3
define float @add_float() {
  %a = freeze float 0x3FB99999A0000000
  %r = fadd float %a, 0x3FC99999A0000000
  ret float %r
}

; half: 1 + 2^-11 rounds to even.
; expect: 0x3c00
define half @add_half() {
  %a = freeze half 0xH3C00
  %r = fadd half %a, 0xH1000
  ret half %r
}

; expect: 0x4040
define bfloat @mul_bfloat() {
  %a = freeze bfloat 0xR3FC0
  %r = fmul bfloat %a, 0xR4000
  ret bfloat %r
}

; x86_fp80: 1/3 to 64 bits.
; expect: 0x3ffdaaaaaaaaaaaaaaab
define x86_fp80 @div_fp80() {
  %a = freeze x86_fp80 0xK3FFF8000000000000000
  %r = fdiv x86_fp80 %a, 0xK4000C000000000000000
  ret x86_fp80 %r
}

; fp128: 1 + 2^-112.
; expect: 0x3fff0000000000000000000000000001
define fp128 @add_fp128() {
  %a = freeze fp128 0xL00000000000000003FFF000000000000
  %r = fadd fp128 %a, 0xL00000000000000003F8F000000000000
  ret fp128 %r
}

; expect: -1
define double @frem_case() {
  %a = freeze double -7.0
  %r = frem double %a, 2.0
  ret double %r
}

; "nnan: … if an argument is a NaN, or the result would be a NaN, it produces a poison value"
; expect: poison
define double @nnan() {
  %z = freeze double 0.0
  %r = fdiv nnan double %z, 0.0
  ret double %r
}

; expect: poison
define double @ninf() {
  %a = freeze double 1.0
  %r = fdiv ninf double %a, 0.0
  ret double %r
}

; expect: inf
define double @no_flag() {
  %a = freeze double 1.0
  %r = fdiv double %a, 0.0
  ret double %r
}

; expect: -1
define i1 @fcmp_unordered() {
  %n = freeze double 0x7FF8000000000000
  %r = fcmp ult double %n, 1.0
  ret i1 %r
}

; expect: 0
define i1 @fcmp_ordered() {
  %n = freeze double 0x7FF8000000000000
  %r = fcmp one double %n, 1.0
  ret i1 %r
}

; expect: -1
define i1 @fcmp_zeros() {
  %n = freeze double -0.0
  %r = fcmp oeq double %n, 0.0
  ret i1 %r
}

; "fneg … only flips the sign bit"
; expect: -0
define double @fneg_zero() {
  %a = freeze double 0.0
  %r = fneg double %a
  ret double %r
}

; "fptosi … If the value cannot fit in ty2, the result is a poison value."
; expect: poison
define i8 @fptosi_too_large() {
  %a = freeze double 200.0
  %r = fptosi double %a to i8
  ret i8 %r
}

; expect: -3
define i32 @fptosi_truncates() {
  %a = freeze double -3.9
  %r = fptosi double %a to i32
  ret i32 %r
}

; expect: poison
define i32 @fptoui_negative() {
  %a = freeze double -1.0
  %r = fptoui double %a to i32
  ret i32 %r
}

; expect: 16777216
define float @sitofp_rounds() {
  %a = freeze i32 16777217
  %r = sitofp i32 %a to float
  ret float %r
}

; expect: 18446744073709552000
define double @uitofp() {
  %a = freeze i64 -1
  %r = uitofp i64 %a to double
  ret double %r
}

; expect: 0x7c00
define half @fptrunc_overflows() {
  %a = freeze double 100000.0
  %r = fptrunc double %a to half
  ret half %r
}

; expect: 0.333251953125
define double @fpext_half() {
  %a = freeze half 0xH3555
  %r = fpext half %a to double
  ret double %r
}

; expect: 0x3fff8000000000000000
define x86_fp80 @fpext_fp80() {
  %a = freeze double 1.0
  %r = fpext double %a to x86_fp80
  ret x86_fp80 %r
}

; expect: 4607182418800017408
define i64 @bitcast_double() {
  %a = freeze double 1.0
  %r = bitcast double %a to i64
  ret i64 %r
}

; expect: {0, 1072693248}
define <2 x i32> @bitcast_lanes() {
  %a = freeze double 1.0
  %r = bitcast double %a to <2 x i32>
  ret <2 x i32> %r
}

; fma rounds once, fmuladd on the baseline target twice: (1 + 2^-52)^2 less its rounding is 2^-104.
; expect: 1
define double @fma_case() {
  %a = freeze double 0x3FF0000000000001
  %b = fmul double %a, %a
  %n = fneg double %b
  %r = call double @llvm.fma.f64(double %a, double %a, double %n)
  %s = fmul double %r, 0x4670000000000000
  ret double %s
}

; open: fmuladd may round once.
; expect: 0
define double @fmuladd_case() {
  %a = freeze double 0x3FF0000000000001
  %b = fmul double %a, %a
  %n = fneg double %b
  %r = call double @llvm.fmuladd.f64(double %a, double %a, double %n)
  ret double %r
}

; expect: 1.4142135
define float @sqrt_float() {
  %a = freeze float 2.0
  %r = call float @llvm.sqrt.f32(float %a)
  ret float %r
}

; expect: 0.0009765625
define double @powi_case() {
  %a = freeze double 2.0
  %r = call double @llvm.powi.f64.i32(double %a, i32 -10)
  ret double %r
}

; "minnum: if one operand is a NaN, the other is returned"
; expect: 1
define double @minnum_nan() {
  %a = freeze double 0x7FF8000000000000
  %r = call double @llvm.minnum.f64(double %a, double 1.0)
  ret double %r
}

; expect: NaN
define double @minimum_nan() {
  %a = freeze double 0x7FF8000000000000
  %r = call double @llvm.minimum.f64(double %a, double 1.0)
  ret double %r
}

; expect: -0
define double @minimum_zeros() {
  %a = freeze double 0.0
  %r = call double @llvm.minimum.f64(double %a, double -0.0)
  ret double %r
}

; expect: -3
define double @copysign_case() {
  %a = freeze double 3.0
  %r = call double @llvm.copysign.f64(double %a, double -0.0)
  ret double %r
}

; expect: 2
define double @roundeven_case() {
  %a = freeze double 2.5
  %r = call double @llvm.roundeven.f64(double %a)
  ret double %r
}

; expect: 3
define double @round_case() {
  %a = freeze double 2.5
  %r = call double @llvm.round.f64(double %a)
  ret double %r
}

; expect: -1
define i1 @is_fpclass() {
  %a = freeze double -0.0
  %r = call i1 @llvm.is.fpclass.f64(double %a, i32 32)
  ret i1 %r
}

; expect: 2147483647
define i32 @fptosi_sat() {
  %a = freeze double 1.0e10
  %r = call i32 @llvm.fptosi.sat.i32.f64(double %a)
  ret i32 %r
}

; expect: 0
define i8 @fptoui_sat_nan() {
  %a = freeze float 0x7FF8000000000000
  %r = call i8 @llvm.fptoui.sat.i8.f32(float %a)
  ret i8 %r
}

; expect: {0.75, 3}
define { double, i32 } @frexp_case() {
  %a = freeze double 6.0
  %r = call { double, i32 } @llvm.frexp.f64.i32(double %a)
  ret { double, i32 } %r
}

; expect: 24
define double @ldexp_case() {
  %a = freeze double 3.0
  %r = call double @llvm.ldexp.f64.i32(double %a, i32 3)
  ret double %r
}

; expect: 0.8414709848078965
define double @sin_of_one() {
  %a = freeze double 1.0
  %r = call double @sin(double %a)
  ret double %r
}

; A library function through a pointer.
; expect: 0.8414709848078965
define double @sin_indirect() {
  %f = freeze ptr @sin
  %r = call double %f(double 1.0)
  ret double %r
}

; expect: {0.25, -3}
define { double, double } @modf_negative() {
  %p = alloca double
  %a = freeze double -3.25
  %f = call double @modf(double %a, ptr %p)
  %g = fneg double %f
  %i = load double, ptr %p
  %r = insertvalue { double, double } poison, double %g, 0
  %s = insertvalue { double, double } %r, double %i, 1
  ret { double, double } %s
}

; expect: 1.3899780883047137
define double @sincos_sum() {
  %p = alloca double
  %q = alloca double
  %a = freeze double 0.6
  call void @sincos(double %a, ptr %p, ptr %q)
  %s = load double, ptr %p
  %c = load double, ptr %q
  %r = fadd double %s, %c
  ret double %r
}

; expect: -3
define i64 @lround_away() {
  %a = freeze double -2.5
  %r = call i64 @lround(double %a)
  ret i64 %r
}

; sqrt 2 to 64 bits.
; expect: 0x3fffb504f333f9de6484
define x86_fp80 @sqrt_fp80() {
  %a = freeze x86_fp80 0xK40008000000000000000
  %r = call x86_fp80 @sqrtl(x86_fp80 %a)
  ret x86_fp80 %r
}

; (1+2i)(3+4i) = -5+10i
; expect: {-5, 10}
define { double, double } @complex_multiply() {
  %a = freeze double 1.0
  %r = call { double, double } @__muldc3(double %a, double 2.0, double 3.0, double 4.0)
  ret { double, double } %r
}

; expect: undef
define double @undef_spreads() {
  %r = fadd double undef, 1.0
  ret double %r
}
