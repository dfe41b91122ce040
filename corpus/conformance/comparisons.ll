; icmp and fcmp: every predicate.

@array = global [4 x i32] zeroinitializer

; "The signed predicates interpret the operands as signed values, the unsigned ones as unsigned values." Lanes: -1 and
; 1, 1 and -1, equal, lowest and highest.
; expect: {0, 0, -1, 0}
define <4 x i1> @icmp_eq() {
  %r = icmp eq <4 x i8> <i8 -1, i8 1, i8 5, i8 -128>, <i8 1, i8 -1, i8 5, i8 127>
  ret <4 x i1> %r
}

; expect: {-1, -1, 0, -1}
define <4 x i1> @icmp_ne() {
  %r = icmp ne <4 x i8> <i8 -1, i8 1, i8 5, i8 -128>, <i8 1, i8 -1, i8 5, i8 127>
  ret <4 x i1> %r
}

; expect: {0, -1, 0, 0}
define <4 x i1> @icmp_sgt() {
  %r = icmp sgt <4 x i8> <i8 -1, i8 1, i8 5, i8 -128>, <i8 1, i8 -1, i8 5, i8 127>
  ret <4 x i1> %r
}

; expect: {0, -1, -1, 0}
define <4 x i1> @icmp_sge() {
  %r = icmp sge <4 x i8> <i8 -1, i8 1, i8 5, i8 -128>, <i8 1, i8 -1, i8 5, i8 127>
  ret <4 x i1> %r
}

; expect: {-1, 0, 0, -1}
define <4 x i1> @icmp_slt() {
  %r = icmp slt <4 x i8> <i8 -1, i8 1, i8 5, i8 -128>, <i8 1, i8 -1, i8 5, i8 127>
  ret <4 x i1> %r
}

; expect: {-1, 0, -1, -1}
define <4 x i1> @icmp_sle() {
  %r = icmp sle <4 x i8> <i8 -1, i8 1, i8 5, i8 -128>, <i8 1, i8 -1, i8 5, i8 127>
  ret <4 x i1> %r
}

; expect: {-1, 0, 0, -1}
define <4 x i1> @icmp_ugt() {
  %r = icmp ugt <4 x i8> <i8 -1, i8 1, i8 5, i8 -128>, <i8 1, i8 -1, i8 5, i8 127>
  ret <4 x i1> %r
}

; expect: {-1, 0, -1, -1}
define <4 x i1> @icmp_uge() {
  %r = icmp uge <4 x i8> <i8 -1, i8 1, i8 5, i8 -128>, <i8 1, i8 -1, i8 5, i8 127>
  ret <4 x i1> %r
}

; expect: {0, -1, 0, 0}
define <4 x i1> @icmp_ult() {
  %r = icmp ult <4 x i8> <i8 -1, i8 1, i8 5, i8 -128>, <i8 1, i8 -1, i8 5, i8 127>
  ret <4 x i1> %r
}

; expect: {0, -1, -1, 0}
define <4 x i1> @icmp_ule() {
  %r = icmp ule <4 x i8> <i8 -1, i8 1, i8 5, i8 -128>, <i8 1, i8 -1, i8 5, i8 127>
  ret <4 x i1> %r
}

; Integers of one bit: true is -1 as a signed value and 1 as an unsigned one.
; expect: -1
define i1 @icmp_slt_bool() {
  %r = icmp slt i1 true, false
  ret i1 %r
}

; expect: 0
define i1 @icmp_ult_bool() {
  %r = icmp ult i1 true, false
  ret i1 %r
}

; Integers wider than a word.
; expect: 0
define i1 @icmp_sgt_wide() {
  %r = icmp sgt i128 -1, 18446744073709551616
  ret i1 %r
}

; expect: -1
define i1 @icmp_ugt_wide() {
  %r = icmp ugt i128 -1, 18446744073709551616
  ret i1 %r
}

