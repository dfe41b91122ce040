; Memory access, addresses, lifetimes.

declare ptr @malloc(i64)
declare ptr @calloc(i64, i64)
declare ptr @realloc(ptr, i64)
declare void @free(ptr)
declare void @_ZdlPv(ptr)
declare void @llvm.lifetime.start.p0(i64, ptr)
declare void @llvm.lifetime.end.p0(i64, ptr)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare ptr @llvm.stacksave.p0()
declare void @llvm.stackrestore.p0(ptr)

@constant = constant i32 7
@words = global [4 x i32] [i32 1, i32 2, i32 3, i32 4]
@self = global ptr @words
@middle = global ptr getelementptr inbounds ([4 x i32], ptr @words, i64 0, i64 2)
@zeros = global { i8, i64 } zeroinitializer
@bytes = constant [4 x i8] c"ab\00d"

; expect: 3
define i32 @global_through_pointer() {
  %p = load ptr, ptr @middle
  %r = load i32, ptr %p
  ret i32 %r
}

; expect: 100
define i8 @global_bytes() {
  %p = getelementptr i8, ptr @bytes, i64 3
  %r = load i8, ptr %p
  ret i8 %r
}

define i32 @load_null() {
  %p = freeze ptr null
  %r = load i32, ptr %p ;~ ub null-pointer
  ret i32 %r
}

define i32 @load_near_null() {
  %p = getelementptr i8, ptr null, i64 16
  %r = load i32, ptr %p ;~ ub null-pointer
  ret i32 %r
}

define i32 @load_poison() {
  %r = load i32, ptr poison ;~ ub poison
  ret i32 %r
}

define void @store_undef_address() {
  store i32 1, ptr undef ;~ ub uninitialised
  ret void
}

define i32 @load_wild() {
  %p = inttoptr i64 81985529216486895 to ptr
  %r = load i32, ptr %p ;~ ub invalid-pointer
  ret i32 %r
}

define i32 @load_beyond() {
  %p = alloca [4 x i32]
  %q = getelementptr i32, ptr %p, i64 4
  %r = load i32, ptr %q ;~ ub out-of-bounds
  ret i32 %r
}

define i32 @load_before() {
  %p = call ptr @malloc(i64 16)
  %q = getelementptr i32, ptr %p, i64 -1
  %r = load i32, ptr %q ;~ ub out-of-bounds
  ret i32 %r
}

define i64 @load_over_the_end() {
  %p = call ptr @calloc(i64 1, i64 12)
  %q = getelementptr i8, ptr %p, i64 8
  %r = load i64, ptr %q ;~ ub out-of-bounds
  ret i64 %r
}

; "the result value of the getelementptr is a poison value if the base pointer is not an in bounds address or … outside"
; expect: poison
define ptr @gep_inbounds() {
  %p = alloca [4 x i32]
  %i = freeze i64 5
  %q = getelementptr inbounds i32, ptr %p, i64 %i
  ret ptr %q
}

; One past the end is in bounds.
; expect: 16
define i64 @gep_one_past() {
  %p = alloca [4 x i32]
  %i = freeze i64 4
  %q = getelementptr inbounds i32, ptr %p, i64 %i
  %a = ptrtoint ptr %p to i64
  %b = ptrtoint ptr %q to i64
  %r = sub i64 %b, %a
  ret i64 %r
}

; Into fields and through nested arrays.
; expect: 44
define i64 @gep_fields() {
  %p = alloca { i8, [3 x { i32, i16 }], i64 }
  %i = freeze i64 2
  %q = getelementptr { i8, [3 x { i32, i16 }], i64 }, ptr %p, i64 1, i32 1, i64 %i, i32 1
  %a = ptrtoint ptr %p to i64
  %b = ptrtoint ptr %q to i64
  %r = sub i64 %b, %a
  %s = sub i64 %r, 16
  ret i64 %s
}

; "align … it is undefined behavior if the address is not a multiple"
define i32 @load_misaligned() {
  %p = alloca [8 x i8], align 8
  %q = getelementptr i8, ptr %p, i64 1
  %r = load i32, ptr %q, align 4 ;~ ub misaligned
  ret i32 %r
}

; expect: 0
define i32 @load_align_1() {
  %p = call ptr @calloc(i64 8, i64 1)
  %q = getelementptr i8, ptr %p, i64 1
  %r = load i32, ptr %q, align 1
  ret i32 %r
}

define void @store_constant() {
  %p = freeze ptr @constant
  store i32 1, ptr %p ;~ ub read-only
  ret void
}

; expect: undef
define i32 @load_uninitialised() {
  %p = call ptr @malloc(i64 4)
  %r = load i32, ptr %p
  ret i32 %r
}

