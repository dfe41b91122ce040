; Tangents of functions that change the sign of a number by its bits: along any direction, not only the program's.

target triple = "x86_64-pc-linux-gnu"

define double @turned(double %x, double %y) {
  %i = bitcast double %x to i64
  %j = xor i64 %i, -9223372036854775808
  %d = bitcast i64 %j to double
  %m = fmul double %d, %x
  %s = fmul double %m, %y
  ret double %s
}

define double @cleared(double %x, double %y) {
  %i = bitcast double %x to i64
  %j = and i64 %i, 9223372036854775807
  %d = bitcast i64 %j to double
  %m = fmul double %d, %x
  %s = fadd double %m, %y
  ret double %s
}

declare double @__enzyme_fwddiff(...)

define i32 @main() {
  %a = call double (...) @__enzyme_fwddiff(ptr @turned, double 1.250000e+00, double 1.500000e+00, double 0.750000e+00, double 1.000000e+00)
  %b = call double (...) @__enzyme_fwddiff(ptr @cleared, double -1.250000e+00, double 1.500000e+00, double 0.750000e+00, double 0.000000e+00)
  ret i32 0
}