; "If the operands are pointer typed, the pointer values are compared as if they were integers."
; expect: -1
define i1 @icmp_pointers_in_one_object() {
  %p = getelementptr i32, ptr @array, i64 1
  %q = getelementptr i32, ptr @array, i64 3
  %r = icmp ult ptr %p, %q
  ret i1 %r
}

; expect: 0
define i1 @icmp_pointer_null() {
  %r = icmp eq ptr @array, null
  ret i1 %r
}

; Every predicate of fcmp on: less, equal, greater, unordered.
; expect: {0, -1, 0, 0}
define <4 x i1> @fcmp_oeq() {
  %r = fcmp oeq <4 x double> <double 1.0, double 2.0, double 3.0, double 0x7FF8000000000000>, <double 2.0, double 2.0, double 2.0, double 2.0>
  ret <4 x i1> %r
}

; expect: {0, 0, -1, 0}
define <4 x i1> @fcmp_ogt() {
  %r = fcmp ogt <4 x double> <double 1.0, double 2.0, double 3.0, double 0x7FF8000000000000>, <double 2.0, double 2.0, double 2.0, double 2.0>
  ret <4 x i1> %r
}

; expect: {0, -1, -1, 0}
define <4 x i1> @fcmp_oge() {
  %r = fcmp oge <4 x double> <double 1.0, double 2.0, double 3.0, double 0x7FF8000000000000>, <double 2.0, double 2.0, double 2.0, double 2.0>
  ret <4 x i1> %r
}

; expect: {-1, 0, 0, 0}
define <4 x i1> @fcmp_olt() {
  %r = fcmp olt <4 x double> <double 1.0, double 2.0, double 3.0, double 0x7FF8000000000000>, <double 2.0, double 2.0, double 2.0, double 2.0>
  ret <4 x i1> %r
}

; expect: {-1, -1, 0, 0}
define <4 x i1> @fcmp_ole() {
  %r = fcmp ole <4 x double> <double 1.0, double 2.0, double 3.0, double 0x7FF8000000000000>, <double 2.0, double 2.0, double 2.0, double 2.0>
  ret <4 x i1> %r
}

; expect: {-1, 0, -1, 0}
define <4 x i1> @fcmp_one() {
  %r = fcmp one <4 x double> <double 1.0, double 2.0, double 3.0, double 0x7FF8000000000000>, <double 2.0, double 2.0, double 2.0, double 2.0>
  ret <4 x i1> %r
}

; expect: {-1, -1, -1, 0}
define <4 x i1> @fcmp_ord() {
  %r = fcmp ord <4 x double> <double 1.0, double 2.0, double 3.0, double 0x7FF8000000000000>, <double 2.0, double 2.0, double 2.0, double 2.0>
  ret <4 x i1> %r
}

; expect: {0, -1, 0, -1}
define <4 x i1> @fcmp_ueq() {
  %r = fcmp ueq <4 x double> <double 1.0, double 2.0, double 3.0, double 0x7FF8000000000000>, <double 2.0, double 2.0, double 2.0, double 2.0>
  ret <4 x i1> %r
}

; expect: {0, 0, -1, -1}
define <4 x i1> @fcmp_ugt() {
  %r = fcmp ugt <4 x double> <double 1.0, double 2.0, double 3.0, double 0x7FF8000000000000>, <double 2.0, double 2.0, double 2.0, double 2.0>
  ret <4 x i1> %r
}

; expect: {0, -1, -1, -1}
define <4 x i1> @fcmp_uge() {
  %r = fcmp uge <4 x double> <double 1.0, double 2.0, double 3.0, double 0x7FF8000000000000>, <double 2.0, double 2.0, double 2.0, double 2.0>
  ret <4 x i1> %r
}

; expect: {-1, 0, 0, -1}
define <4 x i1> @fcmp_ult() {
  %r = fcmp ult <4 x double> <double 1.0, double 2.0, double 3.0, double 0x7FF8000000000000>, <double 2.0, double 2.0, double 2.0, double 2.0>
  ret <4 x i1> %r
}

