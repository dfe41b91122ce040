; Division and remainder.

; "Division by zero is undefined behavior."
define i8 @udiv_zero_i8() {
  %r = udiv i8 7, 0 ;~ ub division-by-zero
  ret i8 %r
}

define i32 @udiv_zero_i32() {
  %r = udiv i32 7, 0 ;~ ub division-by-zero
  ret i32 %r
}

define i64 @udiv_zero_i64() {
  %r = udiv i64 7, 0 ;~ ub division-by-zero
  ret i64 %r
}

define i128 @udiv_zero_i128() {
  %r = udiv i128 7, 0 ;~ ub division-by-zero
  ret i128 %r
}

define i8 @sdiv_zero_i8() {
  %r = sdiv i8 7, 0 ;~ ub division-by-zero
  ret i8 %r
}

define i32 @sdiv_zero_i32() {
  %r = sdiv i32 7, 0 ;~ ub division-by-zero
  ret i32 %r
}

define i64 @sdiv_zero_i64() {
  %r = sdiv i64 7, 0 ;~ ub division-by-zero
  ret i64 %r
}

define i128 @sdiv_zero_i128() {
  %r = sdiv i128 7, 0 ;~ ub division-by-zero
  ret i128 %r
}

; "Taking the remainder of a division by zero is undefined behavior."
define i16 @urem_zero_i16() {
  %r = urem i16 7, 0 ;~ ub division-by-zero
  ret i16 %r
}

define i64 @urem_zero_i64() {
  %r = urem i64 7, 0 ;~ ub division-by-zero
  ret i64 %r
}

define i128 @urem_zero_i128() {
  %r = urem i128 7, 0 ;~ ub division-by-zero
  ret i128 %r
}

define i16 @srem_zero_i16() {
  %r = srem i16 7, 0 ;~ ub division-by-zero
  ret i16 %r
}

define i64 @srem_zero_i64() {
  %r = srem i64 7, 0 ;~ ub division-by-zero
  ret i64 %r
}

define i128 @srem_zero_i128() {
  %r = srem i128 7, 0 ;~ ub division-by-zero
  ret i128 %r
}

; "For vectors, if any element of the divisor is zero, the operation has undefined behavior."
define <2 x i32> @udiv_zero_lane() {
  %r = udiv <2 x i32> <i32 4, i32 4>, <i32 2, i32 0> ;~ ub division-by-zero
  ret <2 x i32> %r
}

define <2 x i32> @sdiv_zero_lane() {
  %r = sdiv <2 x i32> <i32 4, i32 4>, <i32 2, i32 0> ;~ ub division-by-zero
  ret <2 x i32> %r
}

define <2 x i32> @urem_zero_lane() {
  %r = urem <2 x i32> <i32 4, i32 4>, <i32 2, i32 0> ;~ ub division-by-zero
  ret <2 x i32> %r
}

define <2 x i32> @srem_zero_lane() {
  %r = srem <2 x i32> <i32 4, i32 4>, <i32 2, i32 0> ;~ ub division-by-zero
  ret <2 x i32> %r
}

; "Overflow also leads to undefined behavior; this is a rare case, but can occur, for example, by doing a 32-bit
; division of -2147483648 by -1."
define i8 @sdiv_overflow_i8() {
  %r = sdiv i8 -128, -1 ;~ ub division-overflow
  ret i8 %r
}

define i32 @sdiv_overflow_i32() {
  %r = sdiv i32 -2147483648, -1 ;~ ub division-overflow
  ret i32 %r
}

define i64 @sdiv_overflow_i64() {
  %r = sdiv i64 -9223372036854775808, -1 ;~ ub division-overflow
  ret i64 %r
}

define i128 @sdiv_overflow_i128() {
  %r = sdiv i128 -170141183460469231731687303715884105728, -1 ;~ ub division-overflow
  ret i128 %r
}

define i8 @srem_overflow_i8() {
  %r = srem i8 -128, -1 ;~ ub division-overflow
  ret i8 %r
}

define i32 @srem_overflow_i32() {
  %r = srem i32 -2147483648, -1 ;~ ub division-overflow
  ret i32 %r
}

define i64 @srem_overflow_i64() {
  %r = srem i64 -9223372036854775808, -1 ;~ ub division-overflow
  ret i64 %r
}

define i128 @srem_overflow_i128() {
  %r = srem i128 -170141183460469231731687303715884105728, -1 ;~ ub division-overflow
  ret i128 %r
}

