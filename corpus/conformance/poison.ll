; Undefined and poison values: how they spread, and where they stop.

@zero = global i32 0
declare i32 @llvm.ctpop.i32(i32)
declare double @llvm.fabs.f64(double)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

; "Most instructions return poison when one of their arguments is poison."
define i32 @spreads_by_add() {
  %p = add nuw i32 -1, 1 ;~ poison
  %r = add i32 %p, 1
  ret i32 %r
}

define i32 @spreads_by_xor_itself() {
  %p = add nuw i32 -1, 1 ;~ poison
  %r = xor i32 %p, %p
  ret i32 %r
}

define i32 @spreads_by_and_zero() {
  %p = add nuw i32 -1, 1 ;~ poison
  %r = and i32 %p, 0
  ret i32 %r
}

define i32 @spreads_by_mul_zero() {
  %p = add nuw i32 -1, 1 ;~ poison
  %r = mul i32 %p, 0
  ret i32 %r
}

define i32 @spreads_by_shl() {
  %p = add nuw i32 -1, 1 ;~ poison
  %r = shl i32 1, %p
  ret i32 %r
}

define i32 @spreads_by_urem() {
  %p = add nuw i32 -1, 1 ;~ poison
  %r = urem i32 %p, 3
  ret i32 %r
}

define i32 @spreads_by_freeze_after_or() {
  %p = add nuw i32 -1, 1 ;~ poison
  %r = or i32 %p, -1
  ret i32 %r
}

define i1 @spreads_by_icmp() {
  %p = add nuw i32 -1, 1 ;~ poison
  %r = icmp eq i32 %p, %p
  ret i1 %r
}

define i8 @spreads_by_trunc() {
  %p = add nuw i32 -1, 1 ;~ poison
  %r = trunc i32 %p to i8
  ret i8 %r
}

define i64 @spreads_by_zext() {
  %p = add nuw i32 -1, 1 ;~ poison
  %r = zext i32 %p to i64
  ret i64 %r
}

define double @spreads_by_sitofp() {
  %p = add nuw i32 -1, 1 ;~ poison
  %r = sitofp i32 %p to double
  ret double %r
}

define ptr @spreads_by_inttoptr() {
  %p = add nuw i32 -1, 1 ;~ poison
  %r = inttoptr i32 %p to ptr
  ret ptr %r
}

define ptr @spreads_by_gep_index() {
  %p = add nuw i32 -1, 1 ;~ poison
  %r = getelementptr i32, ptr @zero, i32 %p
  ret ptr %r
}

define i32 @spreads_by_intrinsic() {
  %p = add nuw i32 -1, 1 ;~ poison
  %r = call i32 @llvm.ctpop.i32(i32 %p)
  ret i32 %r
}

define { i32, i32 } @spreads_by_insertvalue() {
  %p = add nuw i32 -1, 1 ;~ poison
  %r = insertvalue { i32, i32 } { i32 1, i32 2 }, i32 %p, 1
  ret { i32, i32 } %r
}

; "phi … and select are poison only if the value they take is"; a poison condition of select makes poison.
; expect: 1
define i32 @phi_takes_the_other() {
  %c = icmp eq i32 1, 1
  br i1 %c, label %a, label %b
a:
  br label %end
b:
  br label %end
end:
  %r = phi i32 [ 1, %a ], [ poison, %b ]
  ret i32 %r
}

; expect: 3
define i32 @select_takes_the_other() {
  %r = select i1 true, i32 3, i32 poison
  ret i32 %r
}

define i32 @select_takes_it() {
  %p = add nuw i32 -1, 1 ;~ poison
  %r = select i1 true, i32 %p, i32 1
  ret i32 %r
}

; expect: poison
define i32 @select_poison_condition() {
  %c = icmp eq i32 poison, 1
  %r = select i1 %c, i32 1, i32 1
  ret i32 %r
}

; "If the argument is undef or poison, freeze returns an arbitrary, but fixed, value": two uses agree.
; expect: 0
define i32 @freeze_poison_is_fixed() {
  %f = freeze i32 poison
  %r = sub i32 %f, %f
  ret i32 %r
}

; expect: -1
define i1 @freeze_undef_is_fixed() {
  %f = freeze i8 undef
  %r = icmp eq i8 %f, %f
  ret i1 %r
}

; expect: 5
define i32 @freeze_lane_by_lane() {
  %f = freeze <2 x i32> <i32 poison, i32 5>
  %r = extractelement <2 x i32> %f, i32 1
  ret i32 %r
}

; expect: 1.5
define double @freeze_defined() {
  %r = freeze double 1.5
  ret double %r
}

; expect: 64
define i8 @freeze_keeps_defined_bits() {
  %u = and i8 undef, 15
  %v = or i8 %u, 64
  %f = freeze i8 %v
  %r = and i8 %f, -16
  ret i8 %r
}

; "An 'undef' variable can arbitrarily change its value over its live range": it does not equal itself.
; expect: undef
define i1 @undef_is_not_itself() {
  %r = icmp eq i32 undef, undef
  ret i1 %r
}

; expect: undef
define i32 @undef_xor_itself() {
  %r = xor i32 undef, undef
  ret i32 %r
}

; Bits that are defined stay so: "%A = and %X, undef" has no bit that %X has not.
; expect: 0
define i8 @undef_and_mask() {
  %u = and i8 undef, 15
  %r = lshr i8 %u, 4
  ret i8 %r
}

