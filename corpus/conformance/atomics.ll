; Atomic memory access; one thread, so every ordering is sequential.

@cell = global i32 10, align 4
@narrow = global i8 -6
@wide = global i64 5, align 8
@fixed = constant i32 3

; "The atomicrmw instruction is used to atomically modify memory"; "the original value at the location is returned".
; New values: old and operand 6 and so on.
; expect: {10, -4}
define { i32, i32 } @rmw_xchg() {
  %p = alloca i32
  store i32 10, ptr %p
  %old = atomicrmw xchg ptr %p, i32 -4 seq_cst
  %new = load atomic i32, ptr %p seq_cst, align 4
  %a = insertvalue { i32, i32 } poison, i32 %old, 0
  %b = insertvalue { i32, i32 } %a, i32 %new, 1
  ret { i32, i32 } %b
}

; expect: {10, 6}
define { i32, i32 } @rmw_add() {
  %p = alloca i32
  store i32 10, ptr %p
  %old = atomicrmw add ptr %p, i32 -4 seq_cst
  %new = load atomic i32, ptr %p seq_cst, align 4
  %a = insertvalue { i32, i32 } poison, i32 %old, 0
  %b = insertvalue { i32, i32 } %a, i32 %new, 1
  ret { i32, i32 } %b
}

; expect: {10, 14}
define { i32, i32 } @rmw_sub() {
  %p = alloca i32
  store i32 10, ptr %p
  %old = atomicrmw sub ptr %p, i32 -4 seq_cst
  %new = load atomic i32, ptr %p seq_cst, align 4
  %a = insertvalue { i32, i32 } poison, i32 %old, 0
  %b = insertvalue { i32, i32 } %a, i32 %new, 1
  ret { i32, i32 } %b
}

; expect: {10, 8}
define { i32, i32 } @rmw_and() {
  %p = alloca i32
  store i32 10, ptr %p
  %old = atomicrmw and ptr %p, i32 -4 seq_cst
  %new = load atomic i32, ptr %p seq_cst, align 4
  %a = insertvalue { i32, i32 } poison, i32 %old, 0
  %b = insertvalue { i32, i32 } %a, i32 %new, 1
  ret { i32, i32 } %b
}

; expect: {10, -9}
define { i32, i32 } @rmw_nand() {
  %p = alloca i32
  store i32 10, ptr %p
  %old = atomicrmw nand ptr %p, i32 -4 seq_cst
  %new = load atomic i32, ptr %p seq_cst, align 4
  %a = insertvalue { i32, i32 } poison, i32 %old, 0
  %b = insertvalue { i32, i32 } %a, i32 %new, 1
  ret { i32, i32 } %b
}

; expect: {10, -2}
define { i32, i32 } @rmw_or() {
  %p = alloca i32
  store i32 10, ptr %p
  %old = atomicrmw or ptr %p, i32 -4 seq_cst
  %new = load atomic i32, ptr %p seq_cst, align 4
  %a = insertvalue { i32, i32 } poison, i32 %old, 0
  %b = insertvalue { i32, i32 } %a, i32 %new, 1
  ret { i32, i32 } %b
}

; expect: {10, -10}
define { i32, i32 } @rmw_xor() {
  %p = alloca i32
  store i32 10, ptr %p
  %old = atomicrmw xor ptr %p, i32 -4 seq_cst
  %new = load atomic i32, ptr %p seq_cst, align 4
  %a = insertvalue { i32, i32 } poison, i32 %old, 0
  %b = insertvalue { i32, i32 } %a, i32 %new, 1
  ret { i32, i32 } %b
}

; expect: {10, 10}
define { i32, i32 } @rmw_max() {
  %p = alloca i32
  store i32 10, ptr %p
  %old = atomicrmw max ptr %p, i32 -4 seq_cst
  %new = load atomic i32, ptr %p seq_cst, align 4
  %a = insertvalue { i32, i32 } poison, i32 %old, 0
  %b = insertvalue { i32, i32 } %a, i32 %new, 1
  ret { i32, i32 } %b
}

; expect: {10, -4}
define { i32, i32 } @rmw_min() {
  %p = alloca i32
  store i32 10, ptr %p
  %old = atomicrmw min ptr %p, i32 -4 seq_cst
  %new = load atomic i32, ptr %p seq_cst, align 4
  %a = insertvalue { i32, i32 } poison, i32 %old, 0
  %b = insertvalue { i32, i32 } %a, i32 %new, 1
  ret { i32, i32 } %b
}

; expect: {10, -4}
define { i32, i32 } @rmw_umax() {
  %p = alloca i32
  store i32 10, ptr %p
  %old = atomicrmw umax ptr %p, i32 -4 seq_cst
  %new = load atomic i32, ptr %p seq_cst, align 4
  %a = insertvalue { i32, i32 } poison, i32 %old, 0
  %b = insertvalue { i32, i32 } %a, i32 %new, 1
  ret { i32, i32 } %b
}

