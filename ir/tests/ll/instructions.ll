source_filename = "instructions.ll"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%0 = type { i32, double }
%pair = type { ptr, i64 }
%"odd name" = type <{ i8, i32 }>
%list = type { double, %pair, [3 x %0] }
%hidden = type opaque

$fold = comdat any
$"odd comdat" = comdat nodeduplicate

@0 = private unnamed_addr constant [4 x i8] c"a\\\22\00"
@1 = internal global i32 -7
@plain = global i64 42, align 8
@weak = weak_odr dso_local global double 0x3FD5555555555555, comdat($fold), align 8
@declared = external local_unnamed_addr global [0 x i8]
@tls = thread_local(initialexec) global i32 0, align 4
@tls2 = thread_local global i32 0, align 4
@"odd \22name\\" = hidden constant %"odd name" <{ i8 1, i32 -2 }>, section "my.section", align 1
@wide = global i128 -170141183460469231731687303715884105728, align 16
@half = global half 0xH3C00
@bfloat = global bfloat 0xR3F80
@f80 = global x86_fp80 0xK3FFF8000000000000000, align 16
@quad = global fp128 0xL00000000000000003FFF000000000000, align 16
@nan = global float 0x7FF8000020000000
@signalling = global float 0x7FF0000020000000
@tiny = global double 0x1
@negzero = global double -0.000000e+00
@vector = global <4 x float> <float 1.000000e+00, float 0x3FB99999A0000000, float undef, float poison>
@masks = global <2 x i1> <i1 true, i1 false>
@nested = global %list { double 1.5, %pair { ptr getelementptr inbounds (%list, ptr @nested, i64 0, i32 2, i64 1), i64 ptrtoint (ptr @plain to i64) }, [3 x %0] [%0 { i32 1, double 2.0 }, %0 zeroinitializer, %0 undef] }
@table = constant { [4 x ptr] } { [4 x ptr] [ptr null, ptr @fold, ptr @1, ptr @callee] }
@inrange = constant ptr getelementptr inbounds inrange(-16, 16) ({ [4 x ptr] }, ptr @table, i32 0, i32 0, i32 2)
@distance = constant i32 trunc (i64 sub nuw nsw (i64 ptrtoint (ptr @plain to i64), i64 ptrtoint (ptr @1 to i64)) to i32)
@sum = constant i64 add (i64 ptrtoint (ptr @plain to i64), i64 8)
@flip = constant i64 xor (i64 ptrtoint (ptr @plain to i64), i64 -1)
@address = constant ptr inttoptr (i64 4096 to ptr)
@other_space = addrspace(1) global i32 0
@cast = constant ptr addrspacecast (ptr addrspace(1) @other_space to ptr)
@empty = constant {} zeroinitializer
@external_init = externally_initialized global i32 0, no_sanitize_address
@attributed = global i32 0 #3
@llvm.used = appending global [1 x ptr] [ptr @plain], section "llvm.metadata"

@alias = internal alias i64, ptr @plain
@function_alias = dso_local unnamed_addr alias void (), ptr @own

declare i32 @variadic(ptr nocapture noundef readonly, ...) local_unnamed_addr
declare void @callee(ptr sret(%pair) align 8, ptr byval(%list) align 16 dereferenceable(64), i8 signext, i16 zeroext)
declare fastcc noundef nonnull align 8 dereferenceable_or_null(16) ptr @returns(ptr, i32 range(i32 0, 10))
declare nofpclass(nan inf) double @never_nan(double nofpclass(snan))
declare cc 42 void @numbered()
declare void @llvm.dbg.value(metadata, metadata, metadata)
declare double @llvm.experimental.constrained.fadd.f64(double, double, metadata, metadata)
declare token @llvm.experimental.gc.statepoint.p0(i64 immarg, i32 immarg, ptr, i32 immarg, i32 immarg, ...)
declare void @llvm.assume(i1 noundef)

