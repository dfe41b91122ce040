; Attributes and metadata that promise something of a value.

declare void @llvm.assume(i1)
@word = global i32 7, align 4
@eight = global [8 x i8] zeroinitializer, align 8

define i32 @takes_nonnull(ptr nonnull %p) {
  ret i32 1
}

define i32 @takes_nonnull_noundef(ptr nonnull noundef %p) {
  ret i32 1
}

define ptr @gives_nonnull_param(ptr nonnull %p) {
  ret ptr %p
}

define i32 @takes_noundef(i32 noundef %x) {
  ret i32 1
}

define { i32, i32 } @takes_noundef_pair({ i32, i32 } noundef %x) {
  ret { i32, i32 } %x
}

define i32 @takes_range(i32 range(i32 -5, 10) %x) {
  ret i32 %x
}

define i32 @takes_wrapped_range(i32 range(i32 10, -5) %x) {
  ret i32 %x
}

define <2 x i32> @takes_range_lanes(<2 x i32> range(i32 0, 10) %x) {
  ret <2 x i32> %x
}

define double @takes_no_nan(double nofpclass(nan) %x) {
  ret double %x
}

define double @takes_no_negative(double nofpclass(ninf nnorm nsub nzero) %x) {
  ret double %x
}

define double @takes_nothing(double nofpclass(all) %x) {
  ret double %x
}

define i32 @takes_dereferenceable(ptr dereferenceable(8) %p) {
  ret i32 1
}

define i32 @takes_dereferenceable_or_null(ptr dereferenceable_or_null(8) %p) {
  ret i32 1
}

define ptr @takes_aligned(ptr align 8 %p) {
  ret ptr %p
}

define noundef i32 @returns_noundef(i32 %x) {
  ret i32 %x
}

define range(i8 0, 4) i8 @returns_range(i8 %x) {
  ret i8 %x
}

define nofpclass(inf) float @returns_finite(float %x) {
  ret float %x
}

define nonnull ptr @returns_nonnull(ptr %x) {
  ret ptr %x
}

define dereferenceable(4) ptr @returns_dereferenceable(ptr %x) {
  ret ptr %x
}

define i32 @plain(i32 %x) {
  ret i32 %x
}

define double @plain_double(double %x) {
  ret double %x
}

; "if the parameter or return pointer is null, poison value is returned or passed instead" (nonnull): unused poison
; does no harm.
; expect: 1
define i32 @nonnull_unused() {
  %r = call i32 @takes_nonnull(ptr null)
  ret i32 %r
}

; expect: poison
define ptr @nonnull_seen() {
  %r = call ptr @gives_nonnull_param(ptr null)
  ret ptr %r
}

; "The nonnull attribute should be combined with the noundef attribute to ensure a pointer is not null or otherwise
; the behavior is undefined."
define i32 @nonnull_noundef() {
  %r = call i32 @takes_nonnull_noundef(ptr null) ;~ ub poison
  ret i32 %r
}

; expect: 1
define i32 @nonnull_fits() {
  %r = call i32 @takes_nonnull_noundef(ptr @word)
  ret i32 %r
}

; "If the value representation contains any undefined or poison bits, the behavior is undefined." (noundef)
define i32 @noundef_undef() {
  %r = call i32 @takes_noundef(i32 undef) ;~ ub uninitialised
  ret i32 %r
}

define i32 @noundef_partly() {
  %x = and i32 undef, 1
  %r = call i32 @takes_noundef(i32 %x) ;~ ub uninitialised
  ret i32 %r
}

define { i32, i32 } @noundef_member() {
  %r = call { i32, i32 } @takes_noundef_pair({ i32, i32 } { i32 1, i32 poison }) ;~ ub poison
  ret { i32, i32 } %r
}

define i32 @noundef_of_the_call() {
  %r = call i32 @plain(i32 noundef poison) ;~ ub poison
  ret i32 %r
}

