; Scalar instructions with every flag, on every kind of type.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define i32 @integers(i32 %a, i32 %b, i1 %c, i128 %w, i7 %odd) {
  %1 = add nuw nsw i32 %a, %b
  %2 = sub nsw i32 %1, -5
  %3 = mul nuw i32 %2, 7
  %4 = udiv exact i32 %3, %b
  %5 = sdiv exact i32 %4, %b
  %6 = urem i32 %5, %b
  %7 = srem i32 %6, %b
  %8 = shl nuw nsw i32 %7, 3
  %9 = lshr exact i32 %8, 1
  %10 = ashr exact i32 %9, 1
  %11 = and i32 %10, 255
  %12 = or disjoint i32 %11, 256
  %13 = xor i32 %12, -1
  %14 = trunc nuw nsw i32 %13 to i8
  %15 = zext nneg i8 %14 to i32
  %16 = sext i8 %14 to i32
  %17 = icmp ult i32 %15, %16
  %18 = icmp sge i32 %15, %16
  %19 = select i1 %17, i32 %15, i32 %16
  %20 = freeze i32 %19
  %21 = mul i128 %w, 170141183460469231731687303715884105727
  %22 = xor i128 %21, -170141183460469231731687303715884105728
  %23 = trunc i128 %22 to i32
  %24 = add i7 %odd, -64
  %25 = zext i7 %24 to i32
  %26 = add i32 %25, %23
  %27 = add i32 %26, %20
  %28 = and i1 %18, true
  %29 = or i1 %28, %c
  %30 = zext i1 %29 to i32
  %31 = add i32 %27, %30
  ret i32 %31
}

define double @floats(double %x, float %f, half %h, bfloat %b, x86_fp80 %l, fp128 %q, i32 %i) {
entry:
  %0 = fadd fast double %x, 1.000000e-01
  %1 = fsub nnan ninf double %0, 0x7FF0000000000000
  %2 = fmul nsz arcp contract double %1, 0x7FF8000000000000
  %3 = fdiv afn reassoc double %2, -0.000000e+00
  %4 = frem double %3, 3.000000e+00
  %5 = fneg nsz double %4
  %6 = fpext float %f to double
  %7 = fpext half %h to double
  %8 = fpext bfloat %b to float
  %9 = fptrunc x86_fp80 %l to double
  %10 = fptrunc fp128 %q to double
  %11 = fadd x86_fp80 %l, 0xK3FFF8000000000000000
  %12 = fadd fp128 %q, 0xL00000000000000003FFF000000000000
  %13 = fadd half %h, 0xH3C00
  %14 = fadd bfloat %b, 0xR3F80
  %15 = fadd float %8, 0x3FB99999A0000000
  %16 = sitofp i32 %i to double
  %17 = uitofp nneg i32 %i to double
  %18 = fptosi double %5 to i64
  %19 = fptoui double %5 to i64
  %20 = fcmp une double %5, %6
  %21 = fcmp fast olt double %7, %9
  %22 = fcmp uno double %10, %16
  %23 = fcmp true double %17, %17
  %24 = select nnan nsz i1 %20, double %5, double %6
  %25 = bitcast double %24 to i64
  %26 = bitcast i64 %25 to double
  %27 = call reassoc nsz double @llvm.fma.f64(double %26, double %7, double %9)
  %28 = call x86_fp80 @llvm.sqrt.f80(x86_fp80 %11)
  %29 = tail call double @llvm.experimental.constrained.fadd.f64(double %27, double %x, metadata !"round.tonearest", metadata !"fpexcept.strict") #0
  ret double %29
}

declare double @llvm.fma.f64(double, double, double)
declare x86_fp80 @llvm.sqrt.f80(x86_fp80)
declare double @llvm.experimental.constrained.fadd.f64(double, double, metadata, metadata)

attributes #0 = { strictfp }
