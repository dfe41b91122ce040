; Bit manipulation.

declare i1 @llvm.ctpop.i1(i1)
declare i7 @llvm.ctpop.i7(i7)
declare i16 @llvm.ctpop.i16(i16)
declare i64 @llvm.ctpop.i64(i64)
declare i128 @llvm.ctpop.i128(i128)
declare i8 @llvm.ctlz.i8(i8, i1)
declare i8 @llvm.cttz.i8(i8, i1)
declare i16 @llvm.ctlz.i16(i16, i1)
declare i16 @llvm.cttz.i16(i16, i1)
declare i24 @llvm.ctlz.i24(i24, i1)
declare i24 @llvm.cttz.i24(i24, i1)
declare i64 @llvm.ctlz.i64(i64, i1)
declare i64 @llvm.cttz.i64(i64, i1)
declare i128 @llvm.ctlz.i128(i128, i1)
declare i128 @llvm.cttz.i128(i128, i1)
declare i33 @llvm.ctlz.i33(i33, i1)
declare i33 @llvm.cttz.i33(i33, i1)
declare <2 x i8> @llvm.ctlz.v2i8(<2 x i8>, i1)
declare i16 @llvm.bswap.i16(i16)
declare i32 @llvm.bswap.i32(i32)
declare i48 @llvm.bswap.i48(i48)
declare i64 @llvm.bswap.i64(i64)
declare i128 @llvm.bswap.i128(i128)
declare i3 @llvm.bitreverse.i3(i3)
declare i8 @llvm.bitreverse.i8(i8)
declare i16 @llvm.bitreverse.i16(i16)
declare i64 @llvm.bitreverse.i64(i64)
declare i128 @llvm.bitreverse.i128(i128)
declare i8 @llvm.fshl.i8(i8, i8, i8)
declare i7 @llvm.fshl.i7(i7, i7, i7)
declare i32 @llvm.fshl.i32(i32, i32, i32)
declare i64 @llvm.fshl.i64(i64, i64, i64)
declare i128 @llvm.fshl.i128(i128, i128, i128)
declare i8 @llvm.fshr.i8(i8, i8, i8)
declare i7 @llvm.fshr.i7(i7, i7, i7)
declare i32 @llvm.fshr.i32(i32, i32, i32)
declare i64 @llvm.fshr.i64(i64, i64, i64)
declare i128 @llvm.fshr.i128(i128, i128, i128)
declare i8 @llvm.abs.i8(i8, i1)
declare i128 @llvm.abs.i128(i128, i1)
declare i16 @llvm.abs.i16(i16, i1)
declare i8 @llvm.smax.i8(i8, i8)
declare i32 @llvm.smax.i32(i32, i32)
declare i128 @llvm.smax.i128(i128, i128)
declare i8 @llvm.smin.i8(i8, i8)
declare i32 @llvm.smin.i32(i32, i32)
declare i128 @llvm.smin.i128(i128, i128)
declare i8 @llvm.umax.i8(i8, i8)
declare i32 @llvm.umax.i32(i32, i32)
declare i128 @llvm.umax.i128(i128, i128)
declare i8 @llvm.umin.i8(i8, i8)
declare i32 @llvm.umin.i32(i32, i32)
declare i128 @llvm.umin.i128(i128, i128)
declare i2 @llvm.scmp.i2.i64(i64, i64)
declare i2 @llvm.ucmp.i2.i64(i64, i64)

; "The llvm.ctpop intrinsic counts the 1's in a variable".
; expect: -1
define i1 @ctpop_i1() {
  %r = call i1 @llvm.ctpop.i1(i1 true)
  ret i1 %r
}

; expect: 4
define i7 @ctpop_i7() {
  %r = call i7 @llvm.ctpop.i7(i7 -43)
  ret i7 %r
}

; expect: 16
define i16 @ctpop_i16() {
  %r = call i16 @llvm.ctpop.i16(i16 -1)
  ret i16 %r
}

; expect: 2
define i64 @ctpop_i64() {
  %r = call i64 @llvm.ctpop.i64(i64 -9223372036854775807)
  ret i64 %r
}

; expect: 128
define i128 @ctpop_i128() {
  %r = call i128 @llvm.ctpop.i128(i128 -1)
  ret i128 %r
}