define i32 @noundef_of_the_result() {
  %r = call i32 @returns_noundef(i32 poison) ;~ ub poison
  ret i32 %r
}

define i32 @noundef_of_the_call_result() {
  %r = call noundef i32 @plain(i32 undef) ;~ ub uninitialised
  ret i32 %r
}

; "If the value is not in the specified range, it is converted to poison." "The pair a,b represents the range [a,b)."
; "The range is allowed to wrap."
; expect: -5
define i32 @range_low() {
  %r = call i32 @takes_range(i32 -5)
  ret i32 %r
}

; expect: poison
define i32 @range_high() {
  %r = call i32 @takes_range(i32 10)
  ret i32 %r
}

; expect: -6
define i32 @range_wrapped_inside() {
  %r = call i32 @takes_wrapped_range(i32 -6)
  ret i32 %r
}

; expect: poison
define i32 @range_wrapped_outside() {
  %r = call i32 @takes_wrapped_range(i32 0)
  ret i32 %r
}

; "For vector-typed parameters, the range is applied element-wise."
; expect: {3, poison}
define <2 x i32> @range_lanes() {
  %r = call <2 x i32> @takes_range_lanes(<2 x i32> <i32 3, i32 11>)
  ret <2 x i32> %r
}

; expect: poison
define i8 @range_of_the_result() {
  %r = call i8 @returns_range(i8 4)
  ret i8 %r
}

define i32 @range_of_the_call() {
  %r = call range(i32 0, 5) i32 @plain(i32 5) ;~ poison
  ret i32 %r
}

; "If the value is a floating-point class indicated by the nofpclass test mask, a poison value is passed or returned
; instead." "nofpclass(all) => poison".
; expect: poison
define double @nofpclass_nan() {
  %r = call double @takes_no_nan(double 0x7FF8000000000000)
  ret double %r
}

; expect: 1
define double @nofpclass_fits() {
  %r = call double @takes_no_nan(double 1.0)
  ret double %r
}

; expect: poison
define double @nofpclass_minus_zero() {
  %r = call double @takes_no_negative(double -0.0)
  ret double %r
}

; expect: 0
define double @nofpclass_zero() {
  %r = call double @takes_no_negative(double 0.0)
  ret double %r
}

; expect: poison
define double @nofpclass_all() {
  %r = call double @takes_nothing(double 1.0)
  ret double %r
}

; expect: poison
define float @nofpclass_of_the_result() {
  %r = call float @returns_finite(float 0x7FF0000000000000)
  ret float %r
}

; "dereferenceable(<n>): the pointer is dereferenceable … otherwise it is undefined behavior", and "implies noundef".
; expect: 1
define i32 @dereferenceable_fits() {
  %r = call i32 @takes_dereferenceable(ptr @eight)
  ret i32 %r
}

define i32 @dereferenceable_small() {
  %r = call i32 @takes_dereferenceable(ptr @word) ;~ ub attribute
  ret i32 %r
}

define i32 @dereferenceable_null() {
  %r = call i32 @takes_dereferenceable(ptr null) ;~ ub attribute
  ret i32 %r
}

define i32 @dereferenceable_poison() {
  %r = call i32 @takes_dereferenceable(ptr poison) ;~ ub poison
  ret i32 %r
}

; expect: 1
define i32 @dereferenceable_or_null_null() {
  %r = call i32 @takes_dereferenceable_or_null(ptr null)
  ret i32 %r
}

define i32 @dereferenceable_or_null_small() {
  %r = call i32 @takes_dereferenceable_or_null(ptr @word) ;~ ub attribute
  ret i32 %r
}

define ptr @dereferenceable_result() {
  %r = call ptr @returns_dereferenceable(ptr null) ;~ ub attribute
  ret ptr %r
}

; "If the pointer value does not have the specified alignment, poison value is returned or passed instead." (align)
; expect: poison
define ptr @align_broken() {
  %p = getelementptr i8, ptr @eight, i64 4
  %r = call ptr @takes_aligned(ptr %p)
  ret ptr %r
}

