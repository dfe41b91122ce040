; Signs of floats as bits, with the constant on either side: what only an integer operation does to a number, the reference sees too.

target triple = "x86_64-pc-linux-gnu"

define double @set(double %x) {
  %i = bitcast double %x to i64
  %j = or i64 %i, -9223372036854775808
  %d = bitcast i64 %j to double
  %m = fmul double %d, %x
  ret double %m
}

define double @set_first(double %x) {
  %i = bitcast double %x to i64
  %j = or i64 -9223372036854775808, %i
  %d = bitcast i64 %j to double
  %m = fmul double %d, %x
  ret double %m
}

define double @cleared_first(double %x) {
  %i = bitcast double %x to i64
  %j = and i64 9223372036854775807, %i
  %d = bitcast i64 %j to double
  %m = fmul double %d, %x
  ret double %m
}

define float @turned(float %x) {
  %i = bitcast float %x to i32
  %j = xor i32 -2147483648, %i
  %d = bitcast i32 %j to float
  %m = fmul float %d, %x
  ret float %m
}

define double @kept_half(double %x, float %y) {
  %i = bitcast float %y to i32
  %wide = zext i32 %i to i64
  %up = shl i64 %wide, 32
  %both = or i64 %up, 1065353216
  %down = lshr i64 %both, 32
  %narrow = trunc i64 %down to i32
  %f = bitcast i32 %narrow to float
  %d = fpext float %f to double
  %m = fmul double %d, %x
  ret double %m
}

declare double @__enzyme_autodiff(...)
declare { double, float } @__enzyme_autodiff_both(ptr, double, float)
declare float @__enzyme_autodiff_single(ptr, float)

define i32 @main() {
  %a = call double (...) @__enzyme_autodiff(ptr @set, double 1.250000e+00)
  %b = call double (...) @__enzyme_autodiff(ptr @set_first, double -1.250000e+00)
  %c = call double (...) @__enzyme_autodiff(ptr @cleared_first, double -1.750000e+00)
  %d = call float @__enzyme_autodiff_single(ptr @turned, float 1.500000e+00)
  %e = call { double, float } @__enzyme_autodiff_both(ptr @kept_half, double 1.250000e+00, float 1.500000e+00)
  ret i32 0
}
