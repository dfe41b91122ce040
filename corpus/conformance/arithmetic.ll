; Integer arithmetic at every width, with and without the flags that make poison.

; "If the sum has unsigned overflow, the result returned is the mathematical result modulo 2^n, where n is the bit
; width of the result."
; expect: 0
define i1 @add_i1() {
  %r = add i1 true, true
  ret i1 %r
}

; expect: 32
define i7 @add_i7() {
  %r = add i7 -28, 60
  ret i7 %r
}

; expect: -128
define i8 @add_i8() {
  %r = add i8 127, 1
  ret i8 %r
}

; expect: 127
define i8 @add_i8_2() {
  %r = add i8 -128, -1
  ret i8 %r
}

; expect: 32
define i8 @add_i8_3() {
  %r = add i8 16, 16
  ret i8 %r
}

; expect: 1
define i16 @add_i16() {
  %r = add i16 -1, 2
  ret i16 %r
}

; expect: 4
define i24 @add_i24() {
  %r = add i24 -1, 5
  ret i24 %r
}

; expect: -2147483648
define i32 @add_i32() {
  %r = add i32 2147483647, 1
  ret i32 %r
}

; expect: -2
define i32 @add_i32_2() {
  %r = add i32 -1, -1
  ret i32 %r
}

; expect: 0
define i64 @add_i64() {
  %r = add i64 -9223372036854775808, -9223372036854775808
  ret i64 %r
}

; expect: 2
define i64 @add_i64_2() {
  %r = add i64 -1, 3
  ret i64 %r
}

; expect: -170141183460469231731687303715884105725
define i128 @add_i128() {
  %r = add i128 -170141183460469231731687303715884105728, 3
  ret i128 %r
}

; expect: -2
define i128 @add_i128_2() {
  %r = add i128 -1, -1
  ret i128 %r
}

; "If the difference has unsigned overflow, the result returned is the mathematical result modulo 2^n"
; expect: 0
define i1 @sub_i1() {
  %r = sub i1 true, true
  ret i1 %r
}

; expect: 40
define i7 @sub_i7() {
  %r = sub i7 -28, 60
  ret i7 %r
}

; expect: 126
define i8 @sub_i8() {
  %r = sub i8 127, 1
  ret i8 %r
}

; expect: -127
define i8 @sub_i8_2() {
  %r = sub i8 -128, -1
  ret i8 %r
}

; expect: 0
define i8 @sub_i8_3() {
  %r = sub i8 16, 16
  ret i8 %r
}

; expect: -3
define i16 @sub_i16() {
  %r = sub i16 -1, 2
  ret i16 %r
}

; expect: -6
define i24 @sub_i24() {
  %r = sub i24 -1, 5
  ret i24 %r
}

; expect: 2147483646
define i32 @sub_i32() {
  %r = sub i32 2147483647, 1
  ret i32 %r
}

; expect: 0
define i32 @sub_i32_2() {
  %r = sub i32 -1, -1
  ret i32 %r
}

; expect: 0
define i64 @sub_i64() {
  %r = sub i64 -9223372036854775808, -9223372036854775808
  ret i64 %r
}

; expect: -4
define i64 @sub_i64_2() {
  %r = sub i64 -1, 3
  ret i64 %r
}

; expect: 170141183460469231731687303715884105725
define i128 @sub_i128() {
  %r = sub i128 -170141183460469231731687303715884105728, 3
  ret i128 %r
}

; expect: 0
define i128 @sub_i128_2() {
  %r = sub i128 -1, -1
  ret i128 %r
}

; "If the result of the multiplication has unsigned overflow, the result returned is the mathematical result modulo
; 2^n"
; expect: -1
define i1 @mul_i1() {
  %r = mul i1 true, true
  ret i1 %r
}

; expect: -16
define i7 @mul_i7() {
  %r = mul i7 -28, 60
  ret i7 %r
}

; expect: 127
define i8 @mul_i8() {
  %r = mul i8 127, 1
  ret i8 %r
}

; expect: -128
define i8 @mul_i8_2() {
  %r = mul i8 -128, -1
  ret i8 %r
}

; expect: 0
define i8 @mul_i8_3() {
  %r = mul i8 16, 16
  ret i8 %r
}

; expect: -2
define i16 @mul_i16() {
  %r = mul i16 -1, 2
  ret i16 %r
}

; expect: -5
define i24 @mul_i24() {
  %r = mul i24 -1, 5
  ret i24 %r
}

; expect: 2147483647
define i32 @mul_i32() {
  %r = mul i32 2147483647, 1
  ret i32 %r
}

; expect: 1
define i32 @mul_i32_2() {
  %r = mul i32 -1, -1
  ret i32 %r
}

; expect: 0
define i64 @mul_i64() {
  %r = mul i64 -9223372036854775808, -9223372036854775808
  ret i64 %r
}

; expect: -3
define i64 @mul_i64_2() {
  %r = mul i64 -1, 3
  ret i64 %r
}

