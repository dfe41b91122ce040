; Shifts and bitwise logic.

; "If op2 is (statically or dynamically) equal to or larger than the number of bits in op1, this instruction returns a
; poison value."
define i1 @shl_i1_by_1() {
  %r = shl i1 true, true ;~ poison
  ret i1 %r
}

define i8 @shl_i8_by_8() {
  %r = shl i8 1, 8 ;~ poison
  ret i8 %r
}

define i32 @shl_i32_by_32() {
  %r = shl i32 1, 32 ;~ poison
  ret i32 %r
}

define i32 @shl_i32_by_all_ones() {
  %r = shl i32 1, -1 ;~ poison
  ret i32 %r
}

define i64 @shl_i64_by_64() {
  %r = shl i64 1, 64 ;~ poison
  ret i64 %r
}

define i128 @shl_i128_by_128() {
  %r = shl i128 1, 128 ;~ poison
  ret i128 %r
}

define i1 @lshr_i1_by_1() {
  %r = lshr i1 true, true ;~ poison
  ret i1 %r
}

define i8 @lshr_i8_by_8() {
  %r = lshr i8 1, 8 ;~ poison
  ret i8 %r
}

define i32 @lshr_i32_by_32() {
  %r = lshr i32 1, 32 ;~ poison
  ret i32 %r
}

define i32 @lshr_i32_by_all_ones() {
  %r = lshr i32 1, -1 ;~ poison
  ret i32 %r
}

define i64 @lshr_i64_by_64() {
  %r = lshr i64 1, 64 ;~ poison
  ret i64 %r
}

define i128 @lshr_i128_by_128() {
  %r = lshr i128 1, 128 ;~ poison
  ret i128 %r
}

define i1 @ashr_i1_by_1() {
  %r = ashr i1 true, true ;~ poison
  ret i1 %r
}

define i8 @ashr_i8_by_8() {
  %r = ashr i8 1, 8 ;~ poison
  ret i8 %r
}

define i32 @ashr_i32_by_32() {
  %r = ashr i32 1, 32 ;~ poison
  ret i32 %r
}

define i32 @ashr_i32_by_all_ones() {
  %r = ashr i32 1, -1 ;~ poison
  ret i32 %r
}

define i64 @ashr_i64_by_64() {
  %r = ashr i64 1, 64 ;~ poison
  ret i64 %r
}

define i128 @ashr_i128_by_128() {
  %r = ashr i128 1, 128 ;~ poison
  ret i128 %r
}

; The largest amount that is allowed is one less than the width.
; expect: -128
define i8 @shl_i8_most() {
  %r = shl i8 -3, 7
  ret i8 %r
}

; expect: -2147483648
define i32 @shl_i32_most() {
  %r = shl i32 -3, 31
  ret i32 %r
}

; expect: -9223372036854775808
define i64 @shl_i64_most() {
  %r = shl i64 -3, 63
  ret i64 %r
}

; expect: -170141183460469231731687303715884105728
define i128 @shl_i128_most() {
  %r = shl i128 -3, 127
  ret i128 %r
}

; expect: 1
define i8 @lshr_i8_most() {
  %r = lshr i8 -3, 7
  ret i8 %r
}

; expect: 1
define i32 @lshr_i32_most() {
  %r = lshr i32 -3, 31
  ret i32 %r
}

; expect: 1
define i64 @lshr_i64_most() {
  %r = lshr i64 -3, 63
  ret i64 %r
}

; expect: 1
define i128 @lshr_i128_most() {
  %r = lshr i128 -3, 127
  ret i128 %r
}

; expect: -1
define i8 @ashr_i8_most() {
  %r = ashr i8 -3, 7
  ret i8 %r
}

; expect: -1
define i32 @ashr_i32_most() {
  %r = ashr i32 -3, 31
  ret i32 %r
}

; expect: -1
define i64 @ashr_i64_most() {
  %r = ashr i64 -3, 63
  ret i64 %r
}

; expect: -1
define i128 @ashr_i128_most() {
  %r = ashr i128 -3, 127
  ret i128 %r
}

; "If the vector element shift amount is too large, the corresponding element of the result is a poison value": "the
; shift amounts are the corresponding elements".
; expect: {-128, poison, 1}
define <3 x i8> @shl_lanes() {
  %r = shl <3 x i8> <i8 1, i8 1, i8 1>, <i8 7, i8 8, i8 0>
  ret <3 x i8> %r
}

; "If the nuw keyword is present, then the shift produces a poison value if it shifts out any non-zero bits."
define i8 @shl_nuw_poison() {
  %r = shl nuw i8 65, 2 ;~ poison
  ret i8 %r
}

; expect: -4
define i8 @shl_nuw_fits() {
  %r = shl nuw i8 63, 2
  ret i8 %r
}

; expect: -170141183460469231731687303715884105728
define i128 @shl_nuw_wide() {
  %r = shl nuw i128 1, 127
  ret i128 %r
}

; "If the nsw keyword is present, then the shift produces a poison value if it shifts out any bits that disagree with
; the resultant sign bit."
define i8 @shl_nsw_poison() {
  %r = shl nsw i8 64, 1 ;~ poison
  ret i8 %r
}

; expect: -128
define i8 @shl_nsw_negative_fits() {
  %r = shl nsw i8 -64, 1
  ret i8 %r
}

define i8 @shl_nsw_negative_poison() {
  %r = shl nsw i8 -65, 1 ;~ poison
  ret i8 %r
}

define i128 @shl_nsw_of_wide() {
  %r = shl nsw i128 1, 127 ;~ poison
  ret i128 %r
}

; "If the exact keyword is present, the result value of the lshr is a poison value if any of the bits shifted out are
; non-zero."
define i8 @lshr_exact_poison() {
  %r = lshr exact i8 6, 2 ;~ poison
  ret i8 %r
}

; expect: 31
define i8 @lshr_exact_fits() {
  %r = lshr exact i8 -8, 3
  ret i8 %r
}

define i64 @ashr_exact_poison() {
  %r = ashr exact i64 -7, 1 ;~ poison
  ret i64 %r
}

; expect: -1
define i64 @ashr_exact_fits() {
  %r = ashr exact i64 -8, 3
  ret i64 %r
}

; "disjoint means that for each bit, that bit is zero in at least one of the inputs. … If the disjoint keyword is
; present, the result value of the or is a poison value if both inputs have a one in the same bit position."
define i128 @or_disjoint_wide() {
  %r = or disjoint i128 18446744073709551616, 18446744073709551617 ;~ poison
  ret i128 %r
}

; expect: {15, poison}
define <2 x i8> @or_disjoint_lanes() {
  %r = or disjoint <2 x i8> <i8 12, i8 12>, <i8 3, i8 4>
  ret <2 x i8> %r
}

; The truth tables of and, or, xor.
; expect: 1
define i4 @and_table() {
  %r = and i4 5, 3
  ret i4 %r
}

; expect: 7
define i4 @or_table() {
  %r = or i4 5, 3
  ret i4 %r
}

; expect: 6
define i4 @xor_table() {
  %r = xor i4 5, 3
  ret i4 %r
}

; expect: -1
define i128 @xor_not_wide() {
  %r = xor i128 0, -1
  ret i128 %r
}