; expect: undef
define i32 @load_half_initialised() {
  %p = call ptr @malloc(i64 4)
  store i16 1, ptr %p
  %r = load i32, ptr %p
  ret i32 %r
}

; expect: poison
define i32 @poison_in_memory() {
  %p = alloca i32
  store i32 poison, ptr %p
  %r = load i32, ptr %p
  ret i32 %r
}

; A bit-field: the other bits of the byte stay undefined, these do not.
; expect: 5
define i8 @bit_field() {
  %p = alloca i8
  %old = load i8, ptr %p
  %cleared = and i8 %old, -8
  %set = or i8 %cleared, 5
  store i8 %set, ptr %p
  %v = load i8, ptr %p
  %r = and i8 %v, 7
  ret i8 %r
}

; expect: 513
define i16 @little_endian() {
  %p = alloca i16
  store i8 1, ptr %p
  %q = getelementptr i8, ptr %p, i64 1
  store i8 2, ptr %q
  %r = load i16, ptr %p
  ret i16 %r
}

define i32 @use_after_free() {
  %p = call ptr @malloc(i64 4)
  store i32 1, ptr %p
  call void @free(ptr %p)
  %r = load i32, ptr %p ;~ ub use-after-free
  ret i32 %r
}

define i32 @use_after_realloc() {
  %p = call ptr @malloc(i64 4)
  store i32 1, ptr %p
  %q = call ptr @realloc(ptr %p, i64 64)
  %r = load i32, ptr %p ;~ ub use-after-free
  ret i32 %r
}

; expect: 1
define i32 @realloc_keeps() {
  %p = call ptr @malloc(i64 4)
  store i32 1, ptr %p
  %q = call ptr @realloc(ptr %p, i64 64)
  %r = load i32, ptr %q
  ret i32 %r
}

define void @double_free() {
  %p = call ptr @malloc(i64 4)
  call void @free(ptr %p)
  call void @free(ptr %p) ;~ ub double-free
  ret void
}

define void @free_stack() {
  %p = alloca i32
  call void @free(ptr %p) ;~ ub invalid-free
  ret void
}

define void @free_inside() {
  %p = call ptr @malloc(i64 8)
  %q = getelementptr i8, ptr %p, i64 4
  call void @free(ptr %q) ;~ ub invalid-free
  ret void
}

define void @free_by_delete() {
  %p = call ptr @malloc(i64 8)
  call void @_ZdlPv(ptr %p) ;~ ub mismatched-free
  ret void
}

; expect: {}
define void @free_null() {
  call void @free(ptr null)
  ret void
}

; expect: resource
define ptr @too_much() {
  %p = call ptr @malloc(i64 100000000000)
  ret ptr %p
}

define ptr @dangling() {
  %p = alloca i32
  store i32 1, ptr %p
  ret ptr %p
}

define i32 @use_after_return() {
  %p = call ptr @dangling()
  %r = load i32, ptr %p ;~ ub use-after-scope
  ret i32 %r
}

define i32 @use_after_lifetime() {
  %p = alloca i32
  call void @llvm.lifetime.start.p0(i64 4, ptr %p)
  store i32 1, ptr %p
  call void @llvm.lifetime.end.p0(i64 4, ptr %p)
  %r = load i32, ptr %p ;~ ub use-after-scope
  ret i32 %r
}

; A new lifetime begins without a value.
; expect: undef
define i32 @lifetime_again() {
  %p = alloca i32
  call void @llvm.lifetime.start.p0(i64 4, ptr %p)
  store i32 1, ptr %p
  call void @llvm.lifetime.end.p0(i64 4, ptr %p)
  call void @llvm.lifetime.start.p0(i64 4, ptr %p)
  %r = load i32, ptr %p
  ret i32 %r
}

; A pointer to one object does not reach another, however near.
define i32 @provenance() {
  %p = call ptr @calloc(i64 1, i64 16)
  %q = call ptr @calloc(i64 1, i64 16)
  %a = ptrtoint ptr %p to i64
  %b = ptrtoint ptr %q to i64
  %d = sub i64 %b, %a
  %x = getelementptr i8, ptr %p, i64 %d
  %r = load i32, ptr %x ;~ ub out-of-bounds
  ret i32 %r
}

; An integer made from a pointer finds the object by its address.
; expect: 9
define i32 @int_round_trip() {
  %p = alloca i32
  store i32 9, ptr %p
  %a = ptrtoint ptr %p to i64
  %q = inttoptr i64 %a to ptr
  %r = load i32, ptr %q
  ret i32 %r
}

