; Masked vector memory access.

@four = global [4 x i32] [i32 10, i32 20, i32 30, i32 40]
@doubles = global [3 x double] [double 1.5, double 2.5, double 3.5]
declare <4 x i32> @llvm.masked.load.v4i32.p0(ptr, i32, <4 x i1>, <4 x i32>)
declare void @llvm.masked.store.v4i32.p0(<4 x i32>, ptr, i32, <4 x i1>)
declare <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr>, i32, <4 x i1>, <4 x i32>)
declare void @llvm.masked.scatter.v4i32.v4p0(<4 x i32>, <4 x ptr>, i32, <4 x i1>)
declare <4 x i32> @llvm.masked.expandload.v4i32(ptr, <4 x i1>, <4 x i32>)
declare void @llvm.masked.compressstore.v4i32(<4 x i32>, ptr, <4 x i1>)
declare <3 x double> @llvm.masked.load.v3f64.p0(ptr, i32, <3 x i1>, <3 x double>)

; "Reads a vector from memory according to the provided mask. … The masked-off lanes in the result vector are taken
; from the corresponding lanes of the passthru argument."
; expect: {10, 2, 30, 4}
define <4 x i32> @masked_load() {
  %r = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr @four, i32 4, <4 x i1> <i1 true, i1 false, i1 true, i1 false>, <4 x i32> <i32 1, i32 2, i32 3, i32 4>)
  ret <4 x i32> %r
}

; expect: {10, poison, 30, poison}
define <4 x i32> @masked_load_poison_passthru() {
  %r = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr @four, i32 4, <4 x i1> <i1 true, i1 false, i1 true, i1 false>, <4 x i32> poison)
  ret <4 x i32> %r
}

; expect: {0, 2.5, 3.5}
define <3 x double> @masked_load_doubles() {
  %r = call <3 x double> @llvm.masked.load.v3f64.p0(ptr @doubles, i32 8, <3 x i1> <i1 false, i1 true, i1 true>, <3 x double> zeroinitializer)
  ret <3 x double> %r
}

; "The memory addresses corresponding to the 'off' lanes are not accessed."
; expect: {30, 40, 0, 0}
define <4 x i32> @masked_load_beyond_but_off() {
  %p = getelementptr i32, ptr @four, i64 2
  %r = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr %p, i32 4, <4 x i1> <i1 true, i1 true, i1 false, i1 false>, <4 x i32> zeroinitializer)
  ret <4 x i32> %r
}

define <4 x i32> @masked_load_beyond() {
  %p = getelementptr i32, ptr @four, i64 2
  %r = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr %p, i32 4, <4 x i1> <i1 true, i1 true, i1 true, i1 false>, <4 x i32> zeroinitializer) ;~ ub out-of-bounds
  ret <4 x i32> %r
}

; expect: {1, 2, 3, 4}
define <4 x i32> @masked_load_null_all_off() {
  %r = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr null, i32 4, <4 x i1> zeroinitializer, <4 x i32> <i32 1, i32 2, i32 3, i32 4>)
  ret <4 x i32> %r
}

define <4 x i32> @masked_load_misaligned() {
  %p = getelementptr i8, ptr @four, i64 2
  %r = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr %p, i32 4, <4 x i1> <i1 true, i1 false, i1 false, i1 false>, <4 x i32> zeroinitializer) ;~ ub misaligned
  ret <4 x i32> %r
}

define <4 x i32> @masked_load_poison_mask() {
  %r = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr @four, i32 4, <4 x i1> <i1 true, i1 poison, i1 false, i1 false>, <4 x i32> zeroinitializer) ;~ ub poison
  ret <4 x i32> %r
}

; "Writes a vector to memory according to the provided mask. The mask … specifies which lanes are stored."
; expect: {5, 0, 7, 0}
define <4 x i32> @masked_store() {
  %p = alloca [4 x i32], align 16
  store <4 x i32> zeroinitializer, ptr %p
  call void @llvm.masked.store.v4i32.p0(<4 x i32> <i32 5, i32 6, i32 7, i32 8>, ptr %p, i32 16, <4 x i1> <i1 true, i1 false, i1 true, i1 false>)
  %r = load <4 x i32>, ptr %p
  ret <4 x i32> %r
}

