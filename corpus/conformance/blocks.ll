; Memory intrinsics: copies, fills, lifetimes, stack, pointers.

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memcpy.inline.p0.p0.i64(ptr, ptr, i64 immarg, i1 immarg)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.memset.inline.p0.i64(ptr, i8, i64 immarg, i1 immarg)
declare void @llvm.lifetime.start.p0(i64, ptr)
declare void @llvm.lifetime.end.p0(i64, ptr)
declare ptr @llvm.stacksave.p0()
declare void @llvm.stackrestore.p0(ptr)
declare ptr @llvm.ptrmask.p0.i64(ptr, i64)
declare ptr @llvm.launder.invariant.group.p0(ptr)
declare ptr @llvm.strip.invariant.group.p0(ptr)
declare i64 @llvm.objectsize.i64.p0(ptr, i1, i1, i1)
declare i1 @llvm.is.constant.i32(i32)
declare i64 @llvm.expect.i64(i64, i64)
declare i32 @llvm.expect.with.probability.i32(i32, i32, double)
declare ptr @llvm.invariant.start.p0(i64, ptr)
declare void @llvm.invariant.end.p0(ptr, i64, ptr)
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
declare i32 @llvm.ssa.copy.i32(i32)
declare ptr @llvm.threadlocal.address.p0(ptr)
declare ptr @llvm.load.relative.i64(ptr, i64)
@words = global [4 x i32] [i32 1, i32 2, i32 3, i32 4]
@tls = thread_local global i32 5

; "The 'llvm.memcpy.inline' intrinsic copies a block of memory from the source location to the destination … and
; guarantees that no external functions are called."
; expect: 105
define i8 @memcpy_inline() {
  %a = alloca [16 x i8], align 16
  store [16 x i8] c"abcdefghijklmnop", ptr %a
  %b = getelementptr i8, ptr %a, i64 8
  call void @llvm.memcpy.inline.p0.p0.i64(ptr %a, ptr %b, i64 4, i1 false)
  %r = load i8, ptr %a
  ret i8 %r
}

; "… which must either be equal or non-overlapping" (memcpy): equal is allowed.
; expect: 97
define i8 @memcpy_onto_itself() {
  %a = alloca [16 x i8], align 16
  store [16 x i8] c"abcdefghijklmnop", ptr %a
  call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr %a, i64 16, i1 false)
  %r = load i8, ptr %a
  ret i8 %r
}

define void @memcpy_inline_overlap() {
  %a = alloca [16 x i8], align 16
  store [16 x i8] c"abcdefghijklmnop", ptr %a
  %b = getelementptr i8, ptr %a, i64 1
  call void @llvm.memcpy.inline.p0.p0.i64(ptr %a, ptr %b, i64 4, i1 false) ;~ ub overlap
  ret void
}

; "If <len> is 0, it is no-op modulo the behavior of attributes attached to the arguments."
; expect: 1
define i32 @memcpy_nothing() {
  call void @llvm.memcpy.p0.p0.i64(ptr null, ptr null, i64 0, i1 false)
  ret i32 1
}

; expect: 1
define i32 @memset_nothing() {
  call void @llvm.memset.p0.i64(ptr null, i8 0, i64 0, i1 false)
  ret i32 1
}

; The align attribute of an argument is a promise about its address.
define void @memcpy_misaligned() {
  %a = alloca [16 x i8], align 16
  store [16 x i8] c"abcdefghijklmnop", ptr %a
  %b = getelementptr i8, ptr %a, i64 9
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %a, ptr align 8 %b, i64 4, i1 false) ;~ ub misaligned
  ret void
}

define void @memset_misaligned() {
  %a = alloca [16 x i8], align 16
  store [16 x i8] c"abcdefghijklmnop", ptr %a
  %b = getelementptr i8, ptr %a, i64 9
  call void @llvm.memset.p0.i64(ptr align 4 %b, i8 0, i64 4, i1 false) ;~ ub misaligned
  ret void
}

; Copies and fills stay inside their objects, on either side.
define void @memcpy_reads_beyond() {
  %a = alloca [16 x i8], align 16
  store [16 x i8] c"abcdefghijklmnop", ptr %a
  %b = alloca [32 x i8]
  call void @llvm.memcpy.p0.p0.i64(ptr %b, ptr %a, i64 17, i1 false) ;~ ub out-of-bounds
  ret void
}

define void @memmove_writes_beyond() {
  %a = alloca [16 x i8], align 16
  store [16 x i8] c"abcdefghijklmnop", ptr %a
  %b = alloca [8 x i8]
  call void @llvm.memmove.p0.p0.i64(ptr %b, ptr %a, i64 9, i1 false) ;~ ub out-of-bounds
  ret void
}

define void @memcpy_of_null() {
  %a = alloca [16 x i8], align 16
  store [16 x i8] c"abcdefghijklmnop", ptr %a
  call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr null, i64 1, i1 false) ;~ ub null-pointer
  ret void
}

; expect: 104
define i8 @memmove_overlap() {
  %a = alloca [16 x i8], align 16
  store [16 x i8] c"abcdefghijklmnop", ptr %a
  %b = getelementptr i8, ptr %a, i64 1
  call void @llvm.memmove.p0.p0.i64(ptr %b, ptr %a, i64 8, i1 false)
  %c = getelementptr i8, ptr %a, i64 8
  %r = load i8, ptr %c
  ret i8 %r
}