; expect: -170141183460469231731687303715884105728
define i128 @mul_i128() {
  %r = mul i128 -170141183460469231731687303715884105728, 3
  ret i128 %r
}

; expect: 1
define i128 @mul_i128_2() {
  %r = mul i128 -1, -1
  ret i128 %r
}

; "nuw and nsw stand for "No Unsigned Wrap" and "No Signed Wrap", respectively. If the nuw and/or nsw keywords are
; present, the result value … is a poison value if unsigned and/or signed overflow, respectively, occurs."
define i8 @add_nuw_i8_poison() {
  %r = add nuw i8 -1, 1 ;~ poison
  ret i8 %r
}

; expect: -1
define i8 @add_nuw_i8_fits() {
  %r = add nuw i8 -2, 1
  ret i8 %r
}

define i8 @add_nsw_i8_poison() {
  %r = add nsw i8 127, 1 ;~ poison
  ret i8 %r
}

define i8 @add_nsw_i8_poison_2() {
  %r = add nsw i8 -128, -1 ;~ poison
  ret i8 %r
}

; expect: 126
define i8 @add_nsw_i8_fits() {
  %r = add nsw i8 127, -1
  ret i8 %r
}

define i16 @add_nuw_nsw_i16_poison() {
  %r = add nuw nsw i16 32767, 1 ;~ poison
  ret i16 %r
}

define i64 @add_nsw_i64_poison() {
  %r = add nsw i64 9223372036854775807, 1 ;~ poison
  ret i64 %r
}

define i64 @add_nuw_i64_poison() {
  %r = add nuw i64 -1, 1 ;~ poison
  ret i64 %r
}

define i128 @add_nuw_i128_poison() {
  %r = add nuw i128 -1, 1 ;~ poison
  ret i128 %r
}

; expect: 170141183460469231731687303715884105727
define i128 @add_nsw_i128_fits() {
  %r = add nsw i128 170141183460469231731687303715884105727, 0
  ret i128 %r
}

define i8 @sub_nuw_i8_poison() {
  %r = sub nuw i8 0, 1 ;~ poison
  ret i8 %r
}

; expect: 0
define i8 @sub_nuw_i8_fits() {
  %r = sub nuw i8 5, 5
  ret i8 %r
}

define i8 @sub_nsw_i8_poison() {
  %r = sub nsw i8 -128, 1 ;~ poison
  ret i8 %r
}

; expect: -128
define i8 @sub_nsw_i8_fits() {
  %r = sub nsw i8 -127, 1
  ret i8 %r
}

define i32 @sub_nsw_i32_poison() {
  %r = sub nsw i32 0, -2147483648 ;~ poison
  ret i32 %r
}

define i128 @sub_nuw_i128_poison() {
  %r = sub nuw i128 0, 1 ;~ poison
  ret i128 %r
}

define i7 @sub_nsw_i7_poison() {
  %r = sub nsw i7 -64, 1 ;~ poison
  ret i7 %r
}

define i8 @mul_nuw_i8_poison() {
  %r = mul nuw i8 16, 16 ;~ poison
  ret i8 %r
}

; expect: -1
define i8 @mul_nuw_i8_fits() {
  %r = mul nuw i8 15, 17
  ret i8 %r
}

define i8 @mul_nsw_i8_poison() {
  %r = mul nsw i8 -128, -1 ;~ poison
  ret i8 %r
}

; expect: -128
define i8 @mul_nsw_i8_fits() {
  %r = mul nsw i8 -64, 2
  ret i8 %r
}

define i32 @mul_nsw_i32_poison() {
  %r = mul nsw i32 65536, 32768 ;~ poison
  ret i32 %r
}

define i32 @mul_nsw_i32_poison_2() {
  %r = mul nsw i32 46341, 46341 ;~ poison
  ret i32 %r
}

define i64 @mul_nuw_i64_poison() {
  %r = mul nuw i64 4294967296, 4294967296 ;~ poison
  ret i64 %r
}

define i128 @mul_nsw_i128_poison() {
  %r = mul nsw i128 18446744073709551616, 9223372036854775808 ;~ poison
  ret i128 %r
}

; expect: -170141183460469231731687303715884105728
define i128 @mul_nsw_i128_fits() {
  %r = mul nsw i128 -18446744073709551616, 9223372036854775808
  ret i128 %r
}

; Vectors are computed lane by lane, and so are their flags: a poison lane leaves its neighbours alone.
; expect: {poison, 2, poison, 7}
define <4 x i8> @add_nsw_lanes() {
  %r = add nsw <4 x i8> <i8 127, i8 1, i8 -128, i8 3>, <i8 1, i8 1, i8 -1, i8 4>
  ret <4 x i8> %r
}

; expect: {poison, 42}
define <2 x i32> @mul_nuw_lanes() {
  %r = mul nuw <2 x i32> <i32 65536, i32 7>, <i32 65536, i32 6>
  ret <2 x i32> %r
}