define linkonce_odr hidden i32 @fold(i32 %"odd \22 param", i32) unnamed_addr #0 section "code" comdat align 32 gc "shadow-stack" {
  %2 = add nuw nsw i32 %"odd \22 param", %0
  br label %3

3:
  %4 = icmp sgt i32 %2, 0
  br i1 %4, label %"odd block", label %3

"odd block":
  ret i32 %2
}

define <2 x i64> @arithmetic(i64 %a, i64 %b, <2 x i64> %v, double %x, <2 x double> %w, x86_fp80 %l) #1 {
entry:
  %sub = sub nsw i64 %a, %b
  %mul = mul nuw i64 %sub, %b
  %udiv = udiv exact i64 %mul, %b
  %sdiv = sdiv i64 %udiv, -3
  %urem = urem i64 %sdiv, %b
  %srem = srem i64 %urem, 9223372036854775807
  %shl = shl nuw nsw i64 %srem, 3
  %lshr = lshr exact i64 %shl, 1
  %ashr = ashr i64 %lshr, 1
  %and = and i64 %ashr, 255
  %or = or disjoint i64 %and, 256
  %xor = xor i64 %or, -1
  %fadd = fadd fast double %x, 1.0
  %fsub = fsub nnan ninf nsz double %fadd, 0x3FD5555555555555
  %fmul = fmul arcp contract afn reassoc double %fsub, %x
  %fdiv = fdiv double %fmul, 0x7FF0000000000000
  %frem = frem double %fdiv, 0x7FF8000000000000
  %fneg = fneg nsz double %frem
  %trunc = trunc nuw nsw i64 %xor to i8
  %zext = zext nneg i8 %trunc to i128
  %sext = sext i8 %trunc to i17
  %fptrunc = fptrunc double %fneg to float
  %fpext = fpext float %fptrunc to x86_fp80
  %long = fadd x86_fp80 %fpext, 0xK40009C40000000000000
  %ui = fptoui double %x to i32
  %si = fptosi <2 x double> %w to <2 x i64>
  %uf = uitofp nneg i32 %ui to double
  %sf = sitofp <2 x i64> %si to <2 x double>
  %p = inttoptr i64 %a to ptr
  %q = ptrtoint ptr %p to i64
  %bits = bitcast double %x to i64
  %far = addrspacecast ptr %p to ptr addrspace(3)
  %cmp = icmp ule <2 x i64> %v, %si
  %fcmp = fcmp fast uno double %x, 0.0
  %never = fcmp false double %x, %x
  %sel = select nnan i1 %fcmp, double %x, double %uf
  %vsel = select <2 x i1> %cmp, <2 x i64> %v, <2 x i64> zeroinitializer
  %froz = freeze <2 x i64> %vsel
  %lane = extractelement <2 x double> %sf, i32 1
  %ins = insertelement <2 x i64> %froz, i64 %bits, i64 0
  %shuffle = shufflevector <2 x i64> %ins, <2 x i64> poison, <4 x i32> <i32 0, i32 poison, i32 1, i32 3>
  %zero = shufflevector <2 x i64> %ins, <2 x i64> poison, <2 x i32> zeroinitializer
  %pointers = getelementptr double, ptr %p, <2 x i64> %zero
  %all = getelementptr nusw nuw [4 x double], <2 x ptr> %pointers, i64 0, <2 x i64> %zero
  ret <2 x i64> %zero
}

