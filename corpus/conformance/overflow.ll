; Arithmetic with overflow and saturation.

declare i4 @llvm.sadd.sat.i4(i4, i4)
declare i8 @llvm.sadd.sat.i8(i8, i8)
declare i32 @llvm.sadd.sat.i32(i32, i32)
declare i64 @llvm.sadd.sat.i64(i64, i64)
declare i4 @llvm.uadd.sat.i4(i4, i4)
declare i8 @llvm.uadd.sat.i8(i8, i8)
declare i32 @llvm.uadd.sat.i32(i32, i32)
declare i64 @llvm.uadd.sat.i64(i64, i64)
declare i8 @llvm.ssub.sat.i8(i8, i8)
declare i16 @llvm.ssub.sat.i16(i16, i16)
declare i64 @llvm.ssub.sat.i64(i64, i64)
declare i128 @llvm.ssub.sat.i128(i128, i128)
declare i8 @llvm.usub.sat.i8(i8, i8)
declare i64 @llvm.usub.sat.i64(i64, i64)
declare i8 @llvm.sshl.sat.i8(i8, i8)
declare i64 @llvm.sshl.sat.i64(i64, i64)
declare i8 @llvm.ushl.sat.i8(i8, i8)
declare i32 @llvm.ushl.sat.i32(i32, i32)
declare <3 x i8> @llvm.uadd.sat.v3i8(<3 x i8>, <3 x i8>)
declare { i8, i1 } @llvm.sadd.with.overflow.i8(i8, i8)
declare { i64, i1 } @llvm.sadd.with.overflow.i64(i64, i64)
declare { i128, i1 } @llvm.sadd.with.overflow.i128(i128, i128)
declare { i8, i1 } @llvm.uadd.with.overflow.i8(i8, i8)
declare { i32, i1 } @llvm.uadd.with.overflow.i32(i32, i32)
declare { i128, i1 } @llvm.uadd.with.overflow.i128(i128, i128)
declare { i8, i1 } @llvm.ssub.with.overflow.i8(i8, i8)
declare { i32, i1 } @llvm.ssub.with.overflow.i32(i32, i32)
declare { i8, i1 } @llvm.usub.with.overflow.i8(i8, i8)
declare { i64, i1 } @llvm.usub.with.overflow.i64(i64, i64)
declare { i8, i1 } @llvm.smul.with.overflow.i8(i8, i8)
declare { i32, i1 } @llvm.smul.with.overflow.i32(i32, i32)
declare { i64, i1 } @llvm.smul.with.overflow.i64(i64, i64)
declare { i128, i1 } @llvm.smul.with.overflow.i128(i128, i128)
declare { i16, i1 } @llvm.smul.with.overflow.i16(i16, i16)
declare { i8, i1 } @llvm.umul.with.overflow.i8(i8, i8)
declare { i64, i1 } @llvm.umul.with.overflow.i64(i64, i64)
declare { i128, i1 } @llvm.umul.with.overflow.i128(i128, i128)
declare { i32, i1 } @llvm.umul.with.overflow.i32(i32, i32)
declare { <2 x i32>, <2 x i1> } @llvm.uadd.with.overflow.v2i32(<2 x i32>, <2 x i32>)

; "The maximum value this operation can clamp to is the largest signed value representable by the bit width of the
; arguments. The minimum value is the smallest signed value".
; expect: 7
define i4 @sadd_sat_i4_0() {
  %r = call i4 @llvm.sadd.sat.i4(i4 7, i4 1)
  ret i4 %r
}

; expect: -128
define i8 @sadd_sat_i8_1() {
  %r = call i8 @llvm.sadd.sat.i8(i8 -100, i8 -100)
  ret i8 %r
}

; expect: 2147483647
define i32 @sadd_sat_i32_2() {
  %r = call i32 @llvm.sadd.sat.i32(i32 2147483647, i32 2)
  ret i32 %r
}

; expect: -9223372036854775808
define i64 @sadd_sat_i64_3() {
  %r = call i64 @llvm.sadd.sat.i64(i64 -9223372036854775808, i64 -1)
  ret i64 %r
}

; expect: 127
define i8 @sadd_sat_i8_4() {
  %r = call i8 @llvm.sadd.sat.i8(i8 100, i8 27)
  ret i8 %r
}

; expect: -1
define i4 @uadd_sat_i4_0() {
  %r = call i4 @llvm.uadd.sat.i4(i4 -1, i4 1)
  ret i4 %r
}

; expect: -1
define i8 @uadd_sat_i8_1() {
  %r = call i8 @llvm.uadd.sat.i8(i8 -56, i8 55)
  ret i8 %r
}

