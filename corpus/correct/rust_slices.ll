; As Rust compiles it: slices as pointer and length, structures as bytes, no TBAA and no debug information. Types are told by the
; accesses alone, and copies of whole structures are `memcpy`s of arrays of bytes.
;
;   struct Item { weight: f64, id: u32, scale: f32 }          // 16 bytes
;   fn total(x: &[f64], items: &mut [Item; 4]) -> f64

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

@enzyme_dup = external global i32
@enzyme_const = external global i32
@format = private unnamed_addr constant [7 x i8] c"%.17g\0A\00"

define internal void @item_new(ptr noalias noundef sret([16 x i8]) align 8 dereferenceable(16) %out, double noundef %w, i32 noundef %id) unnamed_addr {
start:
  store double %w, ptr %out, align 8
  %0 = getelementptr inbounds i8, ptr %out, i64 8
  store i32 %id, ptr %0, align 8
  %1 = fptrunc double %w to float
  %2 = fmul float %1, %1
  %3 = getelementptr inbounds i8, ptr %out, i64 12
  store float %2, ptr %3, align 4
  ret void
}

define internal double @total(ptr noalias noundef nonnull readonly align 8 %x.0, i64 noundef %x.1, ptr noalias noundef align 8 dereferenceable(64) %items) unnamed_addr {
start:
  %tmp = alloca [16 x i8], align 8
  br label %fill

fill:
  %i = phi i64 [ 0, %start ], [ %i.next, %fill ]
  %at = getelementptr inbounds double, ptr %x.0, i64 %i
  %value = load double, ptr %at, align 8, !noundef !0
  %id = trunc i64 %i to i32
  call void @item_new(ptr noalias noundef sret([16 x i8]) align 8 dereferenceable(16) %tmp, double noundef %value, i32 noundef %id)
  %slot = getelementptr inbounds [0 x { [16 x i8] }], ptr %items, i64 0, i64 %i
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %slot, ptr align 8 %tmp, i64 16, i1 false)
  %i.next = add nuw i64 %i, 1
  %more = icmp ult i64 %i.next, %x.1
  br i1 %more, label %fill, label %swap

swap:
  %second = getelementptr inbounds i8, ptr %items, i64 16
  %a = load i128, ptr %items, align 8
  %b = load i128, ptr %second, align 8
  store i128 %b, ptr %items, align 8
  store i128 %a, ptr %second, align 8
  br label %sum

sum:
  %k = phi i64 [ 0, %swap ], [ %k.next, %sum ]
  %acc = phi double [ 0.000000e+00, %swap ], [ %acc.next, %sum ]
  %item = getelementptr inbounds { [16 x i8] }, ptr %items, i64 %k
  %weight = load double, ptr %item, align 8
  %id.at = getelementptr inbounds i8, ptr %item, i64 8
  %n = load i32, ptr %id.at, align 8
  %scale.at = getelementptr inbounds i8, ptr %item, i64 12
  %scale = load float, ptr %scale.at, align 4
  %wide = fpext float %scale to double
  %n1 = add i32 %n, 1
  %nf = uitofp i32 %n1 to double
  %p = fmul double %weight, %wide
  %q = fmul double %p, %nf
  %acc.next = fadd double %acc, %q
  %k.next = add nuw i64 %k, 1
  %again = icmp ult i64 %k.next, %x.1
  br i1 %again, label %sum, label %end

end:
  ret double %acc.next
}

define i32 @main() {
start:
  %x = alloca [4 x double], align 8
  %dx = alloca [4 x double], align 8
  %items = alloca [64 x i8], align 8
  %ditems = alloca [64 x i8], align 8
  store [4 x double] [double 5.000000e-01, double -1.250000e+00, double 7.500000e-01, double 2.000000e+00], ptr %x, align 8
  store [4 x double] zeroinitializer, ptr %dx, align 8
  store [64 x i8] zeroinitializer, ptr %items, align 8
  store [64 x i8] zeroinitializer, ptr %ditems, align 8
  %dup = load i32, ptr @enzyme_dup, align 4
  %const = load i32, ptr @enzyme_const, align 4
  call void (ptr, ...) @__enzyme_autodiff(ptr @total, i32 %dup, ptr %x, ptr %dx, i32 %const, i64 4, i32 %dup, ptr %items, ptr %ditems)
  br label %print

print:
  %i = phi i64 [ 0, %start ], [ %next, %print ]
  %at = getelementptr inbounds double, ptr %dx, i64 %i
  %d = load double, ptr %at, align 8
  %0 = call i32 (ptr, ...) @printf(ptr @format, double %d)
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, 4
  br i1 %more, label %print, label %end

end:
  ret i32 0
}

declare void @__enzyme_autodiff(ptr, ...)
declare i32 @printf(ptr, ...)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

!0 = !{}