define { i32, i1 } @memory(ptr %p, ptr addrspace(1) %far, i32 %n) {
  %slot = alloca i32, align 4
  %array = alloca [4 x double], i32 %n, align 32
  %in = alloca inalloca i64, align 8
  %v = load volatile i32, ptr %p, align 2
  %a = load atomic i32, ptr %p syncscope("singlethread") acquire, align 4
  %u = load atomic volatile i32, ptr addrspace(1) %far unordered, align 4
  store volatile i32 %v, ptr %slot, align 1
  store atomic i32 %a, ptr %p release, align 4
  fence syncscope("agent") acq_rel
  fence seq_cst
  %old = cmpxchg weak volatile ptr %p, i32 %v, i32 %u syncscope("agent") acq_rel monotonic, align 4
  %x0 = atomicrmw volatile xchg ptr %p, i32 1 seq_cst, align 4
  %x1 = atomicrmw fadd ptr %p, float 1.0 monotonic, align 4
  %x2 = atomicrmw udec_wrap ptr %p, i32 5 syncscope("agent") acquire, align 4
  %gep = getelementptr inbounds %list, ptr %p, i64 0, i32 2, i64 1, i32 1
  %val = extractvalue { i32, i1 } %old, 0
  %agg = insertvalue { i32, i1 } %old, i32 %val, 0
  %deep = insertvalue { i32, [2 x { i8, float }] } undef, float 1.0, 1, 1, 1
  %vararg = va_arg ptr %p, double
  ret { i32, i1 } %agg
}

define i32 @control(i32 %n, ptr %where) {
entry:
  switch i32 %n, label %loop [
    i32 0, label %zero
    i32 -1, label %zero
  ]

zero:
  switch i8 0, label %loop [
  ]

loop:
  %i = phi i32 [ 0, %entry ], [ 1, %zero ], [ %next, %loop ]
  %f = phi fast double [ 0.0, %entry ], [ 1.0, %zero ], [ %g, %loop ]
  %next = add i32 %i, 1
  %g = fadd double %f, 1.0
  %done = icmp eq i32 %next, %n
  br i1 %done, label %out, label %loop

out:
  indirectbr ptr %where, [label %exit, label %dead]

dead:
  unreachable

exit:
  %r = musttail call i32 @control(i32 %next, ptr %where)
  ret i32 %r
}

define void @calls(ptr %f, double %x) strictfp {
  %1 = tail call i32 (ptr, ...) @variadic(ptr noundef nonnull @0, double %x, i32 signext 5) #2
  %2 = call fast double %f(double noundef %x)
  call void @callee(ptr sret(%pair) align 8 null, ptr byval(%list) align 16 @nested, i8 signext 1, i16 zeroext 2)
  %3 = notail call fastcc nonnull ptr @returns(ptr undef, i32 3)
  call cc 42 void @numbered() nounwind
  %4 = call double @llvm.experimental.constrained.fadd.f64(double %x, double 1.0, metadata !"round.tonearest", metadata !"fpexcept.strict") strictfp
  call void @llvm.assume(i1 true) [ "align"(ptr %f, i64 32), "nonnull"(ptr %f) ]
  %5 = call ptr inttoptr (i64 64 to ptr)(i32 0)
  %6 = load i32, ptr @plain, align 4, !range !0, !my.kind !1, !odd\20kind !2
  ret void
}

define i32 @exceptions(ptr %f) personality ptr @personality {
entry:
  %r = invoke i32 %f(i32 1) noinline [ "tag"() ]
          to label %normal unwind label %unwind

normal:
  ret i32 %r

unwind:
  %l = landingpad { ptr, i32 }
          cleanup
          catch ptr null
          catch ptr @plain
          filter [1 x ptr] [ptr @plain]
  resume { ptr, i32 } %l
}

declare i32 @personality(...)

define void @own() {
  ret void
}

attributes #0 = { nounwind alignstack=16 memory(argmem: read, inaccessiblemem: readwrite) allocsize(0,1) "key" "key2"="val\22ue" }
attributes #1 = { uwtable(sync) vscale_range(1,16) allockind("alloc,zeroed") }
attributes #2 = { nounwind "call-site" }
attributes #3 = { "global"="attribute" }

!named = !{!0, !3}
!odd\20name = !{}

!0 = !{i32 0, i32 10}
!1 = distinct !{!1, null, !"string \22with\22 escapes\00", !DIExpression(DW_OP_plus_uconst, 8, DW_OP_deref), ptr @plain, double 1.0, !4}
!2 = !{}
!3 = !DIFile(filename: "a \22b\22.c", directory: "")
!4 = !{!"leaf"}
