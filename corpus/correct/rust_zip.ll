; As Rust compiles `a.iter().zip(b.iter())`: the two iterators, an index and a length in 48 bytes, which move by memcpy, twice.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

@enzyme_dup = external global i32
@enzyme_const = external global i32
@format = private unnamed_addr constant [13 x i8] c"%g %g %g %g\0A\00"

define internal void @zip(ptr noalias noundef sret([48 x i8]) align 8 dereferenceable(48) %out, ptr noundef nonnull %a.0, ptr noundef %a.1, ptr noundef nonnull %b.0, ptr noundef %b.1) unnamed_addr {
start:
  %0 = ptrtoint ptr %a.1 to i64
  %1 = ptrtoint ptr %a.0 to i64
  %2 = sub nuw i64 %0, %1
  %3 = udiv exact i64 %2, 8
  store ptr %a.0, ptr %out, align 8
  %4 = getelementptr inbounds i8, ptr %out, i64 8
  store ptr %a.1, ptr %4, align 8
  %5 = getelementptr inbounds i8, ptr %out, i64 16
  store ptr %b.0, ptr %5, align 8
  %6 = getelementptr inbounds i8, ptr %5, i64 8
  store ptr %b.1, ptr %6, align 8
  %7 = getelementptr inbounds i8, ptr %out, i64 32
  store i64 0, ptr %7, align 8
  %8 = getelementptr inbounds i8, ptr %out, i64 40
  store i64 %3, ptr %8, align 8
  ret void
}

define internal { ptr, ptr } @next(ptr noalias noundef align 8 dereferenceable(48) %self) unnamed_addr {
start:
  %option = alloca [16 x i8], align 8
  %0 = getelementptr inbounds i8, ptr %self, i64 32
  %index = load i64, ptr %0, align 8, !noundef !0
  %1 = getelementptr inbounds i8, ptr %self, i64 40
  %len = load i64, ptr %1, align 8, !noundef !0
  %more = icmp ult i64 %index, %len
  br i1 %more, label %bb1, label %bb2

bb1:
  %2 = add i64 %index, 1
  store i64 %2, ptr %0, align 8
  %a = load ptr, ptr %self, align 8, !nonnull !0, !noundef !0
  %a.at = getelementptr inbounds double, ptr %a, i64 %index
  %3 = getelementptr inbounds i8, ptr %self, i64 16
  %b = load ptr, ptr %3, align 8, !nonnull !0, !noundef !0
  %b.at = getelementptr inbounds double, ptr %b, i64 %index
  store ptr %a.at, ptr %option, align 8
  %4 = getelementptr inbounds i8, ptr %option, i64 8
  store ptr %b.at, ptr %4, align 8
  br label %bb3

bb2:
  store ptr null, ptr %option, align 8
  br label %bb3

bb3:
  %5 = load ptr, ptr %option, align 8
  %6 = getelementptr inbounds i8, ptr %option, i64 8
  %7 = load ptr, ptr %6, align 8
  %8 = insertvalue { ptr, ptr } poison, ptr %5, 0
  %9 = insertvalue { ptr, ptr } %8, ptr %7, 1
  ret { ptr, ptr } %9
}

define internal double @f(ptr noundef nonnull readonly align 8 %x.0, i64 noundef %x.1) {
start:
  %zip = alloca [48 x i8], align 8
  %into = alloca [48 x i8], align 8
  %iter = alloca [48 x i8], align 8
  %half = lshr i64 %x.1, 1
  %middle = getelementptr inbounds double, ptr %x.0, i64 %half
  %end = getelementptr inbounds double, ptr %x.0, i64 %x.1
  call void @zip(ptr noalias noundef sret([48 x i8]) align 8 dereferenceable(48) %zip, ptr noundef nonnull %x.0, ptr noundef %middle, ptr noundef nonnull %middle, ptr noundef %end)
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %into, ptr align 8 %zip, i64 48, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %iter, ptr align 8 %into, i64 48, i1 false)
  br label %bb1

bb1:
  %sum = phi double [ 0.000000e+00, %start ], [ %sum.next, %bb2 ]
  %0 = call { ptr, ptr } @next(ptr noalias noundef align 8 dereferenceable(48) %iter)
  %1 = extractvalue { ptr, ptr } %0, 0
  %2 = icmp eq ptr %1, null
  br i1 %2, label %bb3, label %bb2

bb2:
  %3 = extractvalue { ptr, ptr } %0, 1
  %4 = load double, ptr %1, align 8, !noundef !0
  %5 = load double, ptr %3, align 8, !noundef !0
  %6 = fmul double %4, %5
  %7 = fmul double %6, %4
  %sum.next = fadd double %sum, %7
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

