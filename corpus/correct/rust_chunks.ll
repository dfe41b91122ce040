; As Rust compiles `x.chunks_exact(2)`: pointer and length as { ptr, i64 }, kept with the rest in 40 bytes, taken as i128 where two of them move.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

@enzyme_dup = external global i32
@enzyme_const = external global i32
@format = private unnamed_addr constant [13 x i8] c"%g %g %g %g\0A\00"

define internal void @chunks(ptr noalias noundef sret([40 x i8]) align 8 dereferenceable(40) %out, ptr noundef nonnull %x.0, i64 noundef %x.1, i64 noundef %size) unnamed_addr {
start:
  %rem = urem i64 %x.1, %size
  %len = sub nuw i64 %x.1, %rem
  %tail = getelementptr inbounds double, ptr %x.0, i64 %len
  store ptr %x.0, ptr %out, align 8
  %0 = getelementptr inbounds i8, ptr %out, i64 8
  store i64 %len, ptr %0, align 8
  %1 = getelementptr inbounds i8, ptr %out, i64 16
  store ptr %tail, ptr %1, align 8
  %2 = getelementptr inbounds i8, ptr %1, i64 8
  store i64 %rem, ptr %2, align 8
  %3 = getelementptr inbounds i8, ptr %out, i64 32
  store i64 %size, ptr %3, align 8
  ret void
}

define internal { ptr, i64 } @next(ptr noalias noundef align 8 dereferenceable(40) %self) unnamed_addr {
start:
  %0 = getelementptr inbounds i8, ptr %self, i64 8
  %len = load i64, ptr %0, align 8, !noundef !0
  %1 = getelementptr inbounds i8, ptr %self, i64 32
  %size = load i64, ptr %1, align 8, !noundef !0
  %enough = icmp uge i64 %len, %size
  br i1 %enough, label %bb1, label %bb2

bb1:
  %here = load ptr, ptr %self, align 8, !nonnull !0, !noundef !0
  %rest = getelementptr inbounds double, ptr %here, i64 %size
  %left = sub nuw i64 %len, %size
  store ptr %rest, ptr %self, align 8
  store i64 %left, ptr %0, align 8
  br label %bb2

bb2:
  %chunk = phi ptr [ %here, %bb1 ], [ null, %start ]
  %2 = insertvalue { ptr, i64 } poison, ptr %chunk, 0
  %3 = insertvalue { ptr, i64 } %2, i64 %size, 1
  ret { ptr, i64 } %3
}

define internal double @f(ptr noundef nonnull readonly align 8 %x.0, i64 noundef %x.1) {
start:
  %made = alloca [40 x i8], align 16
  %iter = alloca [40 x i8], align 16
  call void @chunks(ptr noalias noundef sret([40 x i8]) align 8 dereferenceable(40) %made, ptr noundef nonnull %x.0, i64 noundef %x.1, i64 noundef 2)
  %0 = load i128, ptr %made, align 16
  store i128 %0, ptr %iter, align 16
  %1 = getelementptr inbounds i8, ptr %made, i64 16
  %2 = getelementptr inbounds i8, ptr %iter, i64 16
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %2, ptr align 8 %1, i64 24, i1 false)
  br label %bb1

bb1:
  %sum = phi double [ 0.000000e+00, %start ], [ %sum.next, %bb2 ]
  %3 = call { ptr, i64 } @next(ptr noalias noundef align 8 dereferenceable(40) %iter)
  %4 = extractvalue { ptr, i64 } %3, 0
  %5 = icmp eq ptr %4, null
  br i1 %5, label %bb3, label %bb2

bb2:
  %6 = load double, ptr %4, align 8, !noundef !0
  %7 = getelementptr inbounds double, ptr %4, i64 1
  %8 = load double, ptr %7, align 8, !noundef !0
  %9 = fmul double %6, %8
  %10 = fmul double %9, %9
  %sum.next = fadd double %sum, %10
  br label %bb1

bb3:
  ret double %sum
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