; expect: {5, undef, 7, undef}
define <4 x i32> @masked_store_leaves_the_rest() {
  %p = alloca [4 x i32], align 16
  call void @llvm.masked.store.v4i32.p0(<4 x i32> <i32 5, i32 6, i32 7, i32 8>, ptr %p, i32 16, <4 x i1> <i1 true, i1 false, i1 true, i1 false>)
  %r = load <4 x i32>, ptr %p
  ret <4 x i32> %r
}

define void @masked_store_beyond() {
  %p = alloca [3 x i32], align 16
  call void @llvm.masked.store.v4i32.p0(<4 x i32> zeroinitializer, ptr %p, i32 4, <4 x i1> <i1 true, i1 true, i1 true, i1 true>) ;~ ub out-of-bounds
  ret void
}

; "The semantics of this operation are equivalent to a sequence of conditional scalar loads" (gather), "scalar stores
; … from the least-significant to the most-significant element" (scatter).
; expect: {40, 10, 0, 20}
define <4 x i32> @gather() {
  %b = getelementptr i32, ptr @four, i64 0
  %p0 = getelementptr i32, ptr %b, i64 3
  %v0 = insertelement <4 x ptr> poison, ptr %p0, i32 0
  %p1 = getelementptr i32, ptr %b, i64 0
  %v1 = insertelement <4 x ptr> %v0, ptr %p1, i32 1
  %p2 = getelementptr i32, ptr %b, i64 9
  %v2 = insertelement <4 x ptr> %v1, ptr %p2, i32 2
  %p3 = getelementptr i32, ptr %b, i64 1
  %v3 = insertelement <4 x ptr> %v2, ptr %p3, i32 3
  %r = call <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr> %v3, i32 4, <4 x i1> <i1 true, i1 true, i1 false, i1 true>, <4 x i32> zeroinitializer)
  ret <4 x i32> %r
}

define <4 x i32> @gather_beyond() {
  %b = getelementptr i32, ptr @four, i64 0
  %p0 = getelementptr i32, ptr %b, i64 3
  %v0 = insertelement <4 x ptr> poison, ptr %p0, i32 0
  %p1 = getelementptr i32, ptr %b, i64 0
  %v1 = insertelement <4 x ptr> %v0, ptr %p1, i32 1
  %p2 = getelementptr i32, ptr %b, i64 9
  %v2 = insertelement <4 x ptr> %v1, ptr %p2, i32 2
  %p3 = getelementptr i32, ptr %b, i64 1
  %v3 = insertelement <4 x ptr> %v2, ptr %p3, i32 3
  %r = call <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr> %v3, i32 4, <4 x i1> <i1 true, i1 true, i1 true, i1 true>, <4 x i32> zeroinitializer) ;~ ub out-of-bounds
  ret <4 x i32> %r
}

; expect: {10, 0, 0, 0}
define <4 x i32> @gather_poison_address_off() {
  %v = insertelement <4 x ptr> poison, ptr @four, i32 0
  %r = call <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr> %v, i32 4, <4 x i1> <i1 true, i1 false, i1 false, i1 false>, <4 x i32> zeroinitializer)
  ret <4 x i32> %r
}

; expect: 3
define i32 @scatter_last_wins() {
  %b = alloca [4 x i32]
  store [4 x i32] zeroinitializer, ptr %b
  %p0 = getelementptr i32, ptr %b, i64 2
  %v0 = insertelement <4 x ptr> poison, ptr %p0, i32 0
  %p1 = getelementptr i32, ptr %b, i64 2
  %v1 = insertelement <4 x ptr> %v0, ptr %p1, i32 1
  %p2 = getelementptr i32, ptr %b, i64 2
  %v2 = insertelement <4 x ptr> %v1, ptr %p2, i32 2
  %p3 = getelementptr i32, ptr %b, i64 0
  %v3 = insertelement <4 x ptr> %v2, ptr %p3, i32 3
  call void @llvm.masked.scatter.v4i32.v4p0(<4 x i32> <i32 1, i32 2, i32 3, i32 4>, <4 x ptr> %v3, i32 4, <4 x i1> <i1 true, i1 true, i1 true, i1 true>)
  %q = getelementptr i32, ptr %b, i64 2
  %r = load i32, ptr %q
  ret i32 %r
}

