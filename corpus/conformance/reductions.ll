; Vector reductions.

declare i8 @llvm.vector.reduce.add.v4i8(<4 x i8>)
declare i8 @llvm.vector.reduce.mul.v4i8(<4 x i8>)
declare i8 @llvm.vector.reduce.and.v4i8(<4 x i8>)
declare i8 @llvm.vector.reduce.or.v4i8(<4 x i8>)
declare i8 @llvm.vector.reduce.xor.v4i8(<4 x i8>)
declare i8 @llvm.vector.reduce.smin.v4i8(<4 x i8>)
declare i8 @llvm.vector.reduce.smax.v4i8(<4 x i8>)
declare i8 @llvm.vector.reduce.umin.v4i8(<4 x i8>)
declare i8 @llvm.vector.reduce.umax.v4i8(<4 x i8>)
declare i1 @llvm.vector.reduce.and.v3i1(<3 x i1>)
declare i32 @llvm.vector.reduce.add.v1i32(<1 x i32>)
declare i32 @llvm.vector.reduce.or.v2i32(<2 x i32>)
declare double @llvm.vector.reduce.fadd.v4f64(double, <4 x double>)
declare double @llvm.vector.reduce.fmul.v4f64(double, <4 x double>)
declare double @llvm.vector.reduce.fmax.v4f64(<4 x double>)
declare double @llvm.vector.reduce.fmin.v4f64(<4 x double>)
declare double @llvm.vector.reduce.fmaximum.v4f64(<4 x double>)
declare double @llvm.vector.reduce.fminimum.v4f64(<4 x double>)

; "The llvm.vector.reduce.add.* intrinsics do an integer ADD reduction of a vector, returning the result as a scalar",
; and so on for the other operations.
; expect: -92
define i8 @reduce_add() {
  %r = call i8 @llvm.vector.reduce.add.v4i8(<4 x i8> <i8 100, i8 -3, i8 7, i8 60>)
  ret i8 %r
}

; expect: -48
define i8 @reduce_mul() {
  %r = call i8 @llvm.vector.reduce.mul.v4i8(<4 x i8> <i8 100, i8 -3, i8 7, i8 60>)
  ret i8 %r
}

; expect: 4
define i8 @reduce_and() {
  %r = call i8 @llvm.vector.reduce.and.v4i8(<4 x i8> <i8 100, i8 -3, i8 7, i8 60>)
  ret i8 %r
}

; expect: -1
define i8 @reduce_or() {
  %r = call i8 @llvm.vector.reduce.or.v4i8(<4 x i8> <i8 100, i8 -3, i8 7, i8 60>)
  ret i8 %r
}

; expect: -94
define i8 @reduce_xor() {
  %r = call i8 @llvm.vector.reduce.xor.v4i8(<4 x i8> <i8 100, i8 -3, i8 7, i8 60>)
  ret i8 %r
}

; expect: -3
define i8 @reduce_smin() {
  %r = call i8 @llvm.vector.reduce.smin.v4i8(<4 x i8> <i8 100, i8 -3, i8 7, i8 60>)
  ret i8 %r
}

; expect: 100
define i8 @reduce_smax() {
  %r = call i8 @llvm.vector.reduce.smax.v4i8(<4 x i8> <i8 100, i8 -3, i8 7, i8 60>)
  ret i8 %r
}

; expect: 7
define i8 @reduce_umin() {
  %r = call i8 @llvm.vector.reduce.umin.v4i8(<4 x i8> <i8 100, i8 -3, i8 7, i8 60>)
  ret i8 %r
}

; expect: -3
define i8 @reduce_umax() {
  %r = call i8 @llvm.vector.reduce.umax.v4i8(<4 x i8> <i8 100, i8 -3, i8 7, i8 60>)
  ret i8 %r
}

; expect: -1
define i1 @reduce_and_of_bits() {
  %r = call i1 @llvm.vector.reduce.and.v3i1(<3 x i1> <i1 true, i1 true, i1 true>)
  ret i1 %r
}

; expect: 7
define i32 @reduce_one_lane() {
  %r = call i32 @llvm.vector.reduce.add.v1i32(<1 x i32> <i32 7>)
  ret i32 %r
}

; expect: poison
define i32 @reduce_poison_lane() {
  %r = call i32 @llvm.vector.reduce.or.v2i32(<2 x i32> <i32 7, i32 poison>)
  ret i32 %r
}

; "If the intrinsic call doesn't have the 'reassoc' flag set, then the reduction will preserve the associativity of an
; equivalent scalarized counterpart": ((start + a) + b) + c.
; expect: 1
define double @reduce_fadd_in_order() {
  %r = call double @llvm.vector.reduce.fadd.v4f64(double 1.0e16, <4 x double> <double 1.0, double 1.0, double -1.0e16, double 1.0>)
  ret double %r
}

; expect: -0
define double @reduce_fadd_neutral() {
  %r = call double @llvm.vector.reduce.fadd.v4f64(double -0.0, <4 x double> <double -0.0, double -0.0, double -0.0, double -0.0>)
  ret double %r
}

; expect: inf
define double @reduce_fmul_in_order() {
  %r = call double @llvm.vector.reduce.fmul.v4f64(double 1.0e200, <4 x double> <double 1.0e200, double 1.0e-200, double 1.0e-200, double 1.0>)
  ret double %r
}

; The comparison semantics of fmax and fmin reductions "match those of llvm.maxnum.*" and llvm.minnum; of fmaximum and
; fminimum those of llvm.maximum and llvm.minimum.
; expect: 5
define double @reduce_fmax_with_nan() {
  %r = call double @llvm.vector.reduce.fmax.v4f64(<4 x double> <double 2.0, double 5.0, double 0x7FF8000000000000, double -4.0>)
  ret double %r
}

; expect: -4
define double @reduce_fmin_with_nan() {
  %r = call double @llvm.vector.reduce.fmin.v4f64(<4 x double> <double 2.0, double 5.0, double 0x7FF8000000000000, double -4.0>)
  ret double %r
}

; expect: NaN
define double @reduce_fmaximum_with_nan() {
  %r = call double @llvm.vector.reduce.fmaximum.v4f64(<4 x double> <double 2.0, double 5.0, double 0x7FF8000000000000, double -4.0>)
  ret double %r
}

; expect: NaN
define double @reduce_fminimum_with_nan() {
  %r = call double @llvm.vector.reduce.fminimum.v4f64(<4 x double> <double 2.0, double 5.0, double 0x7FF8000000000000, double -4.0>)
  ret double %r
}

; expect: 5
define double @reduce_fmaximum_plain() {
  %r = call double @llvm.vector.reduce.fmaximum.v4f64(<4 x double> <double 2.0, double 5.0, double -0.0, double -4.0>)
  ret double %r
}