; "If src == 0 then the result is the size in bits of the type of src if is_zero_poison == 0 and poison otherwise."
; (ctlz, cttz)
; expect: 7
define i8 @ctlz_i8() {
  %r = call i8 @llvm.ctlz.i8(i8 1, i1 true)
  ret i8 %r
}

; expect: 0
define i8 @cttz_i8() {
  %r = call i8 @llvm.cttz.i8(i8 1, i1 true)
  ret i8 %r
}

; expect: 8
define i16 @ctlz_i16() {
  %r = call i16 @llvm.ctlz.i16(i16 240, i1 true)
  ret i16 %r
}

; expect: 4
define i16 @cttz_i16() {
  %r = call i16 @llvm.cttz.i16(i16 240, i1 true)
  ret i16 %r
}

; expect: 23
define i24 @ctlz_i24() {
  %r = call i24 @llvm.ctlz.i24(i24 1, i1 true)
  ret i24 %r
}

; expect: 0
define i24 @cttz_i24() {
  %r = call i24 @llvm.cttz.i24(i24 1, i1 true)
  ret i24 %r
}

; expect: 23
define i64 @ctlz_i64() {
  %r = call i64 @llvm.ctlz.i64(i64 1099511627776, i1 true)
  ret i64 %r
}

; expect: 40
define i64 @cttz_i64() {
  %r = call i64 @llvm.cttz.i64(i64 1099511627776, i1 true)
  ret i64 %r
}

; expect: 127
define i128 @ctlz_i128() {
  %r = call i128 @llvm.ctlz.i128(i128 1, i1 true)
  ret i128 %r
}

; expect: 0
define i128 @cttz_i128() {
  %r = call i128 @llvm.cttz.i128(i128 1, i1 true)
  ret i128 %r
}

; expect: 8
define i8 @ctlz_i8_of_zero() {
  %r = call i8 @llvm.ctlz.i8(i8 0, i1 false)
  ret i8 %r
}

; expect: 8
define i8 @cttz_i8_of_zero() {
  %r = call i8 @llvm.cttz.i8(i8 0, i1 false)
  ret i8 %r
}

; expect: 33
define i33 @ctlz_i33_of_zero() {
  %r = call i33 @llvm.ctlz.i33(i33 0, i1 false)
  ret i33 %r
}

; expect: 33
define i33 @cttz_i33_of_zero() {
  %r = call i33 @llvm.cttz.i33(i33 0, i1 false)
  ret i33 %r
}

; expect: 128
define i128 @ctlz_i128_of_zero() {
  %r = call i128 @llvm.ctlz.i128(i128 0, i1 false)
  ret i128 %r
}

; expect: 128
define i128 @cttz_i128_of_zero() {
  %r = call i128 @llvm.cttz.i128(i128 0, i1 false)
  ret i128 %r
}

define i8 @ctlz_zero_is_poison() {
  %r = call i8 @llvm.ctlz.i8(i8 0, i1 true) ;~ poison
  ret i8 %r
}

define i64 @cttz_zero_is_poison() {
  %r = call i64 @llvm.cttz.i64(i64 0, i1 true) ;~ poison
  ret i64 %r
}

; expect: {3, poison}
define <2 x i8> @ctlz_lanes() {
  %r = call <2 x i8> @llvm.ctlz.v2i8(<2 x i8> <i8 16, i8 0>, i1 true)
  ret <2 x i8> %r
}

; "The llvm.bswap.i16 intrinsic returns an i16 value that has the high and low byte of the input i16 swapped." The
; wider ones reverse all bytes.
; expect: 13330
define i16 @bswap_i16() {
  %r = call i16 @llvm.bswap.i16(i16 4660)
  ret i16 %r
}

; expect: 2018915346
define i32 @bswap_i32() {
  %r = call i32 @llvm.bswap.i32(i32 305419896)
  ret i32 %r
}

; expect: -74103346809838
define i48 @bswap_i48() {
  %r = call i48 @llvm.bswap.i48(i48 20015998343868)
  ret i48 %r
}

; expect: 578437695752307201
define i64 @bswap_i64() {
  %r = call i64 @llvm.bswap.i64(i64 72623859790382856)
  ret i64 %r
}

; expect: 21345817372864405881847059188222722561
define i128 @bswap_i128() {
  %r = call i128 @llvm.bswap.i128(i128 1339673755198158349044581307228491536)
  ret i128 %r
}

