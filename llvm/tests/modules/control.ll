; Control flow, exceptions, vectors, varargs.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@type_info = external constant ptr

declare i32 @__gxx_personality_v0(...)
declare i32 @throws(i32, ...)
declare void @llvm.va_start.p0(ptr)
declare <4 x double> @llvm.masked.load.v4f64.p0(ptr nocapture, i32 immarg, <4 x i1>, <4 x double>)

define i32 @branches(i32 %x, double %d) {
  switch i32 %x, label %3 [
    i32 0, label %1
    i32 -7, label %2
    i32 9, label %1
  ], !prof !0

1:
  br i1 true, label %2, label %3, !prof !1

2:
  %p = phi i32 [ 1, %0 ], [ %x, %1 ]
  br label %loop

loop:
  %i = phi i32 [ 0, %2 ], [ %next, %loop ]
  %s = phi fast double [ 0.000000e+00, %2 ], [ %sum, %loop ]
  %sum = fadd fast double %s, %d
  %next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %next, %p
  br i1 %more, label %loop, label %out, !llvm.loop !2

out:
  %n = fptosi double %sum to i32
  ret i32 %n

3:
  unreachable

dead:
  %later = add i32 %circular, 1
  %circular = add i32 %later, 1
  br label %dead
}

define i32 @exceptions(i32 %x) personality ptr @__gxx_personality_v0 {
entry:
  %r = invoke i32 (i32, ...) @throws(i32 %x, double 1.000000e+00)
          to label %fine unwind label %caught

fine:
  ret i32 %r

caught:
  %pad = landingpad { ptr, i32 }
          cleanup
          catch ptr @type_info
          catch ptr null
          filter [1 x ptr] [ptr @type_info]
  %selector = extractvalue { ptr, i32 } %pad, 1
  %known = icmp eq i32 %selector, 1
  br i1 %known, label %fine2, label %again

fine2:
  ret i32 0

again:
  resume { ptr, i32 } %pad
}

define double @varargs(i32 %n, ...) {
  %list = alloca [24 x i8], align 16
  call void @llvm.va_start.p0(ptr %list)
  %v = va_arg ptr %list, double
  ret double %v
}

define <4 x double> @vectors(<4 x double> %a, <2 x double> %b, ptr %p, i32 %i, <4 x i1> %m) {
  %1 = shufflevector <2 x double> %b, <2 x double> poison, <4 x i32> <i32 0, i32 1, i32 poison, i32 1>
  %2 = shufflevector <4 x double> %a, <4 x double> %1, <4 x i32> <i32 0, i32 5, i32 2, i32 7>
  %3 = shufflevector <4 x double> %2, <4 x double> poison, <4 x i32> zeroinitializer
  %4 = fmul <4 x double> %3, <double 2.000000e+00, double 2.000000e+00, double 2.000000e+00, double 2.000000e+00>
  %5 = insertelement <4 x double> %4, double 1.000000e+00, i64 2
  %6 = extractelement <4 x double> %5, i32 %i
  %7 = insertelement <4 x double> %5, double %6, i32 %i
  %8 = fcmp ogt <4 x double> %7, zeroinitializer
  %9 = select <4 x i1> %8, <4 x double> %7, <4 x double> %a
  %10 = call <4 x double> @llvm.masked.load.v4f64.p0(ptr %p, i32 8, <4 x i1> %m, <4 x double> %9)
  %11 = getelementptr double, ptr %p, <4 x i64> <i64 0, i64 1, i64 2, i64 3>
  %12 = ptrtoint <4 x ptr> %11 to <4 x i64>
  %13 = sitofp <4 x i64> %12 to <4 x double>
  %14 = add <4 x i64> %12, <i64 1, i64 undef, i64 poison, i64 -1>
  %15 = bitcast <4 x i64> %14 to <4 x double>
  %16 = fadd <4 x double> %13, %15
  %17 = fsub <4 x double> %16, %10
  ret <4 x double> %17
}

!0 = !{!"branch_weights", i32 1, i32 2, i32 3, i32 4}
!1 = !{!"branch_weights", !"expected", i32 2000, i32 1}
!2 = distinct !{!2, !3, !4}
!3 = !{!"llvm.loop.mustprogress"}
!4 = !{!"llvm.loop.unroll.count", i32 4}