; expect: -1
define i32 @uadd_sat_i32_2() {
  %r = call i32 @llvm.uadd.sat.i32(i32 -1, i32 9)
  ret i32 %r
}

; expect: -1
define i64 @uadd_sat_i64_3() {
  %r = call i64 @llvm.uadd.sat.i64(i64 -9223372036854775808, i64 -9223372036854775808)
  ret i64 %r
}

; expect: -128
define i8 @ssub_sat_i8_0() {
  %r = call i8 @llvm.ssub.sat.i8(i8 -128, i8 1)
  ret i8 %r
}

; expect: 127
define i8 @ssub_sat_i8_1() {
  %r = call i8 @llvm.ssub.sat.i8(i8 127, i8 -1)
  ret i8 %r
}

; expect: -32768
define i16 @ssub_sat_i16_2() {
  %r = call i16 @llvm.ssub.sat.i16(i16 -30000, i16 30000)
  ret i16 %r
}

; expect: 9223372036854775807
define i64 @ssub_sat_i64_3() {
  %r = call i64 @llvm.ssub.sat.i64(i64 0, i64 -9223372036854775808)
  ret i64 %r
}

; expect: -170141183460469231731687303715884105728
define i128 @ssub_sat_i128_4() {
  %r = call i128 @llvm.ssub.sat.i128(i128 -170141183460469231731687303715884105728, i128 1)
  ret i128 %r
}

; expect: 0
define i8 @usub_sat_i8_0() {
  %r = call i8 @llvm.usub.sat.i8(i8 3, i8 4)
  ret i8 %r
}

; expect: 1
define i8 @usub_sat_i8_1() {
  %r = call i8 @llvm.usub.sat.i8(i8 4, i8 3)
  ret i8 %r
}

; expect: 0
define i64 @usub_sat_i64_2() {
  %r = call i64 @llvm.usub.sat.i64(i64 0, i64 -1)
  ret i64 %r
}

; "If b is (statically or dynamically) equal to or larger than the integer bit width of the arguments, the result is a
; poison value." Otherwise: "the value of a << b is computed, clamped".
; expect: 127
define i8 @sshl_sat_64_by_1_i8() {
  %r = call i8 @llvm.sshl.sat.i8(i8 64, i8 1)
  ret i8 %r
}

; expect: -128
define i8 @sshl_sat_65_minus_by_1_i8() {
  %r = call i8 @llvm.sshl.sat.i8(i8 -65, i8 1)
  ret i8 %r
}

; expect: -128
define i8 @sshl_sat_64_minus_by_1_i8() {
  %r = call i8 @llvm.sshl.sat.i8(i8 -64, i8 1)
  ret i8 %r
}

; expect: 9223372036854775807
define i64 @sshl_sat_1_by_63_i64() {
  %r = call i64 @llvm.sshl.sat.i64(i64 1, i64 63)
  ret i64 %r
}

; expect: -1
define i8 @ushl_sat_128_by_1_i8() {
  %r = call i8 @llvm.ushl.sat.i8(i8 -128, i8 1)
  ret i8 %r
}

; expect: -4
define i8 @ushl_sat_63_by_2_i8() {
  %r = call i8 @llvm.ushl.sat.i8(i8 63, i8 2)
  ret i8 %r
}

; expect: -2147483648
define i32 @ushl_sat_1_by_31_i32() {
  %r = call i32 @llvm.ushl.sat.i32(i32 1, i32 31)
  ret i32 %r
}

define i8 @sshl_sat_too_far() {
  %r = call i8 @llvm.sshl.sat.i8(i8 0, i8 8) ;~ poison
  ret i8 %r
}

define i8 @ushl_sat_too_far() {
  %r = call i8 @llvm.ushl.sat.i8(i8 0, i8 -1) ;~ poison
  ret i8 %r
}

; expect: {-1, 3, poison}
define <3 x i8> @uadd_sat_lanes() {
  %r = call <3 x i8> @llvm.uadd.sat.v3i8(<3 x i8> <i8 -1, i8 1, i8 poison>, <3 x i8> <i8 1, i8 2, i8 3>)
  ret <3 x i8> %r
}

; "The first element of which is the … result, and the second element of which is a bit specifying if the … operation
; resulted in an overflow."
; expect: {-128, -1}
define { i8, i1 } @sadd_overflow_i8_0() {
  %r = call { i8, i1 } @llvm.sadd.with.overflow.i8(i8 127, i8 1)
  ret { i8, i1 } %r
}

; expect: {3, 0}
define { i64, i1 } @sadd_overflow_i64_1() {
  %r = call { i64, i1 } @llvm.sadd.with.overflow.i64(i64 1, i64 2)
  ret { i64, i1 } %r
}