; "The llvm.bitreverse.iN intrinsic returns an iN value that has bit M in the input moved to bit N-M-1 in the output."
; expect: -4
define i3 @bitreverse_i3() {
  %r = call i3 @llvm.bitreverse.i3(i3 1)
  ret i3 %r
}

; expect: -56
define i8 @bitreverse_i8() {
  %r = call i8 @llvm.bitreverse.i8(i8 19)
  ret i8 %r
}

; expect: -32767
define i16 @bitreverse_i16() {
  %r = call i16 @llvm.bitreverse.i16(i16 -32767)
  ret i16 %r
}

; expect: -9223372036854775808
define i64 @bitreverse_i64() {
  %r = call i64 @llvm.bitreverse.i64(i64 1)
  ret i64 %r
}

; expect: -85070591730234615865843651857942052864
define i128 @bitreverse_i128() {
  %r = call i128 @llvm.bitreverse.i128(i128 3)
  ret i128 %r
}

; "The first two values are concatenated as { %a : %b } (%a is the most significant bits of the wide value), the
; combined value is shifted left, and the most significant bits are extracted". "Shift amounts are taken modulo the
; element size".
; expect: 0
define i8 @fshl_i8_0() {
  %r = call i8 @llvm.fshl.i8(i8 -16, i8 15, i8 4)
  ret i8 %r
}

; expect: -127
define i8 @fshl_i8_1() {
  %r = call i8 @llvm.fshl.i8(i8 -127, i8 126, i8 0)
  ret i8 %r
}

; expect: -127
define i8 @fshl_i8_2() {
  %r = call i8 @llvm.fshl.i8(i8 -127, i8 126, i8 8)
  ret i8 %r
}

; expect: -64
define i8 @fshl_i8_3() {
  %r = call i8 @llvm.fshl.i8(i8 1, i8 -128, i8 -1)
  ret i8 %r
}

; expect: 9
define i7 @fshl_i7_4() {
  %r = call i7 @llvm.fshl.i7(i7 -63, i7 21, i7 10)
  ret i7 %r
}

; expect: 1164413355
define i32 @fshl_i32_5() {
  %r = call i32 @llvm.fshl.i32(i32 305419896, i32 -1698898192, i32 12)
  ret i32 %r
}

; expect: 3
define i64 @fshl_i64_6() {
  %r = call i64 @llvm.fshl.i64(i64 1, i64 -9223372036854775808, i64 65)
  ret i64 %r
}

; expect: 3
define i128 @fshl_i128_7() {
  %r = call i128 @llvm.fshl.i128(i128 1, i128 -170141183460469231731687303715884105728, i128 1)
  ret i128 %r
}

; expect: 0
define i8 @fshr_i8_0() {
  %r = call i8 @llvm.fshr.i8(i8 -16, i8 15, i8 4)
  ret i8 %r
}

; expect: 126
define i8 @fshr_i8_1() {
  %r = call i8 @llvm.fshr.i8(i8 -127, i8 126, i8 0)
  ret i8 %r
}

; expect: 126
define i8 @fshr_i8_2() {
  %r = call i8 @llvm.fshr.i8(i8 -127, i8 126, i8 8)
  ret i8 %r
}

; expect: 3
define i8 @fshr_i8_3() {
  %r = call i8 @llvm.fshr.i8(i8 1, i8 -128, i8 -1)
  ret i8 %r
}

; expect: 18
define i7 @fshr_i7_4() {
  %r = call i7 @llvm.fshr.i7(i7 -63, i7 21, i7 10)
  ret i7 %r
}

; expect: 1737075661
define i32 @fshr_i32_5() {
  %r = call i32 @llvm.fshr.i32(i32 305419896, i32 -1698898192, i32 12)
  ret i32 %r
}

; expect: -4611686018427387904
define i64 @fshr_i64_6() {
  %r = call i64 @llvm.fshr.i64(i64 1, i64 -9223372036854775808, i64 65)
  ret i64 %r
}

; expect: -85070591730234615865843651857942052864
define i128 @fshr_i128_7() {
  %r = call i128 @llvm.fshr.i128(i128 1, i128 -170141183460469231731687303715884105728, i128 1)
  ret i128 %r
}

