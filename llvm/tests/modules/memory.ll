; Memory, globals, constant expressions, atomics, attributes.
source_filename = "dir/na\5Cme \22quoted\22.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.pair = type { double, i32 }
%struct.node = type { %struct.pair, ptr, [3 x float] }
%packed = type <{ i8, i32 }>
%opaque = type opaque
%"odd name" = type { { i32, <2 x double> }, %struct.pair }

$inline_global = comdat any

@zero = global %struct.node zeroinitializer, align 8
@init = internal unnamed_addr constant [2 x %struct.pair] [%struct.pair { double 1.500000e+00, i32 -3 }, %struct.pair { double 0x7FF8000000000000, i32 undef }], align 16
@text = private unnamed_addr constant [8 x i8] c"a\22\5C\0A\00\FFzz", align 1
@address = dso_local global ptr getelementptr inbounds (%struct.node, ptr @zero, i64 0, i32 2, i64 1), align 8
@difference = global i64 sub (i64 ptrtoint (ptr @zero to i64), i64 ptrtoint (ptr @init to i64))
@forward = global ptr @later
@later = external global i32, align 4
@threaded = thread_local(initialexec) global i32 0, align 4
@weakly = weak_odr hidden global i32 1, section "my section", align 4
@inline_global = linkonce_odr global i32 7, comdat, align 4
@other_space = addrspace(1) global i32 0
@functions = constant [2 x ptr] [ptr @callee, ptr null]
@"quoted global" = common global i64 0, align 8
@wide = global i128 -1
@partial = global <{ i8, [3 x i8], i32 }> <{ i8 1, [3 x i8] poison, i32 4 }>
@vector = global <4 x float> <float 1.000000e+00, float 2.000000e+00, float 3.000000e+00, float 0x3FB99999A0000000>
@same = alias i32, ptr @weakly
@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @constructor, ptr null }]

declare noalias noundef ptr @malloc(i64 noundef) #0
declare void @llvm.memcpy.p0.p0.i64(ptr noalias nocapture writeonly, ptr noalias nocapture readonly, i64, i1 immarg)
declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture)
declare void @llvm.assume(i1 noundef)
declare void @callee(ptr noalias sret(%struct.node) align 8, ptr noundef byval(%struct.pair) align 8, i32 signext range(i32 0, 10), float nofpclass(nan inf), ...) local_unnamed_addr

define internal void @constructor() {
  ret void
}

define void @memory(ptr noalias nocapture noundef nonnull align 16 dereferenceable(24) %p, ptr addrspace(1) %q, i64 %n) #1 {
entry:
  %"quoted value" = alloca %struct.node, align 8
  %array = alloca double, i64 %n, align 16
  %many = alloca [4 x i32], i32 3, align 4
  call void @llvm.lifetime.start.p0(i64 40, ptr nonnull %"quoted value")
  %0 = load double, ptr %p, align 8, !tbaa !0, !noundef !3
  %1 = load volatile i32, ptr addrspace(1) %q, align 4
  %2 = load i32, ptr %many, align 4, !range !4
  %3 = load ptr, ptr @address, align 8, !nonnull !3, !invariant.load !3
  store volatile double %0, ptr %array, align 8, !nontemporal !5
  store i32 %1, ptr @threaded, align 1
  %4 = getelementptr inbounds %struct.node, ptr %"quoted value", i64 0, i32 2, i64 %n
  %5 = getelementptr nusw nuw i8, ptr %4, i64 -4
  %6 = getelementptr nuw i8, ptr %5, i64 4
  %7 = getelementptr %"odd name", ptr %6, i64 1, i32 1, i32 0
  %8 = addrspacecast ptr %7 to ptr addrspace(1)
  %9 = ptrtoint ptr addrspace(1) %8 to i64
  %10 = inttoptr i64 %9 to ptr
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %10, ptr nonnull align 4 %4, i64 12, i1 false), !tbaa.struct !6
  %11 = load atomic i64, ptr %10 syncscope("singlethread") acquire, align 8
  store atomic i64 %11, ptr %10 seq_cst, align 8
  fence syncscope("agent") acq_rel
  fence seq_cst
  %12 = cmpxchg weak volatile ptr %10, i64 %11, i64 1 acq_rel monotonic, align 8
  %13 = cmpxchg ptr %10, i64 %11, i64 1 syncscope("one-as") seq_cst acquire, align 16
  %14 = atomicrmw fadd ptr %10, double 1.000000e+00 monotonic, align 8
  %15 = atomicrmw volatile uinc_wrap ptr %10, i32 4 syncscope("agent") seq_cst, align 4
  %16 = atomicrmw nand ptr %10, i8 4 release, align 1
  %17 = atomicrmw xchg ptr %10, ptr null acquire, align 8
  %18 = extractvalue { i64, i1 } %12, 1
  %19 = insertvalue { i64, i1 } %13, i1 %18, 1
  %20 = insertvalue { [2 x { i8, float }], i32 } poison, float 2.500000e-01, 0, 1, 1
  %21 = tail call ptr @malloc(i64 noundef 16) #2
  call void (ptr, ptr, i32, float, ...) @callee(ptr sret(%struct.node) align 8 %"quoted value", ptr byval(%struct.pair) align 8 %21, i32 signext 3, float nofpclass(nan inf) 1.000000e+00, double %0, i64 %n)
  call void @llvm.assume(i1 true) [ "align"(ptr %p, i64 16), "nonnull"(ptr %21) ]
  ret void
}

define linkonce_odr fastcc ptr @conventions(ptr %f, i32 inreg %x) unnamed_addr comdat($inline_global) gc "statepoint-example" personality ptr @personality {
  %r = musttail call fastcc ptr %f(ptr %f, i32 inreg %x)
  ret ptr %r
}

declare i32 @personality(...)

attributes #0 = { mustprogress nofree nounwind willreturn allockind("alloc,uninitialized") allocsize(0) memory(inaccessiblemem: readwrite) "alloc-family"="malloc" "quoted attr" }
attributes #1 = { nounwind memory(argmem: readwrite, inaccessiblemem: write) uwtable(sync) vscale_range(1,16) alignstack=16 "key"="va\\lue" }
attributes #2 = { nounwind allocsize(0) }

!0 = !{!1, !1, i64 0}
!1 = !{!"double", !2, i64 0}
!2 = !{!"Simple C/C++ TBAA"}
!3 = !{}
!4 = !{i32 0, i32 10, i32 20, i32 30}
!5 = !{i32 1}
!6 = !{i64 0, i64 8, !0, i64 8, i64 4, !0}
