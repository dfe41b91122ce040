; Constants of which it is not known what they are, as a block without active numbers holds `float`s and `double`s at the
; same place, overwrite memory of the caller of which nothing else tells what lies there.
;
; // adj-levels: O0
; // adj-exit: 3
; // adj-message: the type of the moved data is not known
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@x_0_0 = global [4 x double] [double 0xBFCAF94F536BFF74, double 1.064000e-01, double 0xBFE82D543DB68B89, double 0x3FE5F3B645A1CAC0], align 16
@dx_0_0 = global [4 x double] [double -6.514000e-01, double 3.164000e-01, double 0x3FA1BFD44F307826, double 0x3FC21DC3A6FAF2C1], align 16

define void @f_0(ptr %0, double %1) {
  %3 = call ptr @malloc(i64 80)
  br label %4

4:
  %5 = phi i64 [ 0, %2 ], [ %9, %6 ]
  br i1 false, label %6, label %10

6:
  %7 = mul i64 %5, 3
  %8 = getelementptr inbounds float, ptr %3, i64 %7
  store float 0x3FDA9FBE80000000, ptr %8, align 4
  %9 = add i64 %5, 1
  br label %4

10:
  %11 = getelementptr inbounds i8, ptr %3, i64 16
  %12 = alloca [80 x i8], align 16
  %13 = call ptr @malloc(i64 88)
  call void @llvm.memcpy.p0.p0.i64(ptr %13, ptr %3, i64 80, i1 false)
  %14 = getelementptr inbounds i8, ptr %13, i64 8
  call void @llvm.memmove.p0.p0.i64(ptr %14, ptr %13, i64 80, i1 false)
  call void @llvm.memmove.p0.p0.i64(ptr %12, ptr %14, i64 80, i1 false)
  %15 = getelementptr inbounds i8, ptr %12, i64 16
  %16 = getelementptr inbounds double, ptr %11, i64 6
  %17 = load double, ptr %16, align 8
  %18 = getelementptr inbounds double, ptr %15, i8 6
  call void @llvm.memmove.p0.p0.i64(ptr %0, ptr %18, i64 16, i1 false)
  ret void
}

declare ptr @malloc(i64)

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)

define void @run_0() {
  %1 = call double (...) @__enzyme_autodiff_0(ptr @f_0, metadata !"enzyme_dup", ptr @x_0_0, ptr @dx_0_0, double -7.060000e-01)
  ret void
}

declare double @__enzyme_autodiff_0(...)

define i32 @main(i32 %0, ptr %1) {
  %3 = icmp slt i32 %0, 2
  br i1 %3, label %8, label %4

4:
  %5 = getelementptr inbounds ptr, ptr %1, i64 1
  %6 = load ptr, ptr %5, align 8
  %7 = call i32 @atoi(ptr %6)
  br label %8

8:
  %9 = phi i32 [ -1, %2 ], [ %7, %4 ]
  %10 = icmp eq i32 %9, 0
  %11 = icmp eq i32 %9, -1
  %12 = or i1 %10, %11
  br i1 %12, label %13, label %14

13:
  call void @run_0()
  br label %14

14:
  ret i32 0
}

declare i32 @atoi(ptr)

