; The kernels of the benchmark as clang 19 compiles them at -O1, without metadata and attributes.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
define dso_local double @dot(i32 noundef %0, i32 noundef %1) {
  %3 = alloca [1000 x double], align 16
  %4 = alloca [1000 x double], align 16
  call void @llvm.lifetime.start.p0(i64 8000, ptr nonnull %3)
  call void @llvm.lifetime.start.p0(i64 8000, ptr nonnull %4)
  %5 = icmp sgt i32 %0, 0
  br i1 %5, label %6, label %8
6:
  %7 = zext nneg i32 %0 to i64
  br label %13
8:
  %9 = icmp sgt i32 %1, 0
  br i1 %9, label %10, label %31
10:
  %11 = icmp sgt i32 %0, 0
  %12 = zext nneg i32 %0 to i64
  br label %28
13:
  %14 = phi i64 [ 0, %6 ], [ %26, %13 ]
  %15 = phi i32 [ 1, %6 ], [ %22, %13 ]
  %16 = mul i32 %15, 1664525
  %17 = add i32 %16, 1013904223
  %18 = uitofp i32 %17 to double
  %19 = fmul double %18, 0x3DF0000000000000
  %20 = getelementptr inbounds [1000 x double], ptr %3, i64 0, i64 %14
  store double %19, ptr %20, align 8
  %21 = mul i32 %17, 1664525
  %22 = add i32 %21, 1013904223
  %23 = uitofp i32 %22 to double
  %24 = fmul double %23, 0x3DF0000000000000
  %25 = getelementptr inbounds [1000 x double], ptr %4, i64 0, i64 %14
  store double %24, ptr %25, align 8
  %26 = add nuw nsw i64 %14, 1
  %27 = icmp eq i64 %26, %7
  br i1 %27, label %8, label %13
28:
  %29 = phi i32 [ 0, %10 ], [ %35, %33 ]
  %30 = phi double [ 0.000000e+00, %10 ], [ %34, %33 ]
  br i1 %11, label %37, label %33
31:
  %32 = phi double [ 0.000000e+00, %8 ], [ %34, %33 ]
  call void @llvm.lifetime.end.p0(i64 8000, ptr nonnull %4)
  call void @llvm.lifetime.end.p0(i64 8000, ptr nonnull %3)
  ret double %32
33:
  %34 = phi double [ %30, %28 ], [ %44, %37 ]
  %35 = add nuw nsw i32 %29, 1
  %36 = icmp eq i32 %35, %1
  br i1 %36, label %31, label %28
37:
  %38 = phi i64 [ %45, %37 ], [ 0, %28 ]
  %39 = phi double [ %44, %37 ], [ %30, %28 ]
  %40 = getelementptr inbounds [1000 x double], ptr %3, i64 0, i64 %38
  %41 = load double, ptr %40, align 8
  %42 = getelementptr inbounds [1000 x double], ptr %4, i64 0, i64 %38
  %43 = load double, ptr %42, align 8
  %44 = tail call double @llvm.fmuladd.f64(double %41, double %43, double %39)
  %45 = add nuw nsw i64 %38, 1
  %46 = icmp eq i64 %45, %12
  br i1 %46, label %33, label %37
}
declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture)
declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture)
declare double @llvm.fmuladd.f64(double, double, double)
define dso_local double @stencil(i32 noundef %0, i32 noundef %1) {
  %3 = alloca [1000 x double], align 16
  %4 = alloca [1000 x double], align 16
  call void @llvm.lifetime.start.p0(i64 8000, ptr nonnull %3)
  call void @llvm.lifetime.start.p0(i64 8000, ptr nonnull %4)
  %5 = icmp sgt i32 %0, 0
  br i1 %5, label %6, label %10
6:
  %7 = lshr i32 %0, 1
  %8 = zext nneg i32 %7 to i64
  %9 = zext nneg i32 %0 to i64
  br label %15
10:
  %11 = icmp sgt i32 %0, 0
  br i1 %11, label %12, label %22
12:
  %13 = zext nneg i32 %0 to i64
  %14 = shl nuw nsw i64 %13, 3
  call void @llvm.memset.p0.i64(ptr nonnull align 16 %4, i8 0, i64 %14, i1 false)
  br label %22
15:
  %16 = phi i64 [ 0, %6 ], [ %20, %15 ]
  %17 = icmp eq i64 %16, %8
  %18 = uitofp i1 %17 to double
  %19 = getelementptr inbounds [1000 x double], ptr %3, i64 0, i64 %16
  store double %18, ptr %19, align 8
  %20 = add nuw nsw i64 %16, 1
  %21 = icmp eq i64 %20, %9
  br i1 %21, label %10, label %15
22:
  %23 = icmp sgt i32 %1, 0
  br i1 %23, label %24, label %36
24:
  %25 = add i32 %0, -1
  %26 = icmp sgt i32 %0, 2
  %27 = icmp sgt i32 %0, 2
  %28 = getelementptr inbounds i8, ptr %3, i64 8
  %29 = getelementptr inbounds i8, ptr %4, i64 8
  %30 = add i32 %0, -2
  %31 = zext i32 %30 to i64
  %32 = shl nuw nsw i64 %31, 3
  %33 = zext i32 %25 to i64
  br label %34
34:
  %35 = phi i32 [ 0, %24 ], [ %59, %58 ]
  br i1 %26, label %43, label %41
36:
  %37 = sdiv i32 %0, 2
  %38 = sext i32 %37 to i64
  %39 = getelementptr inbounds [1000 x double], ptr %3, i64 0, i64 %38
  %40 = load double, ptr %39, align 8
  call void @llvm.lifetime.end.p0(i64 8000, ptr nonnull %4)
  call void @llvm.lifetime.end.p0(i64 8000, ptr nonnull %3)
  ret double %40
41:
  br i1 %27, label %42, label %58
42:
  call void @llvm.memcpy.p0.p0.i64(ptr nonnull align 8 %28, ptr nonnull align 8 %29, i64 %32, i1 false)
  br label %58
43:
  %44 = phi i64 [ %51, %43 ], [ 1, %34 ]
  %45 = getelementptr inbounds [1000 x double], ptr %3, i64 0, i64 %44
  %46 = load double, ptr %45, align 8
  %47 = add nsw i64 %44, -1
  %48 = getelementptr inbounds [1000 x double], ptr %3, i64 0, i64 %47
  %49 = load double, ptr %48, align 8
  %50 = tail call double @llvm.fmuladd.f64(double %46, double -2.000000e+00, double %49)
  %51 = add nuw nsw i64 %44, 1
  %52 = getelementptr inbounds [1000 x double], ptr %3, i64 0, i64 %51
  %53 = load double, ptr %52, align 8
  %54 = fadd double %50, %53
  %55 = tail call double @llvm.fmuladd.f64(double %54, double 2.500000e-01, double %46)
  %56 = getelementptr inbounds [1000 x double], ptr %4, i64 0, i64 %44
  store double %55, ptr %56, align 8
  %57 = icmp eq i64 %51, %33
  br i1 %57, label %41, label %43
58:
  %59 = add nuw nsw i32 %35, 1
  %60 = icmp eq i32 %59, %1
  br i1 %60, label %36, label %34
}
define dso_local i32 @lcg(i32 noundef %0) {
  %2 = icmp eq i32 %0, 0
  br i1 %2, label %3, label %5
3:
  %4 = phi i32 [ 0, %1 ], [ %17, %5 ]
  ret i32 %4
5:
  %6 = phi i32 [ %18, %5 ], [ 0, %1 ]
  %7 = phi i32 [ %17, %5 ], [ 0, %1 ]
  %8 = phi i32 [ %10, %5 ], [ 1, %1 ]
  %9 = mul i32 %8, 1664525
  %10 = add i32 %9, 1013904223
  %11 = lshr i32 %10, 7
  %12 = xor i32 %11, %7
  %13 = tail call i32 @llvm.fshl.i32(i32 %12, i32 %12, i32 3)
  %14 = and i32 %13, 1
  %15 = icmp eq i32 %14, 0
  %16 = select i1 %15, i32 0, i32 %6
  %17 = add i32 %16, %13
  %18 = add nuw i32 %6, 1
  %19 = icmp eq i32 %18, %0
  br i1 %19, label %3, label %5
}
declare i32 @llvm.fshl.i32(i32, i32, i32)
declare void @llvm.memset.p0.i64(ptr writeonly, i8, i64, i1 immarg)
declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly, ptr noalias readonly, i64, i1 immarg)

; The dot product once more, in a program that has had a second thread: every access is watched for races.
define dso_local double @dot_watched(i32 noundef %0, i32 noundef %1) {
  %3 = alloca i64, align 8
  %4 = call i32 @pthread_create(ptr %3, ptr null, ptr @nothing, ptr null)
  %5 = load i64, ptr %3, align 8
  %6 = call i32 @pthread_join(i64 %5, ptr null)
  %7 = call double @dot(i32 %0, i32 %1)
  ret double %7
}
define dso_local ptr @nothing(ptr %0) {
  ret ptr %0
}
declare i32 @pthread_create(ptr, ptr, ptr, ptr)
declare i32 @pthread_join(i64, ptr)