; Copying keeps pointers whole.
; expect: 4
define i32 @memcpy_pointer() {
  %a = alloca ptr
  %b = alloca ptr
  %g = getelementptr inbounds [4 x i32], ptr @words, i64 0, i64 3
  store ptr %g, ptr %a
  call void @llvm.memcpy.p0.p0.i64(ptr %b, ptr %a, i64 8, i1 false)
  %q = load ptr, ptr %b
  %r = load i32, ptr %q
  ret i32 %r
}

; Byte by byte, too.
; expect: 4
define i32 @bytewise_pointer() {
  %a = alloca ptr
  %b = alloca ptr
  %g = getelementptr inbounds [4 x i32], ptr @words, i64 0, i64 3
  store ptr %g, ptr %a
  %lo = load i32, ptr %a
  %a4 = getelementptr i8, ptr %a, i64 4
  %hi = load i32, ptr %a4
  store i32 %lo, ptr %b
  %b4 = getelementptr i8, ptr %b, i64 4
  store i32 %hi, ptr %b4
  %q = load ptr, ptr %b
  %r = load i32, ptr %q
  ret i32 %r
}

; "memcpy … the memory must not overlap" (unless equal)
define void @memcpy_overlap() {
  %p = alloca [16 x i8]
  %q = getelementptr i8, ptr %p, i64 4
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 8, i1 false) ;~ ub overlap
  ret void
}

; expect: 67305985
define i32 @memmove_overlap() {
  %p = alloca [8 x i8]
  store i32 67305985, ptr %p
  %q = getelementptr i8, ptr %p, i64 1
  call void @llvm.memmove.p0.p0.i64(ptr %q, ptr %p, i64 4, i1 false)
  %r = load i32, ptr %q, align 1
  ret i32 %r
}

define void @memset_beyond() {
  %p = alloca [8 x i8]
  call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 9, i1 false) ;~ ub out-of-bounds
  ret void
}

; A copy copies what is undefined as undefined.
; expect: undef
define i32 @memcpy_undefined() {
  %p = alloca i32
  %q = alloca i32
  store i32 1, ptr %q
  call void @llvm.memcpy.p0.p0.i64(ptr %q, ptr %p, i64 4, i1 false)
  %r = load i32, ptr %q
  ret i32 %r
}

define i32 @stackrestore_ends() {
  %s = call ptr @llvm.stacksave.p0()
  %n = freeze i64 4
  %p = alloca i32, i64 %n
  store i32 1, ptr %p
  call void @llvm.stackrestore.p0(ptr %s)
  %r = load i32, ptr %p ;~ ub use-after-scope
  ret i32 %r
}

; "!range … the result is poison if the value is outside"
; expect: poison
define i32 @load_range() {
  %p = alloca i32
  store i32 10, ptr %p
  %r = load i32, ptr %p, !range !0
  ret i32 %r
}

define i32 @load_range_noundef() {
  %p = alloca i32
  store i32 10, ptr %p
  %r = load i32, ptr %p, !range !0, !noundef !1 ;~ ub poison
  ret i32 %r
}

; expect: poison
define ptr @load_nonnull() {
  %p = alloca ptr
  store ptr null, ptr %p
  %r = load ptr, ptr %p, !nonnull !1
  ret ptr %r
}

; expect: {5, -1}
define {i32, i1} @cmpxchg_swaps() {
  %p = alloca i32
  store i32 5, ptr %p
  %r = cmpxchg ptr %p, i32 5, i32 6 seq_cst seq_cst
  ret {i32, i1} %r
}

; expect: {5, 0}
define {i32, i1} @cmpxchg_fails() {
  %p = alloca i32
  store i32 5, ptr %p
  %r = cmpxchg ptr %p, i32 4, i32 6 seq_cst seq_cst
  ret {i32, i1} %r
}

; expect: 12
define i32 @atomicrmw() {
  %p = alloca i32
  store i32 5, ptr %p
  %a = atomicrmw add ptr %p, i32 7 seq_cst
  %r = load i32, ptr %p
  ret i32 %r
}

; expect: 2.5
define double @atomicrmw_fadd() {
  %p = alloca double
  store double 1.0, ptr %p
  %a = atomicrmw fadd ptr %p, double 1.5 seq_cst
  %r = load double, ptr %p
  ret double %r
}

; Vectors of bits lie packed.
; expect: 5
define i8 @packed_vector() {
  %p = alloca i8
  %v = freeze <8 x i1> <i1 true, i1 false, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false>
  store <8 x i1> %v, ptr %p
  %r = load i8, ptr %p
  ret i8 %r
}

; expect: {-1, 0, -1}
define <3 x i1> @packed_vector_load() {
  %p = alloca i8
  store i8 5, ptr %p
  %r = load <3 x i1>, ptr %p
  ret <3 x i1> %r
}

!0 = !{i32 0, i32 10}
!1 = !{}