; expect: -1
define i1 @align_kept() {
  %r = call ptr @takes_aligned(ptr @eight)
  %c = icmp eq ptr %r, @eight
  ret i1 %c
}

; expect: poison
define ptr @nonnull_of_the_result() {
  %r = call ptr @returns_nonnull(ptr null)
  ret ptr %r
}

; !range: "if the loaded or returned value is not in the specified range, a poison value is returned instead"; the
; list may hold several ranges.
; expect: 7
define i32 @load_range_two_first() {
  %r = load i32, ptr @word, !range !0
  ret i32 %r
}

define i32 @load_range_between() {
  %r = load i32, ptr @word, !range !1 ;~ poison
  ret i32 %r
}

define i32 @call_range() {
  %r = call i32 @plain(i32 7), !range !1 ;~ poison
  ret i32 %r
}

; !nonnull, !align, !dereferenceable, !noundef of a load.
define ptr @load_nonnull() {
  %p = alloca ptr
  store ptr null, ptr %p
  %r = load ptr, ptr %p, !nonnull !2 ;~ poison
  ret ptr %r
}

define ptr @load_nonnull_noundef() {
  %p = alloca ptr
  store ptr null, ptr %p
  %r = load ptr, ptr %p, !nonnull !2, !noundef !2 ;~ ub poison
  ret ptr %r
}

define ptr @load_align() {
  %p = alloca ptr
  %q = getelementptr i8, ptr @eight, i64 2
  store ptr %q, ptr %p
  %r = load ptr, ptr %p, !align !3 ;~ poison
  ret ptr %r
}

define ptr @load_dereferenceable() {
  %p = alloca ptr
  store ptr @word, ptr %p
  %r = load ptr, ptr %p, !dereferenceable !4 ;~ ub attribute
  ret ptr %r
}

define i32 @load_noundef() {
  %p = alloca i32
  %r = load i32, ptr %p, !noundef !2 ;~ ub uninitialised
  ret i32 %r
}

; "allows the optimizer to assume that the provided condition is always true … if the condition is violated during
; execution, the behavior is undefined" (assume).
; expect: 1
define i32 @assume_true() {
  call void @llvm.assume(i1 true)
  ret i32 1
}

define void @assume_poison() {
  %c = icmp eq i32 poison, 1
  call void @llvm.assume(i1 %c) ;~ ub poison
  ret void
}

define void @assume_undef() {
  call void @llvm.assume(i1 undef) ;~ ub uninitialised
  ret void
}

; "Just like for the argument of llvm.assume, if any of the provided guarantees are violated at runtime the behavior
; is undefined." (operand bundles)
; expect: 1
define i32 @assume_align_kept() {
  %p = getelementptr i8, ptr @eight, i64 4
  %n = add i64 4, 4
  call void @llvm.assume(i1 true) [ "align"(ptr @eight, i32 8) ]
  ret i32 1
}

define i32 @assume_align_broken() {
  %p = getelementptr i8, ptr @eight, i64 4
  %n = add i64 4, 4
  call void @llvm.assume(i1 true) [ "align"(ptr %p, i32 8) ] ;~ ub assumption
  ret i32 1
}

; expect: 1
define i32 @assume_align_offset() {
  %p = getelementptr i8, ptr @eight, i64 4
  %n = add i64 4, 4
  call void @llvm.assume(i1 true) [ "align"(ptr %p, i64 8, i64 4) ]
  ret i32 1
}

define i32 @assume_align_dynamic() {
  %p = getelementptr i8, ptr @eight, i64 4
  %n = add i64 4, 4
  call void @llvm.assume(i1 true) [ "align"(ptr %p, i64 %n) ] ;~ ub assumption
  ret i32 1
}