; expect: 2
define i32 @scatter_masked() {
  %b = alloca [4 x i32]
  store [4 x i32] zeroinitializer, ptr %b
  %p0 = getelementptr i32, ptr %b, i64 2
  %v0 = insertelement <4 x ptr> poison, ptr %p0, i32 0
  %p1 = getelementptr i32, ptr %b, i64 2
  %v1 = insertelement <4 x ptr> %v0, ptr %p1, i32 1
  %p2 = getelementptr i32, ptr %b, i64 2
  %v2 = insertelement <4 x ptr> %v1, ptr %p2, i32 2
  %p3 = getelementptr i32, ptr %b, i64 0
  %v3 = insertelement <4 x ptr> %v2, ptr %p3, i32 3
  call void @llvm.masked.scatter.v4i32.v4p0(<4 x i32> <i32 1, i32 2, i32 3, i32 4>, <4 x ptr> %v3, i32 4, <4 x i1> <i1 true, i1 true, i1 false, i1 true>)
  %q = getelementptr i32, ptr %b, i64 2
  %r = load i32, ptr %q
  ret i32 %r
}

; "Reads a number of scalar values sequentially from memory location provided in 'ptr' and spreads them in a vector. …
; The number of elements read from memory is equal to the number of '1' bits in the mask."
; expect: {1, 10, 3, 20}
define <4 x i32> @expandload() {
  %r = call <4 x i32> @llvm.masked.expandload.v4i32(ptr @four, <4 x i1> <i1 false, i1 true, i1 false, i1 true>, <4 x i32> <i32 1, i32 2, i32 3, i32 4>)
  ret <4 x i32> %r
}

; expect: {0, 0, 0, 40}
define <4 x i32> @expandload_reads_no_more() {
  %p = getelementptr i32, ptr @four, i64 3
  %r = call <4 x i32> @llvm.masked.expandload.v4i32(ptr %p, <4 x i1> <i1 false, i1 false, i1 false, i1 true>, <4 x i32> zeroinitializer)
  ret <4 x i32> %r
}

define <4 x i32> @expandload_beyond() {
  %p = getelementptr i32, ptr @four, i64 3
  %r = call <4 x i32> @llvm.masked.expandload.v4i32(ptr %p, <4 x i1> <i1 false, i1 false, i1 true, i1 true>, <4 x i32> zeroinitializer) ;~ ub out-of-bounds
  ret <4 x i32> %r
}

; "The align parameter attribute can be provided for the first argument. The pointer alignment defaults to 1."
; expect: 77
define i32 @expandload_unaligned() {
  %b = alloca [8 x i8]
  %p = getelementptr i8, ptr %b, i64 1
  store i32 77, ptr %p, align 1
  %v = call <4 x i32> @llvm.masked.expandload.v4i32(ptr %p, <4 x i1> <i1 true, i1 false, i1 false, i1 false>, <4 x i32> zeroinitializer)
  %r = extractelement <4 x i32> %v, i32 0
  ret i32 %r
}

define <4 x i32> @expandload_promised_alignment() {
  %p = getelementptr i8, ptr @four, i64 2
  %r = call <4 x i32> @llvm.masked.expandload.v4i32(ptr align 4 %p, <4 x i1> <i1 true, i1 false, i1 false, i1 false>, <4 x i32> zeroinitializer) ;~ ub misaligned
  ret <4 x i32> %r
}

; "All selected elements are written into adjacent memory addresses starting at address 'ptr', from lower to higher."
; expect: {6, 8, 0, 0}
define <4 x i32> @compressstore() {
  %p = alloca [4 x i32], align 16
  store <4 x i32> zeroinitializer, ptr %p
  call void @llvm.masked.compressstore.v4i32(<4 x i32> <i32 5, i32 6, i32 7, i32 8>, ptr %p, <4 x i1> <i1 false, i1 true, i1 false, i1 true>)
  %r = load <4 x i32>, ptr %p
  ret <4 x i32> %r
}

; expect: 7
define i32 @compressstore_fits_what_is_selected() {
  %p = alloca i32
  call void @llvm.masked.compressstore.v4i32(<4 x i32> <i32 5, i32 6, i32 7, i32 8>, ptr %p, <4 x i1> <i1 false, i1 false, i1 true, i1 false>)
  %r = load i32, ptr %p
  ret i32 %r
}

define void @compressstore_beyond() {
  %p = alloca i32
  call void @llvm.masked.compressstore.v4i32(<4 x i32> <i32 5, i32 6, i32 7, i32 8>, ptr %p, <4 x i1> <i1 true, i1 false, i1 true, i1 false>) ;~ ub out-of-bounds
  ret void
}
