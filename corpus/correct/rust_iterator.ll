; As Rust compiles `for v in x.iter() { sum += v * v }` without optimisation: the iterator is moved as 16 bytes into the loop's own variable.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

@enzyme_dup = external global i32
@enzyme_const = external global i32
@format = private unnamed_addr constant [13 x i8] c"%g %g %g %g\0A\00"

define internal { ptr, ptr } @iter(ptr noalias noundef nonnull readonly align 8 %x.0, i64 noundef %x.1) unnamed_addr {
start:
  %end = getelementptr inbounds double, ptr %x.0, i64 %x.1
  %0 = insertvalue { ptr, ptr } poison, ptr %x.0, 0
  %1 = insertvalue { ptr, ptr } %0, ptr %end, 1
  ret { ptr, ptr } %1
}

define internal { ptr, ptr } @into_iter(ptr noundef nonnull %self.0, ptr noundef %self.1) unnamed_addr {
start:
  %0 = insertvalue { ptr, ptr } poison, ptr %self.0, 0
  %1 = insertvalue { ptr, ptr } %0, ptr %self.1, 1
  ret { ptr, ptr } %1
}

define internal align 8 ptr @next(ptr noalias noundef align 8 dereferenceable(16) %self) unnamed_addr {
start:
  %option = alloca [8 x i8], align 8
  %0 = getelementptr inbounds i8, ptr %self, i64 8
  %here = load ptr, ptr %self, align 8, !nonnull !0, !noundef !0
  %end = load ptr, ptr %0, align 8, !noundef !0
  %none = icmp eq ptr %here, %end
  br i1 %none, label %bb1, label %bb2

bb1:
  store ptr null, ptr %option, align 8
  br label %bb3

bb2:
  %after = getelementptr inbounds double, ptr %here, i64 1
  store ptr %after, ptr %self, align 8
  store ptr %here, ptr %option, align 8
  br label %bb3

bb3:
  %1 = load ptr, ptr %option, align 8, !noundef !0
  ret ptr %1
}

define internal double @f(ptr noundef nonnull readonly align 8 %x.0, i64 noundef %x.1) {
start:
  %item = alloca [8 x i8], align 8
  %iter = alloca [16 x i8], align 8
  %moved = alloca [16 x i8], align 8
  %sum = alloca [8 x i8], align 8
  store double 0.000000e+00, ptr %sum, align 8
  %0 = call { ptr, ptr } @iter(ptr noalias noundef nonnull readonly align 8 %x.0, i64 noundef %x.1)
  %1 = extractvalue { ptr, ptr } %0, 0
  %2 = extractvalue { ptr, ptr } %0, 1
  %3 = call { ptr, ptr } @into_iter(ptr noundef nonnull %1, ptr noundef %2)
  %4 = extractvalue { ptr, ptr } %3, 0
  %5 = extractvalue { ptr, ptr } %3, 1
  store ptr %4, ptr %moved, align 8
  %6 = getelementptr inbounds i8, ptr %moved, i64 8
  store ptr %5, ptr %6, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %iter, ptr align 8 %moved, i64 16, i1 false)
  br label %bb1

bb1:
  %7 = call align 8 ptr @next(ptr noalias noundef align 8 dereferenceable(16) %iter)
  store ptr %7, ptr %item, align 8
  %8 = load ptr, ptr %item, align 8, !noundef !0
  %9 = ptrtoint ptr %8 to i64
  %10 = icmp eq i64 %9, 0
  %tag = select i1 %10, i64 0, i64 1
  switch i64 %tag, label %bb4 [
    i64 0, label %bb3
    i64 1, label %bb2
  ]

bb2:
  %v = load ptr, ptr %item, align 8, !nonnull !0, !noundef !0
  %11 = load double, ptr %v, align 8, !noundef !0
  %12 = load double, ptr %v, align 8, !noundef !0
  %13 = fmul double %11, %12
  %14 = load double, ptr %sum, align 8, !noundef !0
  %15 = fadd double %14, %13
  store double %15, ptr %sum, align 8
  br label %bb1

bb3:
  %16 = load double, ptr %sum, align 8, !noundef !0
  ret double %16

bb4:
  unreachable
}

define i32 @main() {
start:
  %x = alloca [32 x i8], align 8
  %dx = alloca [32 x i8], align 8
  store [4 x double] [double 1.5, double -2.0, double 7.500000e-01, double 3.0], ptr %x, align 8
  store [4 x double] zeroinitializer, ptr %dx, align 8
  %dup = load i32, ptr @enzyme_dup, align 4
  %const = load i32, ptr @enzyme_const, align 4
  %r = call double (ptr, ...) @__enzyme_autodiff(ptr @f, i32 %dup, ptr %x, ptr %dx, i32 %const, i64 4)
  %d1 = getelementptr inbounds i8, ptr %dx, i64 8
  %d2 = getelementptr inbounds i8, ptr %dx, i64 16
  %d3 = getelementptr inbounds i8, ptr %dx, i64 24
  %a = load double, ptr %dx, align 8
  %b = load double, ptr %d1, align 8
  %c = load double, ptr %d2, align 8
  %d = load double, ptr %d3, align 8
  %n = call i32 (ptr, ...) @printf(ptr @format, double %a, double %b, double %c, double %d)
  ret i32 0
}

declare double @__enzyme_autodiff(ptr, ...)
declare i32 @printf(ptr, ...)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

!0 = !{}

