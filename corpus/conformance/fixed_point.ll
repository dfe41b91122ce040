; Fixed-point arithmetic. Where the LangRef leaves the direction of rounding open, results are rounded down.

declare i4 @llvm.smul.fix.i4(i4, i4, i32)
declare i32 @llvm.smul.fix.i32(i32, i32, i32)
declare i64 @llvm.smul.fix.i64(i64, i64, i32)
declare i4 @llvm.umul.fix.i4(i4, i4, i32)
declare i8 @llvm.sdiv.fix.i8(i8, i8, i32)
declare i4 @llvm.udiv.fix.i4(i4, i4, i32)
declare i4 @llvm.smul.fix.sat.i4(i4, i4, i32)
declare i4 @llvm.umul.fix.sat.i4(i4, i4, i32)
declare i4 @llvm.sdiv.fix.i4(i4, i4, i32)
declare i8 @llvm.udiv.fix.i8(i8, i8, i32)
declare i8 @llvm.sdiv.fix.sat.i8(i8, i8, i32)
declare i8 @llvm.udiv.fix.sat.i8(i8, i8, i32)
declare i4 @llvm.sdiv.fix.sat.i4(i4, i4, i32)
declare i4 @llvm.udiv.fix.sat.i4(i4, i4, i32)
declare <2 x i8> @llvm.smul.fix.v2i8(<2 x i8>, <2 x i8>, i32)

; "%res = call i4 @llvm.smul.fix.i4(i4 3, i4 2, i32 0) ; %res = 6", "3, 2, 1: %res = 3 (or 1.5 x 1 = 1.5)", "3, -2, 1:
; %res = -3", "3, -3, 1: the result in the following could be rounded up to -2 or down to -2.5".
; expect: 6
define i4 @smul_fix_3_2_0() {
  %r = call i4 @llvm.smul.fix.i4(i4 3, i4 2, i32 0)
  ret i4 %r
}

; expect: 3
define i4 @smul_fix_3_2_1() {
  %r = call i4 @llvm.smul.fix.i4(i4 3, i4 2, i32 1)
  ret i4 %r
}

; expect: -3
define i4 @smul_fix_3_2m_1() {
  %r = call i4 @llvm.smul.fix.i4(i4 3, i4 -2, i32 1)
  ret i4 %r
}

; expect: -5
define i4 @smul_fix_3_3m_1() {
  %r = call i4 @llvm.smul.fix.i4(i4 3, i4 -3, i32 1)
  ret i4 %r
}

; expect: -98304
define i32 @smul_fix_65536_98304m_16() {
  %r = call i32 @llvm.smul.fix.i32(i32 65536, i32 -98304, i32 16)
  ret i32 %r
}

; expect: 1152921504606846976
define i64 @smul_fix_1099511627776_1099511627776_20() {
  %r = call i64 @llvm.smul.fix.i64(i64 1099511627776, i64 1099511627776, i32 20)
  ret i64 %r
}

; "It is undefined behavior if the result value does not fit within the range of the fixed point type."
define i4 @smul_fix_4_2_0() {
  %r = call i4 @llvm.smul.fix.i4(i4 4, i4 2, i32 0) ;~ ub library
  ret i4 %r
}

define i4 @umul_fix_8m_2_0() {
  %r = call i4 @llvm.umul.fix.i4(i4 -8, i4 2, i32 0) ;~ ub library
  ret i4 %r
}

define i8 @sdiv_fix_128m_1m_0() {
  %r = call i8 @llvm.sdiv.fix.i8(i8 -128, i8 -1, i32 0) ;~ ub library
  ret i8 %r
}

define i4 @udiv_fix_8m_1_1() {
  %r = call i4 @llvm.udiv.fix.i4(i4 -8, i4 1, i32 1) ;~ ub library
  ret i4 %r
}

; "%res = call i4 @llvm.umul.fix.i4(i4 3, i4 2, i32 0) ; %res = 6", "15, 1, 1: the result in the following could be
; rounded down to 3.5 or up to 4".
; expect: 6
define i4 @umul_fix_3_2_0() {
  %r = call i4 @llvm.umul.fix.i4(i4 3, i4 2, i32 0)
  ret i4 %r
}

; expect: 3
define i4 @umul_fix_3_2_1() {
  %r = call i4 @llvm.umul.fix.i4(i4 3, i4 2, i32 1)
  ret i4 %r
}

; expect: 7
define i4 @umul_fix_1m_1_1() {
  %r = call i4 @llvm.umul.fix.i4(i4 -1, i4 1, i32 1)
  ret i4 %r
}

; "%res = 7 (2 x 4 -> clamped to 7)", "%res = -8 (-8 x 2 -> clamped to -8)", "%res = 7 (-8 x -1 …)", "%res = 4 (1 x 2
; …)" with scale 1.
; expect: 7
define i4 @smul_fix_sat_2_4_0() {
  %r = call i4 @llvm.smul.fix.sat.i4(i4 2, i4 4, i32 0)
  ret i4 %r
}

; expect: -8
define i4 @smul_fix_sat_8m_2_0() {
  %r = call i4 @llvm.smul.fix.sat.i4(i4 -8, i4 2, i32 0)
  ret i4 %r
}

; expect: 7
define i4 @smul_fix_sat_8m_1m_0() {
  %r = call i4 @llvm.smul.fix.sat.i4(i4 -8, i4 -1, i32 0)
  ret i4 %r
}

; expect: 4
define i4 @smul_fix_sat_2_4_1() {
  %r = call i4 @llvm.smul.fix.sat.i4(i4 2, i4 4, i32 1)
  ret i4 %r
}

; expect: -5
define i4 @smul_fix_sat_3_3m_1() {
  %r = call i4 @llvm.smul.fix.sat.i4(i4 3, i4 -3, i32 1)
  ret i4 %r
}