; expect: {-1, -1, 0, -1}
define <4 x i1> @fcmp_ule() {
  %r = fcmp ule <4 x double> <double 1.0, double 2.0, double 3.0, double 0x7FF8000000000000>, <double 2.0, double 2.0, double 2.0, double 2.0>
  ret <4 x i1> %r
}

; expect: {-1, 0, -1, -1}
define <4 x i1> @fcmp_une() {
  %r = fcmp une <4 x double> <double 1.0, double 2.0, double 3.0, double 0x7FF8000000000000>, <double 2.0, double 2.0, double 2.0, double 2.0>
  ret <4 x i1> %r
}

; expect: {0, 0, 0, -1}
define <4 x i1> @fcmp_uno() {
  %r = fcmp uno <4 x double> <double 1.0, double 2.0, double 3.0, double 0x7FF8000000000000>, <double 2.0, double 2.0, double 2.0, double 2.0>
  ret <4 x i1> %r
}

; expect: {-1, -1, -1, -1}
define <4 x i1> @fcmp_true() {
  %r = fcmp true <4 x double> <double 1.0, double 2.0, double 3.0, double 0x7FF8000000000000>, <double 2.0, double 2.0, double 2.0, double 2.0>
  ret <4 x i1> %r
}

; expect: {0, 0, 0, 0}
define <4 x i1> @fcmp_false() {
  %r = fcmp false <4 x double> <double 1.0, double 2.0, double 3.0, double 0x7FF8000000000000>, <double 2.0, double 2.0, double 2.0, double 2.0>
  ret <4 x i1> %r
}

; Zeros of either sign are equal, an infinity equals itself, in every format.
; expect: -1
define i1 @fcmp_zeros_half() {
  %r = fcmp oeq half 0xH0000, 0xH8000
  ret i1 %r
}

; expect: -1
define i1 @fcmp_infinity_half() {
  %r = fcmp olt half 0xH0000, 0xH7C00
  ret i1 %r
}

; expect: -1
define i1 @fcmp_zeros_bfloat() {
  %r = fcmp oeq bfloat 0xR0000, 0xR8000
  ret i1 %r
}

; expect: -1
define i1 @fcmp_infinity_bfloat() {
  %r = fcmp olt bfloat 0xR0000, 0xR7F80
  ret i1 %r
}

; expect: -1
define i1 @fcmp_zeros_float() {
  %r = fcmp oeq float 0.0, -0.0
  ret i1 %r
}

; expect: -1
define i1 @fcmp_infinity_float() {
  %r = fcmp olt float 0.0, 0x7FF0000000000000
  ret i1 %r
}

; expect: -1
define i1 @fcmp_zeros_x86_fp80() {
  %r = fcmp oeq x86_fp80 0xK00000000000000000000, 0xK80000000000000000000
  ret i1 %r
}

; expect: -1
define i1 @fcmp_infinity_x86_fp80() {
  %r = fcmp olt x86_fp80 0xK00000000000000000000, 0xK7FFF8000000000000000
  ret i1 %r
}

; expect: -1
define i1 @fcmp_zeros_fp128() {
  %r = fcmp oeq fp128 0xL00000000000000000000000000000000, 0xL00000000000000008000000000000000
  ret i1 %r
}

; expect: -1
define i1 @fcmp_infinity_fp128() {
  %r = fcmp olt fp128 0xL00000000000000000000000000000000, 0xL00000000000000007FFF000000000000
  ret i1 %r
}

; nnan and ninf on a comparison: an operand of the class makes poison.
define i1 @fcmp_nnan() {
  %r = fcmp nnan olt double 0x7FF8000000000000, 1.0 ;~ poison
  ret i1 %r
}

define i1 @fcmp_ninf() {
  %r = fcmp ninf olt double 1.0, 0x7FF0000000000000 ;~ poison
  ret i1 %r
}