; expect: {10, 10}
define { i32, i32 } @rmw_umin() {
  %p = alloca i32
  store i32 10, ptr %p
  %old = atomicrmw umin ptr %p, i32 -4 seq_cst
  %new = load atomic i32, ptr %p seq_cst, align 4
  %a = insertvalue { i32, i32 } poison, i32 %old, 0
  %b = insertvalue { i32, i32 } %a, i32 %new, 1
  ret { i32, i32 } %b
}

; "uinc_wrap: *ptr = (*ptr u>= val) ? 0 : (*ptr + 1)"; "udec_wrap: *ptr = ((*ptr == 0) || (*ptr u> val)) ? val : (*ptr
; - 1)".
; expect: 4
define i32 @rmw_uinc_wrap_3() {
  %p = alloca i32
  store i32 3, ptr %p
  %old = atomicrmw uinc_wrap ptr %p, i32 5 monotonic
  %new = load i32, ptr %p
  ret i32 %new
}

; expect: 0
define i32 @rmw_uinc_wrap_5() {
  %p = alloca i32
  store i32 5, ptr %p
  %old = atomicrmw uinc_wrap ptr %p, i32 5 monotonic
  %new = load i32, ptr %p
  ret i32 %new
}

; expect: 2
define i32 @rmw_udec_wrap_3() {
  %p = alloca i32
  store i32 3, ptr %p
  %old = atomicrmw udec_wrap ptr %p, i32 5 monotonic
  %new = load i32, ptr %p
  ret i32 %new
}

; expect: 5
define i32 @rmw_udec_wrap_0() {
  %p = alloca i32
  store i32 0, ptr %p
  %old = atomicrmw udec_wrap ptr %p, i32 5 monotonic
  %new = load i32, ptr %p
  ret i32 %new
}

; expect: 5
define i32 @rmw_udec_wrap_9() {
  %p = alloca i32
  store i32 9, ptr %p
  %old = atomicrmw udec_wrap ptr %p, i32 5 monotonic
  %new = load i32, ptr %p
  ret i32 %new
}

; "fadd, fsub, fmax, fmin": arithmetic as of the instructions, llvm.maxnum and llvm.minnum.
; expect: 3.75
define double @rmw_fadd() {
  %p = alloca double
  store double 1.5, ptr %p
  %old = atomicrmw fadd ptr %p, double 2.25 acq_rel
  %new = load double, ptr %p
  ret double %new
}

; expect: -0.75
define double @rmw_fsub() {
  %p = alloca double
  store double 1.5, ptr %p
  %old = atomicrmw fsub ptr %p, double 2.25 acq_rel
  %new = load double, ptr %p
  ret double %new
}

; expect: 2.25
define double @rmw_fmax() {
  %p = alloca double
  store double 1.5, ptr %p
  %old = atomicrmw fmax ptr %p, double 2.25 acq_rel
  %new = load double, ptr %p
  ret double %new
}

; expect: 1.5
define double @rmw_fmin() {
  %p = alloca double
  store double 1.5, ptr %p
  %old = atomicrmw fmin ptr %p, double 2.25 acq_rel
  %new = load double, ptr %p
  ret double %new
}

; expect: 1.5
define double @rmw_xchg_double() {
  %p = alloca double
  store double 1.5, ptr %p
  %old = atomicrmw xchg ptr %p, double 2.25 acquire
  ret double %old
}

; expect: 10
define i32 @rmw_xchg_pointer() {
  %p = alloca ptr
  store ptr null, ptr %p
  %old = atomicrmw xchg ptr %p, ptr @cell seq_cst
  %new = load ptr, ptr %p
  %r = load i32, ptr %new
  ret i32 %r
}

; expect: -127
define i8 @rmw_add_narrow_wraps() {
  %p = alloca i8
  store i8 127, ptr %p
  %old = atomicrmw add ptr %p, i8 2 release
  %new = load i8, ptr %p
  ret i8 %new
}

; "The value at the location is compared to cmp … if they are equal, new is written. The original value at the
; location is returned, together with a flag indicating success."
; expect: {10, -1, 99}
define { i32, i1, i32 } @cmpxchg_succeeds() {
  %p = alloca i32
  store i32 10, ptr %p
  %c = cmpxchg ptr %p, i32 10, i32 99 acq_rel monotonic
  %old = extractvalue { i32, i1 } %c, 0
  %ok = extractvalue { i32, i1 } %c, 1
  %new = load i32, ptr %p
  %a = insertvalue { i32, i1, i32 } poison, i32 %old, 0
  %b = insertvalue { i32, i1, i32 } %a, i1 %ok, 1
  %d = insertvalue { i32, i1, i32 } %b, i32 %new, 2
  ret { i32, i1, i32 } %d
}