; "Returns the absolute value of the argument … The second argument … indicates whether the result value … is a poison
; value if the argument is statically or dynamically an INT_MIN value."
; expect: 5
define i8 @abs_i8() {
  %r = call i8 @llvm.abs.i8(i8 -5, i1 true)
  ret i8 %r
}

; expect: 1267650600228229401496703205376
define i128 @abs_i128() {
  %r = call i128 @llvm.abs.i128(i128 -1267650600228229401496703205376, i1 true)
  ret i128 %r
}

; expect: -32768
define i16 @abs_i16_lowest_wraps() {
  %r = call i16 @llvm.abs.i16(i16 -32768, i1 false)
  ret i16 %r
}

define i16 @abs_lowest_is_poison() {
  %r = call i16 @llvm.abs.i16(i16 -32768, i1 true) ;~ poison
  ret i16 %r
}

; "Return the larger of %a and %b comparing the values as signed integers" (smax), and so on.
; expect: 1
define i8 @smax_i8() {
  %r = call i8 @llvm.smax.i8(i8 -1, i8 1)
  ret i8 %r
}

; expect: 2147483647
define i32 @smax_i32() {
  %r = call i32 @llvm.smax.i32(i32 -2147483648, i32 2147483647)
  ret i32 %r
}

; expect: 5
define i128 @smax_i128() {
  %r = call i128 @llvm.smax.i128(i128 -1, i128 5)
  ret i128 %r
}

; expect: -1
define i8 @smin_i8() {
  %r = call i8 @llvm.smin.i8(i8 -1, i8 1)
  ret i8 %r
}

; expect: -2147483648
define i32 @smin_i32() {
  %r = call i32 @llvm.smin.i32(i32 -2147483648, i32 2147483647)
  ret i32 %r
}

; expect: -1
define i128 @smin_i128() {
  %r = call i128 @llvm.smin.i128(i128 -1, i128 5)
  ret i128 %r
}

; expect: -1
define i8 @umax_i8() {
  %r = call i8 @llvm.umax.i8(i8 -1, i8 1)
  ret i8 %r
}

; expect: -2147483648
define i32 @umax_i32() {
  %r = call i32 @llvm.umax.i32(i32 -2147483648, i32 2147483647)
  ret i32 %r
}

; expect: -1
define i128 @umax_i128() {
  %r = call i128 @llvm.umax.i128(i128 -1, i128 5)
  ret i128 %r
}

; expect: 1
define i8 @umin_i8() {
  %r = call i8 @llvm.umin.i8(i8 -1, i8 1)
  ret i8 %r
}

; expect: 2147483647
define i32 @umin_i32() {
  %r = call i32 @llvm.umin.i32(i32 -2147483648, i32 2147483647)
  ret i32 %r
}

; expect: 5
define i128 @umin_i128() {
  %r = call i128 @llvm.umin.i128(i128 -1, i128 5)
  ret i128 %r
}

; "The llvm.scmp and llvm.ucmp: -1 if %a is less than %b, 0 if %a is equal to %b, 1 if %a is greater than %b".
; expect: -1
define i2 @scmp_0() {
  %r = call i2 @llvm.scmp.i2.i64(i64 -1, i64 1)
  ret i2 %r
}

; expect: 1
define i2 @scmp_1() {
  %r = call i2 @llvm.scmp.i2.i64(i64 1, i64 -1)
  ret i2 %r
}

; expect: 0
define i2 @scmp_2() {
  %r = call i2 @llvm.scmp.i2.i64(i64 7, i64 7)
  ret i2 %r
}

; expect: 1
define i2 @ucmp_0() {
  %r = call i2 @llvm.ucmp.i2.i64(i64 -1, i64 1)
  ret i2 %r
}

; expect: -1
define i2 @ucmp_1() {
  %r = call i2 @llvm.ucmp.i2.i64(i64 1, i64 -1)
  ret i2 %r
}

; expect: 0
define i2 @ucmp_2() {
  %r = call i2 @llvm.ucmp.i2.i64(i64 7, i64 7)
  ret i2 %r
}

; Poison in an operand is poison in the result; undefined bits make it undefined.
define i16 @ctpop_poison() {
  %p = add nuw i16 -1, 1 ;~ poison
  %r = call i16 @llvm.ctpop.i16(i16 %p)
  ret i16 %r
}

; expect: undef
define i32 @bswap_undef() {
  %r = call i32 @llvm.bswap.i32(i32 undef)
  ret i32 %r
}
