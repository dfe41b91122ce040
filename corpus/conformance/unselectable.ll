; not-native: the code generator for x86-64 cannot translate these without the passes that clang runs before,
; or calls functions for them that its run-time library has not.
; Intrinsics that optimisation removes, and element-wise atomic copies.

@words = global [4 x i32] [i32 1, i32 2, i32 3, i32 4]

declare <4 x i32> @llvm.vector.insert.v4i32.v2i32(<4 x i32>, <2 x i32>, i64)
declare void @llvm.memcpy.element.unordered.atomic.p0.p0.i64(ptr, ptr, i64, i32)
declare void @llvm.memmove.element.unordered.atomic.p0.p0.i64(ptr, ptr, i64, i32)
declare void @llvm.memset.element.unordered.atomic.p0.i64(ptr, i8, i64, i32)
declare double @llvm.canonicalize.f64(double)
declare i32 @llvm.expect.with.probability.i32(i32, i32, double)
declare i32 @llvm.ssa.copy.i32(i32)

; Each returns its first argument.
; expect: 7
define i32 @expect_with_probability() {
  %r = call i32 @llvm.expect.with.probability.i32(i32 7, i32 1, double 0.5)
  ret i32 %r
}

; expect: 5
define i32 @ssa_copy() {
  %r = call i32 @llvm.ssa.copy.i32(i32 5)
  ret i32 %r
}

; expect: -0
define double @canonicalize() {
  %r = call double @llvm.canonicalize.f64(double -0.0)
  ret double %r
}

; "The len argument must be a multiple of element_size, otherwise the behavior is undefined"; the addresses are
; aligned to it; "buffers must not overlap" (memcpy).
; expect: 4
define i32 @element_memcpy() {
  %a = alloca [4 x i32]
  call void @llvm.memcpy.element.unordered.atomic.p0.p0.i64(ptr align 4 %a, ptr align 4 @words, i64 16, i32 4)
  %p = getelementptr i32, ptr %a, i64 3
  %r = load i32, ptr %p
  ret i32 %r
}

define void @element_memcpy_length() {
  %a = alloca [4 x i32]
  call void @llvm.memcpy.element.unordered.atomic.p0.p0.i64(ptr align 4 %a, ptr align 4 @words, i64 10, i32 4) ;~ ub library
  ret void
}

define void @element_memcpy_overlap() {
  %a = alloca [4 x i32]
  store [4 x i32] zeroinitializer, ptr %a
  %b = getelementptr i32, ptr %a, i64 1
  call void @llvm.memcpy.element.unordered.atomic.p0.p0.i64(ptr align 4 %b, ptr align 4 %a, i64 8, i32 4) ;~ ub overlap
  ret void
}

define void @element_memcpy_alignment() {
  %a = alloca [16 x i8]
  %b = getelementptr i8, ptr %a, i64 2
  call void @llvm.memcpy.element.unordered.atomic.p0.p0.i64(ptr align 4 %b, ptr align 4 @words, i64 8, i32 4) ;~ ub misaligned
  ret void
}

; expect: 3
define i32 @element_memmove() {
  %a = alloca [4 x i32]
  store [4 x i32] [i32 1, i32 2, i32 3, i32 4], ptr %a
  %b = getelementptr i32, ptr %a, i64 1
  call void @llvm.memmove.element.unordered.atomic.p0.p0.i64(ptr align 4 %b, ptr align 4 %a, i64 12, i32 4)
  %p = getelementptr i32, ptr %a, i64 3
  %r = load i32, ptr %p
  ret i32 %r
}

; expect: 514
define i16 @element_memset() {
  %a = alloca [4 x i16]
  call void @llvm.memset.element.unordered.atomic.p0.i64(ptr align 2 %a, i8 2, i64 8, i32 2)
  %p = getelementptr i16, ptr %a, i64 3
  %r = load i16, ptr %p
  ret i16 %r
}

; "The elements of vec starting at idx are overwritten with subvec."
; expect: {1, 2, 8, 9}
define <4 x i32> @vector_insert() {
  %r = call <4 x i32> @llvm.vector.insert.v4i32.v2i32(<4 x i32> <i32 1, i32 2, i32 3, i32 4>, <2 x i32> <i32 8, i32 9>, i64 2)
  ret <4 x i32> %r
}