; expect: {10, 0, 10}
define { i32, i1, i32 } @cmpxchg_fails() {
  %p = alloca i32
  store i32 10, ptr %p
  %c = cmpxchg ptr %p, i32 11, i32 99 acq_rel monotonic
  %old = extractvalue { i32, i1 } %c, 0
  %ok = extractvalue { i32, i1 } %c, 1
  %new = load i32, ptr %p
  %a = insertvalue { i32, i1, i32 } poison, i32 %old, 0
  %b = insertvalue { i32, i1, i32 } %a, i1 %ok, 1
  %d = insertvalue { i32, i1, i32 } %b, i32 %new, 2
  ret { i32, i1, i32 } %d
}

; "A weak cmpxchg … is permitted to fail spuriously": here it never does.
; expect: {10, -1, 99}
define { i32, i1, i32 } @cmpxchg_weak() {
  %p = alloca i32
  store i32 10, ptr %p
  %c = cmpxchg weak ptr %p, i32 10, i32 99 acq_rel monotonic
  %old = extractvalue { i32, i1 } %c, 0
  %ok = extractvalue { i32, i1 } %c, 1
  %new = load i32, ptr %p
  %a = insertvalue { i32, i1, i32 } poison, i32 %old, 0
  %b = insertvalue { i32, i1, i32 } %a, i1 %ok, 1
  %d = insertvalue { i32, i1, i32 } %b, i32 %new, 2
  ret { i32, i1, i32 } %d
}

; expect: -1
define i1 @cmpxchg_pointer() {
  %p = alloca ptr
  store ptr @cell, ptr %p
  %c = cmpxchg ptr %p, ptr @cell, ptr null seq_cst seq_cst
  %n = load ptr, ptr %p
  %r = icmp eq ptr %n, null
  ret i1 %r
}

; Loads, stores and fences of every ordering.
; expect: 5
define i64 @load_unordered() {
  %r = load atomic i64, ptr @wide unordered, align 8
  ret i64 %r
}

; expect: 5
define i64 @load_monotonic() {
  %r = load atomic i64, ptr @wide monotonic, align 8
  ret i64 %r
}

; expect: 5
define i64 @load_acquire() {
  %r = load atomic i64, ptr @wide acquire, align 8
  ret i64 %r
}

; expect: 5
define i64 @load_seq_cst() {
  %r = load atomic i64, ptr @wide seq_cst, align 8
  ret i64 %r
}

; expect: 4
define i32 @store_unordered() {
  %p = alloca i32
  store atomic i32 4, ptr %p unordered, align 4
  %r = load i32, ptr %p
  ret i32 %r
}

; expect: 4
define i32 @store_monotonic() {
  %p = alloca i32
  store atomic i32 4, ptr %p monotonic, align 4
  %r = load i32, ptr %p
  ret i32 %r
}

; expect: 4
define i32 @store_release() {
  %p = alloca i32
  store atomic i32 4, ptr %p release, align 4
  %r = load i32, ptr %p
  ret i32 %r
}

; expect: 4
define i32 @store_seq_cst() {
  %p = alloca i32
  store atomic i32 4, ptr %p seq_cst, align 4
  %r = load i32, ptr %p
  ret i32 %r
}

; expect: 1
define i32 @fence_acquire() {
  fence acquire
  ret i32 1
}

; expect: 1
define i32 @fence_release() {
  fence release
  ret i32 1
}

; expect: 1
define i32 @fence_acq_rel() {
  fence acq_rel
  ret i32 1
}

; expect: 1
define i32 @fence_seq_cst() {
  fence seq_cst
  ret i32 1
}

; expect: 1
define i32 @fence_of_one_thread() {
  fence syncscope("singlethread") seq_cst
  ret i32 1
}

; "align must be … a power of 2 greater than or equal to the size"; an address that is no multiple is undefined
; behavior.
define i32 @atomic_misaligned() {
  %a = alloca [8 x i8], align 8
  %p = getelementptr i8, ptr %a, i64 2
  %r = load atomic i32, ptr %p seq_cst, align 4 ;~ ub misaligned
  ret i32 %r
}

define i32 @rmw_misaligned() {
  %a = alloca [8 x i8], align 8
  store i64 0, ptr %a
  %p = getelementptr i8, ptr %a, i64 2
  %r = atomicrmw add ptr %p, i32 1 seq_cst ;~ ub misaligned
  ret i32 %r
}

define i32 @rmw_null() {
  %r = atomicrmw add ptr null, i32 1 seq_cst ;~ ub null-pointer
  ret i32 %r
}

define i32 @rmw_of_constant() {
  %r = atomicrmw add ptr @fixed, i32 1 seq_cst ;~ ub read-only
  ret i32 %r
}

define i1 @cmpxchg_of_uninitialised() {
  %p = alloca i32
  %c = cmpxchg ptr %p, i32 0, i32 1 seq_cst seq_cst ;~ ub uninitialised
  %r = extractvalue { i32, i1 } %c, 1
  ret i1 %r
}

; expect: 8
define i32 @volatile_access() {
  %p = alloca i32
  store volatile i32 8, ptr %p
  %r = load volatile i32, ptr %p
  ret i32 %r
}