; "%res = 15 (8 x 2 -> clamped to 15)", "%res = 15 (2 x 2 -> clamped to 3.75)" with scale 2; "15, 1, 1 rounded down".
; expect: -1
define i4 @umul_fix_sat_8m_2_0() {
  %r = call i4 @llvm.umul.fix.sat.i4(i4 -8, i4 2, i32 0)
  ret i4 %r
}

; expect: -1
define i4 @umul_fix_sat_8m_8m_2() {
  %r = call i4 @llvm.umul.fix.sat.i4(i4 -8, i4 -8, i32 2)
  ret i4 %r
}

; expect: 4
define i4 @umul_fix_sat_2_4_1() {
  %r = call i4 @llvm.umul.fix.sat.i4(i4 2, i4 4, i32 1)
  ret i4 %r
}

; "%res = call i4 @llvm.sdiv.fix.i4(i4 6, i4 2, i32 0) ; %res = 3", "6, 4, 1: %res = 3 (or 3 / 2 = 1.5)", "3, 4, 1:
; %res = 2 (or 1.5 / 2 = 1) or 1 (…) = 0.5)".
; expect: 3
define i4 @sdiv_fix_6_2_0() {
  %r = call i4 @llvm.sdiv.fix.i4(i4 6, i4 2, i32 0)
  ret i4 %r
}

; expect: 3
define i4 @sdiv_fix_6_4_1() {
  %r = call i4 @llvm.sdiv.fix.i4(i4 6, i4 4, i32 1)
  ret i4 %r
}

; expect: -3
define i4 @sdiv_fix_3_2m_1() {
  %r = call i4 @llvm.sdiv.fix.i4(i4 3, i4 -2, i32 1)
  ret i4 %r
}

; expect: 1
define i4 @sdiv_fix_3_4_1() {
  %r = call i4 @llvm.sdiv.fix.i4(i4 3, i4 4, i32 1)
  ret i4 %r
}

; expect: -2
define i8 @sdiv_fix_3m_4_1() {
  %r = call i8 @llvm.sdiv.fix.i8(i8 -3, i8 4, i32 1)
  ret i8 %r
}

; "It is undefined behavior … if the second argument is zero."
define i8 @sdiv_fix_1_0_2() {
  %r = call i8 @llvm.sdiv.fix.i8(i8 1, i8 0, i32 2) ;~ ub division-by-zero
  ret i8 %r
}

define i8 @udiv_fix_1_0_2() {
  %r = call i8 @llvm.udiv.fix.i8(i8 1, i8 0, i32 2) ;~ ub division-by-zero
  ret i8 %r
}

define i8 @sdiv_fix_sat_1_0_2() {
  %r = call i8 @llvm.sdiv.fix.sat.i8(i8 1, i8 0, i32 2) ;~ ub division-by-zero
  ret i8 %r
}

define i8 @udiv_fix_sat_1_0_2() {
  %r = call i8 @llvm.udiv.fix.sat.i8(i8 1, i8 0, i32 2) ;~ ub division-by-zero
  ret i8 %r
}

; "%res = call i4 @llvm.udiv.fix.i4(i4 6, i4 2, i32 0) ; %res = 3", "1, -8, 4: %res = 2 (or 0.0625 / 0.5 = 0.125)".
; expect: 3
define i4 @udiv_fix_6_2_0() {
  %r = call i4 @llvm.udiv.fix.i4(i4 6, i4 2, i32 0)
  ret i4 %r
}

; expect: 3
define i4 @udiv_fix_6_4_1() {
  %r = call i4 @llvm.udiv.fix.i4(i4 6, i4 4, i32 1)
  ret i4 %r
}

; expect: 2
define i4 @udiv_fix_1_8m_4() {
  %r = call i4 @llvm.udiv.fix.i4(i4 1, i4 -8, i32 4)
  ret i4 %r
}

; expect: 1
define i4 @udiv_fix_3_4_1() {
  %r = call i4 @llvm.udiv.fix.i4(i4 3, i4 4, i32 1)
  ret i4 %r
}

; "%res = 7 (-8 / -1 = 8 => 7)", "%res = 7 (2 / 0.5 = 4 => 3.5)" with scale 1, "%res = -8 (-4 / 0.5 = -8 => -4)" with
; scale 1.
; expect: 7
define i4 @sdiv_fix_sat_8m_1m_0() {
  %r = call i4 @llvm.sdiv.fix.sat.i4(i4 -8, i4 -1, i32 0)
  ret i4 %r
}

; expect: 7
define i4 @sdiv_fix_sat_4_1_1() {
  %r = call i4 @llvm.sdiv.fix.sat.i4(i4 4, i4 1, i32 1)
  ret i4 %r
}

; expect: -8
define i4 @sdiv_fix_sat_8m_1_1() {
  %r = call i4 @llvm.sdiv.fix.sat.i4(i4 -8, i4 1, i32 1)
  ret i4 %r
}

; expect: -8
define i4 @udiv_fix_sat_fits() {
  %r = call i4 @llvm.udiv.fix.sat.i4(i4 -8, i4 2, i32 1)
  ret i4 %r
}

; expect: -1
define i4 @udiv_fix_sat_8m_1_1() {
  %r = call i4 @llvm.udiv.fix.sat.i4(i4 -8, i4 1, i32 1)
  ret i4 %r
}

; expect: {12, poison}
define <2 x i8> @smul_fix_lanes() {
  %r = call <2 x i8> @llvm.smul.fix.v2i8(<2 x i8> <i8 8, i8 poison>, <2 x i8> <i8 12, i8 4>, i32 3)
  ret <2 x i8> %r
}
