; Masked accesses with masks that are constant, computed and partly off, gathers that read one cell twice, scatters that write one
; cell twice: by the LangRef the last lane wins.

target triple = "x86_64-pc-linux-gnu"

@x = internal global [8 x double] [double 5.000000e-01, double 7.500000e-01, double 1.250000e+00, double 1.500000e+00,
  double 2.000000e+00, double 2.250000e+00, double 2.500000e+00, double 3.000000e+00], align 16
@dx = internal global [8 x double] zeroinitializer, align 16

declare double @llvm.vector.reduce.fadd.v4f64(double, <4 x double>)
declare <4 x double> @llvm.masked.load.v4f64.p0(ptr, i32, <4 x i1>, <4 x double>)
declare void @llvm.masked.store.v4f64.p0(<4 x double>, ptr, i32, <4 x i1>)
declare <4 x double> @llvm.masked.gather.v4f64.v4p0(<4 x ptr>, i32, <4 x i1>, <4 x double>)
declare void @llvm.masked.scatter.v4f64.v4p0(<4 x double>, <4 x ptr>, i32, <4 x i1>)

define double @mix(ptr %p) {
entry:
  %scratch = alloca [8 x double], align 16
  store <8 x double> zeroinitializer, ptr %scratch, align 16
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %carried = phi double [ 0.000000e+00, %entry ], [ %sum, %loop ]
  %at = getelementptr inbounds double, ptr %p, i64 %i
  %first = load <4 x double>, ptr %at, align 8
  %mask = fcmp ogt <4 x double> %first, <double 1.000000e+00, double 5.000000e-01, double 1.000000e+00, double 9.000000e+00>
  %behind = getelementptr inbounds double, ptr %p, i64 4
  %some = call <4 x double> @llvm.masked.load.v4f64.p0(ptr %behind, i32 8, <4 x i1> %mask, <4 x double> %first)
  %other = call <4 x double> @llvm.masked.load.v4f64.p0(ptr %p, i32 8, <4 x i1> <i1 true, i1 false, i1 true, i1 true>, <4 x double> poison)
  %known = shufflevector <4 x double> %other, <4 x double> %some, <4 x i32> <i32 0, i32 5, i32 2, i32 3>
  %product = fmul <4 x double> %some, %known
  call void @llvm.masked.store.v4f64.p0(<4 x double> %product, ptr %scratch, i32 8, <4 x i1> %mask)
  %places = getelementptr inbounds double, ptr %scratch, <4 x i64> <i64 1, i64 5, i64 5, i64 2>
  call void @llvm.masked.scatter.v4f64.v4p0(<4 x double> %some, <4 x ptr> %places, i32 8, <4 x i1> <i1 true, i1 true, i1 true, i1 false>)
  %lanes = insertelement <4 x i64> <i64 0, i64 0, i64 1, i64 5>, i64 %i, i64 0
  %from = getelementptr inbounds double, ptr %scratch, <4 x i64> %lanes
  %back = call <4 x double> @llvm.masked.gather.v4f64.v4p0(<4 x ptr> %from, i32 8, <4 x i1> %mask, <4 x double> %first)
  %squares = fmul <4 x double> %back, %product
  %sum = call double @llvm.vector.reduce.fadd.v4f64(double %carried, <4 x double> %squares)
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 4
  br i1 %more, label %loop, label %done

done:
  ret double %sum
}

declare double @__enzyme_autodiff(...)

define i32 @main() {
  %d = call double (...) @__enzyme_autodiff(ptr @mix, ptr @x, ptr @dx)
  ret i32 0
}