; expect: {-170141183460469231731687303715884105728, -1}
define { i128, i1 } @sadd_overflow_i128_2() {
  %r = call { i128, i1 } @llvm.sadd.with.overflow.i128(i128 170141183460469231731687303715884105727, i128 1)
  ret { i128, i1 } %r
}

; expect: {0, -1}
define { i8, i1 } @uadd_overflow_i8_0() {
  %r = call { i8, i1 } @llvm.uadd.with.overflow.i8(i8 -1, i8 1)
  ret { i8, i1 } %r
}

; expect: {15, 0}
define { i32, i1 } @uadd_overflow_i32_1() {
  %r = call { i32, i1 } @llvm.uadd.with.overflow.i32(i32 7, i32 8)
  ret { i32, i1 } %r
}

; expect: {0, -1}
define { i128, i1 } @uadd_overflow_i128_2() {
  %r = call { i128, i1 } @llvm.uadd.with.overflow.i128(i128 -1, i128 1)
  ret { i128, i1 } %r
}

; expect: {127, -1}
define { i8, i1 } @ssub_overflow_i8_0() {
  %r = call { i8, i1 } @llvm.ssub.with.overflow.i8(i8 -128, i8 1)
  ret { i8, i1 } %r
}

; expect: {-4, 0}
define { i32, i1 } @ssub_overflow_i32_1() {
  %r = call { i32, i1 } @llvm.ssub.with.overflow.i32(i32 5, i32 9)
  ret { i32, i1 } %r
}

; expect: {-1, -1}
define { i8, i1 } @usub_overflow_i8_0() {
  %r = call { i8, i1 } @llvm.usub.with.overflow.i8(i8 0, i8 1)
  ret { i8, i1 } %r
}

; expect: {0, 0}
define { i64, i1 } @usub_overflow_i64_1() {
  %r = call { i64, i1 } @llvm.usub.with.overflow.i64(i64 9, i64 9)
  ret { i64, i1 } %r
}

; expect: {-128, -1}
define { i8, i1 } @smul_overflow_i8_0() {
  %r = call { i8, i1 } @llvm.smul.with.overflow.i8(i8 -128, i8 -1)
  ret { i8, i1 } %r
}

; expect: {-2147479015, -1}
define { i32, i1 } @smul_overflow_i32_1() {
  %r = call { i32, i1 } @llvm.smul.with.overflow.i32(i32 46341, i32 46341)
  ret { i32, i1 } %r
}

; expect: {-9223372036709301616, -1}
define { i64, i1 } @smul_overflow_i64_2() {
  %r = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 3037000500, i64 3037000500)
  ret { i64, i1 } %r
}

; expect: {-170141183460469231731687303715884105728, -1}
define { i128, i1 } @smul_overflow_i128_3() {
  %r = call { i128, i1 } @llvm.smul.with.overflow.i128(i128 18446744073709551616, i128 9223372036854775808)
  ret { i128, i1 } %r
}

; expect: {-32761, 0}
define { i16, i1 } @smul_overflow_i16_4() {
  %r = call { i16, i1 } @llvm.smul.with.overflow.i16(i16 -181, i16 181)
  ret { i16, i1 } %r
}

; expect: {0, -1}
define { i8, i1 } @umul_overflow_i8_0() {
  %r = call { i8, i1 } @llvm.umul.with.overflow.i8(i8 16, i8 16)
  ret { i8, i1 } %r
}

; expect: {0, -1}
define { i64, i1 } @umul_overflow_i64_1() {
  %r = call { i64, i1 } @llvm.umul.with.overflow.i64(i64 4294967296, i64 4294967296)
  ret { i64, i1 } %r
}

; expect: {-170141183460469231731687303715884105728, 0}
define { i128, i1 } @umul_overflow_i128_2() {
  %r = call { i128, i1 } @llvm.umul.with.overflow.i128(i128 18446744073709551616, i128 9223372036854775808)
  ret { i128, i1 } %r
}

; expect: {-1, 0}
define { i32, i1 } @umul_overflow_i32_3() {
  %r = call { i32, i1 } @llvm.umul.with.overflow.i32(i32 65535, i32 65537)
  ret { i32, i1 } %r
}

; expect: {1, 7, -1, 0}
define { <2 x i32>, <2 x i1> } @uadd_overflow_lanes() {
  %r = call { <2 x i32>, <2 x i1> } @llvm.uadd.with.overflow.v2i32(<2 x i32> <i32 -1, i32 3>, <2 x i32> <i32 2, i32 4>)
  ret { <2 x i32>, <2 x i1> } %r
}