; The unsigned division of the same bits is defined.
; expect: 0
define i32 @udiv_of_the_same_bits() {
  %r = udiv i32 -2147483648, -1
  ret i32 %r
}

; "The value produced is the signed integer quotient of the two operands rounded towards zero."
; expect: -3
define i8 @sdiv_i8_7_by_2() {
  %r = sdiv i8 -7, 2
  ret i8 %r
}

; expect: -3
define i8 @sdiv_i8_7_by_minus_2() {
  %r = sdiv i8 7, -2
  ret i8 %r
}

; expect: 2
define i8 @sdiv_i8_8_by_minus_3() {
  %r = sdiv i8 -8, -3
  ret i8 %r
}

; expect: -1073741824
define i32 @sdiv_i32_48_by_2() {
  %r = sdiv i32 -2147483648, 2
  ret i32 %r
}

; expect: -3074457345618258602
define i64 @sdiv_i64_8_by_3() {
  %r = sdiv i64 -9223372036854775808, 3
  ret i64 %r
}

; expect: -24305883351495604533098186245126300818
define i128 @sdiv_i128_28_by_7() {
  %r = sdiv i128 -170141183460469231731687303715884105728, 7
  ret i128 %r
}

; "This instruction returns the remainder of a division (where the result is either zero or has the same sign as the
; dividend, op1)"
; expect: -1
define i8 @srem_i8_7_by_2() {
  %r = srem i8 -7, 2
  ret i8 %r
}

; expect: 1
define i8 @srem_i8_7_by_minus_2() {
  %r = srem i8 7, -2
  ret i8 %r
}

; expect: 0
define i32 @srem_i32_8_by_4() {
  %r = srem i32 -8, 4
  ret i32 %r
}

; expect: -8
define i64 @srem_i64_8_by_10() {
  %r = srem i64 -9223372036854775808, 10
  ret i64 %r
}

; expect: -728
define i128 @srem_i128_28_by_1000() {
  %r = srem i128 -170141183460469231731687303715884105728, 1000
  ret i128 %r
}

; Unsigned quotient and remainder.
; expect: 15
define i8 @udiv_i8() {
  %r = udiv i8 -1, 16
  ret i8 %r
}

; expect: 15
define i8 @urem_i8() {
  %r = urem i8 -1, 16
  ret i8 %r
}

; expect: 1844674407370955161
define i64 @udiv_i64() {
  %r = udiv i64 -1, 10
  ret i64 %r
}

; expect: 5
define i64 @urem_i64() {
  %r = urem i64 -1, 10
  ret i64 %r
}

; expect: 340282364538961911690641225597
define i128 @udiv_i128() {
  %r = udiv i128 -1, 1000000007
  ret i128 %r
}

; expect: 279632276
define i128 @urem_i128() {
  %r = urem i128 -1, 1000000007
  ret i128 %r
}

; "If the exact keyword is present, the result value of the udiv is a poison value if %op1 is not a multiple of %op2
; (as such, "((a udiv exact b) mul b) == a")."
; expect: 2147483647
define i32 @udiv_exact_fits() {
  %r = udiv exact i32 -2, 2
  ret i32 %r
}

define i32 @udiv_exact_poison() {
  %r = udiv exact i32 7, 2 ;~ poison
  ret i32 %r
}

; "If the exact keyword is present, the result value of the sdiv is a poison value if the result would be rounded."
; expect: -3
define i16 @sdiv_exact_fits() {
  %r = sdiv exact i16 -9, 3
  ret i16 %r
}

define i16 @sdiv_exact_poison() {
  %r = sdiv exact i16 -9, 2 ;~ poison
  ret i16 %r
}

define i128 @sdiv_exact_wide() {
  %r = sdiv exact i128 -9, 2 ;~ poison
  ret i128 %r
}

; Poison in the dividend only spreads; an undefined or poison divisor may be zero.
define i32 @dividend_poison() {
  %p = add nuw i32 -1, 1 ;~ poison
  %r = sdiv i32 %p, 3
  ret i32 %r
}

define i32 @divisor_poison() {
  %p = add nuw i32 -1, 1
  %r = sdiv i32 3, %p ;~ ub poison
  ret i32 %r
}

define i32 @divisor_undef() {
  %r = urem i32 3, undef ;~ ub uninitialised
  ret i32 %r
}
