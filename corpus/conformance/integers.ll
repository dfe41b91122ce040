; Binary, bitwise and comparison instructions on integers.

; "If the sum has unsigned overflow, the result returned is the mathematical result modulo 2^n"
; expect: 44
define i8 @add_wraps() {
  %r = add i8 200, 100
  ret i8 %r
}

; "the result value of the add is a poison value if unsigned … overflow occurs"
; expect: poison
define i8 @add_nuw() {
  %a = freeze i8 200
  %r = add nuw i8 %a, 100
  ret i8 %r
}

; expect: poison
define i32 @add_nsw() {
  %a = freeze i32 2147483647
  %r = add nsw i32 %a, 1
  ret i32 %r
}

; expect: -2147483648
define i32 @add_nsw_fits() {
  %a = freeze i32 -2147483647
  %r = add nsw i32 %a, -1
  ret i32 %r
}

; expect: poison
define i32 @sub_nuw() {
  %a = freeze i32 1
  %r = sub nuw i32 %a, 2
  ret i32 %r
}

; expect: poison
define i64 @sub_nsw() {
  %a = freeze i64 -9223372036854775808
  %r = sub nsw i64 %a, 1
  ret i64 %r
}

; expect: poison
define i64 @mul_nsw() {
  %a = freeze i64 4611686018427387904
  %r = mul nsw i64 %a, 2
  ret i64 %r
}

; expect: -9223372036854775808
define i64 @mul_nuw_fits() {
  %a = freeze i64 4611686018427387904
  %r = mul nuw i64 %a, 2
  ret i64 %r
}

; expect: poison
define i16 @mul_nuw() {
  %a = freeze i16 256
  %r = mul nuw i16 %a, 256
  ret i16 %r
}

; "Division by zero is undefined behavior."
define i32 @udiv_zero() {
  %z = freeze i32 0
  %r = udiv i32 1, %z ;~ ub division-by-zero
  ret i32 %r
}

; "Overflow also leads to undefined behavior; … doing a 32-bit division of -2147483648 by -1."
define i32 @sdiv_overflow() {
  %m = freeze i32 -1
  %r = sdiv i32 -2147483648, %m ;~ ub division-overflow
  ret i32 %r
}

define i32 @srem_overflow() {
  %m = freeze i32 -1
  %r = srem i32 -2147483648, %m ;~ ub division-overflow
  ret i32 %r
}

define i64 @srem_zero() {
  %z = freeze i64 0
  %r = srem i64 1, %z ;~ ub division-by-zero
  ret i64 %r
}

; "the quotient … rounded towards zero"
; expect: -3
define i32 @sdiv_rounds() {
  %a = freeze i32 -7
  %r = sdiv i32 %a, 2
  ret i32 %r
}

; "the remainder … result has the same sign as the dividend"
; expect: -1
define i32 @srem_sign() {
  %a = freeze i32 -7
  %r = srem i32 %a, 2
  ret i32 %r
}

; "If the exact keyword is present, the result value of the udiv is a poison value if %op1 is not a multiple of %op2"
; expect: poison
define i32 @udiv_exact() {
  %a = freeze i32 7
  %r = udiv exact i32 %a, 2
  ret i32 %r
}

; "Integer division by poison divisor is immediate undefined behavior."
define i32 @udiv_poison() {
  %r = udiv i32 1, poison ;~ ub poison
  ret i32 %r
}

; expect: poison
define i32 @udiv_poison_dividend() {
  %r = udiv i32 poison, 1
  ret i32 %r
}

; "If op2 is (statically or dynamically) equal to or larger than the number of bits in op1, this instruction returns a poison value."
; expect: poison
define i32 @shl_too_far() {
  %s = freeze i32 32
  %r = shl i32 1, %s
  ret i32 %r
}

; expect: poison
define i32 @shl_nsw() {
  %a = freeze i32 1073741824
  %r = shl nsw i32 %a, 1
  ret i32 %r
}

; expect: poison
define i8 @lshr_exact() {
  %a = freeze i8 3
  %r = lshr exact i8 %a, 1
  ret i8 %r
}

; expect: -2
define i8 @ashr_sign() {
  %a = freeze i8 -8
  %r = ashr i8 %a, 2
  ret i8 %r
}

; "the result value of the or is a poison value if … both inputs have a one in the same bit"
; expect: poison
define i8 @or_disjoint() {
  %a = freeze i8 3
  %r = or disjoint i8 %a, 1
  ret i8 %r
}

; expect: 3
define i8 @or_disjoint_fits() {
  %a = freeze i8 2
  %r = or disjoint i8 %a, 1
  ret i8 %r
}

; Any width up to 128 bits.
; expect: 85070591730234615847396907784232501249
define i128 @mul_128() {
  %a = freeze i128 9223372036854775807
  %r = mul i128 %a, %a
  ret i128 %r
}

; expect: poison
define i128 @add_128_nsw() {
  %a = freeze i128 170141183460469231731687303715884105727
  %r = add nsw i128 %a, 1
  ret i128 %r
}

; expect: -17
define i97 @sdiv_97() {
  %a = freeze i97 -170
  %r = sdiv i97 %a, 10
  ret i97 %r
}

; expect: -1
define i1 @icmp_128_signed() {
  %a = freeze i128 -1
  %r = icmp slt i128 %a, 1
  ret i1 %r
}

; expect: 0
define i1 @icmp_unsigned() {
  %a = freeze i8 -1
  %r = icmp ult i8 %a, 1
  ret i1 %r
}

; "zext … nneg: the result is a poison value if the argument is negative"
; expect: poison
define i32 @zext_nneg() {
  %a = freeze i8 -1
  %r = zext nneg i8 %a to i32
  ret i32 %r
}

; expect: -1
define i32 @sext() {
  %a = freeze i1 true
  %r = sext i1 %a to i32
  ret i32 %r
}

; expect: poison
define i8 @trunc_nuw() {
  %a = freeze i32 256
  %r = trunc nuw i32 %a to i8
  ret i8 %r
}

; expect: poison
define i8 @trunc_nsw() {
  %a = freeze i32 128
  %r = trunc nsw i32 %a to i8
  ret i8 %r
}

; A trap of i33: the upper bits do not exist.
; expect: 0
define i33 @odd_width() {
  %a = freeze i33 4294967296
  %r = add i33 %a, %a
  ret i33 %r
}

; Poison propagates through arithmetic.
; expect: poison
define i32 @poison_spreads() {
  %r = and i32 poison, 0
  ret i32 %r
}

; A defined zero bit decides `and`, so undefined bits may be masked away.
; expect: 0
define i32 @undef_masked() {
  %r = and i32 undef, 0
  ret i32 %r
}

; expect: 3
define i8 @undef_low_bits_set() {
  %a = or i8 undef, 3
  %r = and i8 %a, 3
  ret i8 %r
}

; expect: undef
define i8 @undef_high_bits_left() {
  %a = or i8 undef, 3
  ret i8 %a
}

; expect: 12
define i8 @undef_shifted_out() {
  %a = or i8 undef, 3
  %b = shl i8 %a, 2
  %r = and i8 %b, 15
  ret i8 %r
}

; expect: 0
define i1 @undef_differs_anyway() {
  %a = or i8 undef, 1
  %r = icmp eq i8 %a, 0
  ret i1 %r
}

; "If the argument is undef or poison, freeze returns an arbitrary, but fixed, value"
; expect: 0
define i32 @freeze_is_fixed() {
  %a = freeze i32 undef
  %r = sub i32 %a, %a
  ret i32 %r
}
