; Intrinsics that move lanes, and those that give back the pointer that they get.

target triple = "x86_64-pc-linux-gnu"

@x = internal global [8 x double] [double 5.000000e-01, double 7.500000e-01, double 1.250000e+00, double 1.500000e+00,
  double 2.000000e+00, double 2.250000e+00, double 2.500000e+00, double 3.000000e+00], align 16
@dx = internal global [8 x double] zeroinitializer, align 16
@kept = internal thread_local global double 0.000000e+00, align 8

declare <4 x double> @llvm.vector.reverse.v4f64(<4 x double>)
declare <4 x double> @llvm.vector.splice.v4f64(<4 x double>, <4 x double>, i32)
declare <4 x double> @llvm.vector.interleave2.v4f64(<2 x double>, <2 x double>)
declare { <2 x double>, <2 x double> } @llvm.vector.deinterleave2.v4f64(<4 x double>)
declare <2 x double> @llvm.vector.extract.v2f64.v4f64(<4 x double>, i64)
declare <4 x double> @llvm.vector.insert.v4f64.v2f64(<4 x double>, <2 x double>, i64)
declare double @llvm.vector.reduce.fadd.v4f64(double, <4 x double>)
declare ptr @llvm.launder.invariant.group.p0(ptr)
declare ptr @llvm.strip.invariant.group.p0(ptr)
declare ptr @llvm.threadlocal.address.p0(ptr)

define double @lanes(ptr %p) {
  %same = call ptr @llvm.launder.invariant.group.p0(ptr %p)
  %bare = call ptr @llvm.strip.invariant.group.p0(ptr %same)
  %v = load <4 x double>, ptr %bare, align 8
  %behind = getelementptr inbounds double, ptr %same, i64 4
  %w = load <4 x double>, ptr %behind, align 8
  %back = call <4 x double> @llvm.vector.reverse.v4f64(<4 x double> %v)
  %ahead = call <4 x double> @llvm.vector.splice.v4f64(<4 x double> %v, <4 x double> %w, i32 1)
  %last = call <4 x double> @llvm.vector.splice.v4f64(<4 x double> %v, <4 x double> %w, i32 -1)
  %a = fmul <4 x double> %back, %ahead
  %b = fmul <4 x double> %a, %last
  %low = call <2 x double> @llvm.vector.extract.v2f64.v4f64(<4 x double> %b, i64 0)
  %high = call <2 x double> @llvm.vector.extract.v2f64.v4f64(<4 x double> %w, i64 2)
  %mixed = call <4 x double> @llvm.vector.interleave2.v4f64(<2 x double> %low, <2 x double> %high)
  %pair = call { <2 x double>, <2 x double> } @llvm.vector.deinterleave2.v4f64(<4 x double> %w)
  %odd = extractvalue { <2 x double>, <2 x double> } %pair, 1
  %even = extractvalue { <2 x double>, <2 x double> } %pair, 0
  %one = call <4 x double> @llvm.vector.insert.v4f64.v2f64(<4 x double> %mixed, <2 x double> %odd, i64 2)
  %both = call <4 x double> @llvm.vector.insert.v4f64.v2f64(<4 x double> %b, <2 x double> %even, i64 0)
  %product = fmul <4 x double> %one, %both
  %sum = call double @llvm.vector.reduce.fadd.v4f64(double 0.000000e+00, <4 x double> %product)
  ret double %sum
}

define double @thread(double %x) {
  %at = call ptr @llvm.threadlocal.address.p0(ptr @kept)
  store double %x, ptr %at, align 8
  %again = load double, ptr %at, align 8
  %square = fmul double %again, %x
  ret double %square
}

declare double @__enzyme_autodiff(...)

define i32 @main() {
  %d = call double (...) @__enzyme_autodiff(ptr @lanes, ptr @x, ptr @dx)
  %e = call double (...) @__enzyme_autodiff(ptr @thread, double 1.500000e+00)
  ret i32 0
}