; expect: 16843009
define i32 @memset_inline() {
  %a = alloca [16 x i8], align 16
  store [16 x i8] c"abcdefghijklmnop", ptr %a
  call void @llvm.memset.inline.p0.i64(ptr %a, i8 1, i64 4, i1 false)
  %r = load i32, ptr %a
  ret i32 %r
}

; expect: poison
define i8 @memset_poison_byte() {
  %a = alloca [16 x i8], align 16
  store [16 x i8] c"abcdefghijklmnop", ptr %a
  call void @llvm.memset.p0.i64(ptr %a, i8 poison, i64 4, i1 false)
  %r = load i8, ptr %a
  ret i8 %r
}

; "A stack-allocated object … is alive initially if no llvm.lifetime.start refers to it"; "calling llvm.lifetime.end
; on an already dead alloca is no-op"; after lifetime.start its contents are undefined.
; expect: undef
define i32 @lifetime_contents_gone() {
  %p = alloca i32
  store i32 1, ptr %p
  call void @llvm.lifetime.start.p0(i64 4, ptr %p)
  %r = load i32, ptr %p
  ret i32 %r
}

define void @lifetime_store_after_end() {
  %p = alloca i32
  call void @llvm.lifetime.start.p0(i64 4, ptr %p)
  call void @llvm.lifetime.end.p0(i64 4, ptr %p)
  store i32 1, ptr %p ;~ ub use-after-scope
  ret void
}

; expect: 3
define i32 @lifetime_end_twice() {
  %p = alloca i32
  call void @llvm.lifetime.end.p0(i64 4, ptr %p)
  call void @llvm.lifetime.end.p0(i64 4, ptr %p)
  ret i32 3
}

; "… any alloca blocks from the stack that were allocated after the llvm.stacksave was executed" are freed by
; stackrestore; those before are not.
; expect: 6
define i32 @stackrestore_keeps_older() {
  %p = alloca i32
  store i32 6, ptr %p
  %s = call ptr @llvm.stacksave.p0()
  %q = alloca i32
  store i32 7, ptr %q
  call void @llvm.stackrestore.p0(ptr %s)
  %r = load i32, ptr %p
  ret i32 %r
}

define i32 @stackrestore_ends_newer() {
  %s = call ptr @llvm.stacksave.p0()
  %q = alloca i32
  store i32 7, ptr %q
  call void @llvm.stackrestore.p0(ptr %s)
  %r = load i32, ptr %q ;~ ub use-after-scope
  ret i32 %r
}

; "The result of ptrmask(%ptr, %mask) is equivalent to" masking the address and stepping to it with getelementptr: it
; stays in the object.
; expect: 2
define i32 @ptrmask() {
  %p = getelementptr i8, ptr @words, i64 7
  %q = call ptr @llvm.ptrmask.p0.i64(ptr %p, i64 -4)
  %r = load i32, ptr %q
  ret i32 %r
}

define i32 @ptrmask_away() {
  %q = call ptr @llvm.ptrmask.p0.i64(ptr @words, i64 255)
  %r = load i32, ptr %q ;~ ub out-of-bounds
  ret i32 %r
}

define ptr @ptrmask_poison() {
  %m = add nuw i64 -1, 1 ;~ poison
  %q = call ptr @llvm.ptrmask.p0.i64(ptr @words, i64 %m)
  ret ptr %q
}

; launder and strip: "returns … a pointer which aliases its argument"; expect "returns its first argument"; prefetch
; "has no effect on behaviour".
; expect: 1
define i32 @launder() {
  %q = call ptr @llvm.launder.invariant.group.p0(ptr @words)
  %s = call ptr @llvm.strip.invariant.group.p0(ptr %q)
  %r = load i32, ptr %s
  ret i32 %r
}

; expect: 7
define i64 @expect() {
  %r = call i64 @llvm.expect.i64(i64 7, i64 1)
  ret i64 %r
}

; expect: 1
define i32 @prefetch_of_nothing() {
  call void @llvm.prefetch.p0(ptr null, i32 0, i32 3, i32 1)
  ret i32 1
}

; expect: 5
define i32 @thread_local() {
  %p = call ptr @llvm.threadlocal.address.p0(ptr @tls)
  %r = load i32, ptr %p
  ret i32 %r
}

; expect: 1
define i32 @invariant_region() {
  %i = call ptr @llvm.invariant.start.p0(i64 4, ptr @words)
  %r = load i32, ptr @words
  call void @llvm.invariant.end.p0(ptr %i, i64 4, ptr @words)
  ret i32 %r
}

; open: an optimiser may know more.
; "If the size cannot be determined, llvm.objectsize returns i32/i64 -1 or 0 (depending on the min argument)": an
; execution never determines it.
; expect: -1
define i64 @objectsize_most() {
  %r = call i64 @llvm.objectsize.i64.p0(ptr @words, i1 false, i1 true, i1 false)
  ret i64 %r
}

; open: an optimiser may know more.
; expect: 0
define i64 @objectsize_least() {
  %r = call i64 @llvm.objectsize.i64.p0(ptr @words, i1 true, i1 true, i1 false)
  ret i64 %r
}
