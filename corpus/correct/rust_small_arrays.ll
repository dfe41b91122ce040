; As Rust compiles it: `[f32; 2]` is passed and returned as an `i64`, `[f32; 3]` as an `i96`, stored and loaded as whole integers and
; taken apart through the stack; no TBAA, no debug information.
;
;   fn rotate(v: [f32; 2], by: f32) -> [f32; 2]
;   fn lift(v: [f32; 2]) -> [f32; 3]
;   fn swing(x: &[f64; 3]) -> f64

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

@enzyme_dup = external global i32
@format = private unnamed_addr constant [7 x i8] c"%.17g\0A\00"

define internal i64 @rotate(i64 %v, float noundef %by) unnamed_addr noinline {
start:
  %slot = alloca [8 x i8], align 4
  %out = alloca [8 x i8], align 4
  store i64 %v, ptr %slot, align 4
  %a = load float, ptr %slot, align 4
  %second = getelementptr inbounds [2 x float], ptr %slot, i64 0, i64 1
  %b = load float, ptr %second, align 4
  %p = fmul float %b, %by
  %q = fsub float %a, %p
  %r = fmul float %a, %by
  %s = fadd float %r, %b
  store float %q, ptr %out, align 4
  %0 = getelementptr inbounds [2 x float], ptr %out, i64 0, i64 1
  store float %s, ptr %0, align 4
  %1 = load i64, ptr %out, align 4
  ret i64 %1
}

define internal i96 @lift(i64 %v) unnamed_addr noinline {
start:
  %low = trunc i64 %v to i32
  %a = bitcast i32 %low to float
  %shifted = lshr i64 %v, 32
  %high = trunc i64 %shifted to i32
  %b = bitcast i32 %high to float
  %c = fmul float %a, %b
  %cb = bitcast float %c to i32
  %wide = zext i64 %v to i96
  %top = zext i32 %cb to i96
  %up = shl nuw i96 %top, 64
  %all = or disjoint i96 %up, %wide
  ret i96 %all
}

define internal double @swing(ptr noalias noundef readonly align 8 dereferenceable(24) %x) unnamed_addr {
start:
  %slot = alloca [12 x i8], align 4
  %x0 = load double, ptr %x, align 8
  %at1 = getelementptr inbounds i8, ptr %x, i64 8
  %x1 = load double, ptr %at1, align 8
  %at2 = getelementptr inbounds [3 x double], ptr %x, i64 0, i64 2
  %x2 = load double, ptr %at2, align 8
  %f0 = fptrunc double %x0 to float
  %f1 = fptrunc double %x1 to float
  %f2 = fptrunc double %x2 to float
  %b0 = bitcast float %f0 to i32
  %b1 = bitcast float %f1 to i32
  %v0 = insertelement <2 x i32> poison, i32 %b0, i64 0
  %v1 = insertelement <2 x i32> %v0, i32 %b1, i64 1
  %v = bitcast <2 x i32> %v1 to i64
  %turned = call i64 @rotate(i64 %v, float %f2)
  %lifted = call i96 @lift(i64 %turned)
  store i96 %lifted, ptr %slot, align 4
  %p = load float, ptr %slot, align 4
  %q.at = getelementptr inbounds i8, ptr %slot, i64 4
  %q = load float, ptr %q.at, align 4
  %r.at = getelementptr inbounds i8, ptr %slot, i64 8
  %r = load float, ptr %r.at, align 4
  %s = fmul float %p, %r
  %t = fadd float %s, %q
  %u = fpext float %t to double
  %w = fmul double %u, %x0
  ret double %w
}

define i32 @main() {
start:
  %x = alloca [3 x double], align 8
  %dx = alloca [3 x double], align 8
  store [3 x double] [double 5.000000e-01, double -1.250000e+00, double 7.500000e-01], ptr %x, align 8
  store [3 x double] zeroinitializer, ptr %dx, align 8
  %dup = load i32, ptr @enzyme_dup, align 4
  call void (ptr, ...) @__enzyme_autodiff(ptr @swing, i32 %dup, ptr %x, ptr %dx)
  br label %print

print:
  %i = phi i64 [ 0, %start ], [ %next, %print ]
  %at = getelementptr inbounds double, ptr %dx, i64 %i
  %d = load double, ptr %at, align 8
  %0 = call i32 (ptr, ...) @printf(ptr @format, double %d)
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, 3
  br i1 %more, label %print, label %end

end:
  ret i32 0
}

declare void @__enzyme_autodiff(ptr, ...)
declare i32 @printf(ptr, ...)