; expect: -1
define i8 @undef_or_ones() {
  %u = or i8 undef, -16
  %r = ashr i8 %u, 4
  ret i8 %r
}

; expect: 0
define i8 @undef_shifted_in_zeros() {
  %u = shl i8 undef, 4
  %r = and i8 %u, 15
  ret i8 %r
}

; expect: 0
define i16 @undef_zext_high_bits() {
  %u = zext i8 undef to i16
  %r = lshr i16 %u, 8
  ret i16 %r
}

; expect: undef
define i16 @undef_sext_sign_is_shared() {
  %u = sext i8 undef to i16
  %r = and i16 %u, 255
  ret i16 %r
}

; expect: undef
define i8 @undef_product_keeps_trailing_zeros() {
  %u = mul i8 undef, 4
  %r = and i8 %u, 3
  ret i8 %r
}

; Memory carries poison and undefined bits byte by byte, through copies too.
; expect: poison
define i32 @poison_byte_in_a_word() {
  %a = alloca i32
  store i32 0, ptr %a
  %q = getelementptr i8, ptr %a, i64 2
  store i8 poison, ptr %q
  %r = load i32, ptr %a
  ret i32 %r
}

; expect: 257
define i16 @poison_byte_beside() {
  %a = alloca i32
  store i32 257, ptr %a
  %q = getelementptr i8, ptr %a, i64 2
  store i8 poison, ptr %q
  %r = load i16, ptr %a
  ret i16 %r
}

; expect: 4
define i32 @poison_overwritten() {
  %a = alloca i32
  store i32 poison, ptr %a
  store i32 4, ptr %a
  %r = load i32, ptr %a
  ret i32 %r
}

; expect: poison
define i32 @poison_copied() {
  %a = alloca i32
  %b = alloca i32
  store i32 poison, ptr %a
  call void @llvm.memcpy.p0.p0.i64(ptr %b, ptr %a, i64 4, i1 false)
  %r = load i32, ptr %b
  ret i32 %r
}

; expect: 513
define i32 @undef_partial_load() {
  %a = alloca i32
  store i16 513, ptr %a
  %x = load i32, ptr %a
  %r = and i32 %x, 65535
  ret i32 %r
}

; expect: 7
define i32 @poison_lane_in_memory() {
  %a = alloca <2 x i32>
  store <2 x i32> <i32 poison, i32 7>, ptr %a
  %q = getelementptr i32, ptr %a, i64 1
  %r = load i32, ptr %q
  ret i32 %r
}

; Where a value decides, poison is undefined behavior: branches, switches, divisors, addresses, callees.
define i32 @branch_on_poison_comparison() {
  %p = add nuw i32 -1, 1
  %c = icmp eq i32 %p, 0
  br i1 %c, label %a, label %b ;~ ub poison
a:
  ret i32 1
b:
  ret i32 2
}

define void @store_through_poison() {
  %p = getelementptr inbounds i32, ptr @zero, i64 9
  store i32 1, ptr %p ;~ ub poison
  ret void
}

define void @call_of_poison() {
  call void poison() ;~ ub poison
  ret void
}

define i32 @division_by_masked_undef() {
  %u = or i32 undef, 1
  %r = udiv i32 5, %u ;~ ub uninitialised
  ret i32 %r
}

; nnan and ninf: "if an argument is a nan, or the result would be a nan, it produces a poison value instead", for
; every operation.
define double @fadd_nnan() {
  %r = fadd nnan double 0x7FF0000000000000, 0xFFF0000000000000 ;~ poison
  ret double %r
}

define double @fsub_nnan() {
  %r = fsub nnan double 0x7FF0000000000000, 0x7FF0000000000000 ;~ poison
  ret double %r
}

define double @fmul_nnan() {
  %r = fmul nnan double 0.0, 0x7FF0000000000000 ;~ poison
  ret double %r
}

define double @fdiv_nnan() {
  %r = fdiv nnan double 0.0, 0.0 ;~ poison
  ret double %r
}

define double @frem_nnan() {
  %r = frem nnan double 1.0, 0.0 ;~ poison
  ret double %r
}

define double @fadd_ninf() {
  %r = fadd ninf double 1.0, 0x7FF0000000000000 ;~ poison
  ret double %r
}

define double @fsub_ninf() {
  %r = fsub ninf double 1.0, 0x7FF0000000000000 ;~ poison
  ret double %r
}

define double @fmul_ninf() {
  %r = fmul ninf double 1.0e300, 1.0e300 ;~ poison
  ret double %r
}

define double @fdiv_ninf() {
  %r = fdiv ninf double 1.0, 0.0 ;~ poison
  ret double %r
}

define float @fneg_nnan() {
  %r = fneg nnan float 0x7FF8000000000000 ;~ poison
  ret float %r
}

define double @intrinsic_ninf() {
  %r = call ninf double @llvm.fabs.f64(double 0x7FF0000000000000) ;~ poison
  ret double %r
}

; expect: 3
define double @nsz_is_no_poison() {
  %r = fadd nsz double 1.0, 2.0
  ret double %r
}

; expect: {poison, 2}
define <2 x double> @fast_lanes() {
  %r = fadd nnan <2 x double> <double 0x7FF8000000000000, double 1.0>, <double 1.0, double 1.0>
  ret <2 x double> %r
}