; expect: 1
define i32 @assume_nonnull_kept() {
  %p = getelementptr i8, ptr @eight, i64 4
  %n = add i64 4, 4
  call void @llvm.assume(i1 true) [ "nonnull"(ptr @eight) ]
  ret i32 1
}

define i32 @assume_nonnull_broken() {
  %p = getelementptr i8, ptr @eight, i64 4
  %n = add i64 4, 4
  call void @llvm.assume(i1 true) [ "nonnull"(ptr null) ] ;~ ub assumption
  ret i32 1
}

; expect: 1
define i32 @assume_dereferenceable_kept() {
  %p = getelementptr i8, ptr @eight, i64 4
  %n = add i64 4, 4
  call void @llvm.assume(i1 true) [ "dereferenceable"(ptr @eight, i32 8) ]
  ret i32 1
}

define i32 @assume_dereferenceable_broken() {
  %p = getelementptr i8, ptr @eight, i64 4
  %n = add i64 4, 4
  call void @llvm.assume(i1 true) [ "dereferenceable"(ptr %p, i64 5) ] ;~ ub assumption
  ret i32 1
}

; expect: 1
define i32 @assume_dereferenceable_or_null() {
  %p = getelementptr i8, ptr @eight, i64 4
  %n = add i64 4, 4
  call void @llvm.assume(i1 true) [ "dereferenceable_or_null"(ptr null, i64 5) ]
  ret i32 1
}

define i32 @assume_noundef_broken() {
  %p = getelementptr i8, ptr @eight, i64 4
  %n = add i64 4, 4
  call void @llvm.assume(i1 true) [ "noundef"(i32 undef) ] ;~ ub uninitialised
  ret i32 1
}

; expect: 1
define i32 @assume_cold() {
  %p = getelementptr i8, ptr @eight, i64 4
  %n = add i64 4, 4
  call void @llvm.assume(i1 true) [ "cold"() ]
  ret i32 1
}

; expect: 1
define i32 @assume_ignored() {
  %p = getelementptr i8, ptr @eight, i64 4
  %n = add i64 4, 4
  call void @llvm.assume(i1 true) [ "ignore"(ptr undef) ]
  ret i32 1
}

define i32 @assume_two_bundles() {
  %p = getelementptr i8, ptr @eight, i64 4
  %n = add i64 4, 4
  call void @llvm.assume(i1 true) [ "nonnull"(ptr @eight), "nonnull"(ptr null) ] ;~ ub assumption
  ret i32 1
}

; "``align`` operand bundles may specify a non-power-of-two alignment (including a zero alignment). If this is the
; case, then the pointer value must be a null pointer".
; expect: 1
define i32 @assume_align_three_null() {
  call void @llvm.assume(i1 true) [ "align"(ptr null, i32 3) ]
  ret i32 1
}

define i32 @assume_align_three() {
  call void @llvm.assume(i1 true) [ "align"(ptr @eight, i32 3) ] ;~ ub assumption
  ret i32 1
}

; Fast-math flags of select, phi and call: "if … the result would be" a NaN (nnan) or an infinity (ninf), "it produces
; a poison value instead".
define double @select_nnan() {
  %r = select nnan i1 true, double 0x7FF8000000000000, double 1.0 ;~ poison
  ret double %r
}

; expect: 1
define double @select_ninf_other() {
  %r = select ninf i1 false, double 0x7FF0000000000000, double 1.0
  ret double %r
}

define double @call_nnan() {
  %r = call nnan double @plain_double(double 0x7FF8000000000000) ;~ poison
  ret double %r
}

define double @phi_ninf() {
  br label %next
next:
  %r = phi ninf double [ 0x7FF0000000000000, %0 ] ;~ poison
  ret double %r
}

!0 = !{i32 0, i32 5, i32 7, i32 9}
!1 = !{i32 0, i32 5, i32 8, i32 9}
!2 = !{}
!3 = !{i64 4}
!4 = !{i64 8}
