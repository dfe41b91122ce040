; Two active floats that are looked at as one double would lose their adjoints in silence.
; // adj-levels: O0
; // adj-exit: 3
; // adj-message: looked at as floats of another size

target triple = "x86_64-pc-linux-gnu"

define double @halves(double %x) {
  %low = fptrunc double %x to float
  %both = insertelement <2 x float> <float 2.000000e+00, float 2.000000e+00>, float %low, i32 1
  %word = bitcast <2 x float> %both to double
  %again = bitcast double %word to <2 x float>
  %high = extractelement <2 x float> %again, i32 1
  %square = fmul float %high, %high
  %r = fpext float %square to double
  ret double %r
}

declare double @__enzyme_autodiff(...)

define i32 @main() {
  %d = call double (...) @__enzyme_autodiff(ptr @halves, double 1.250000e+00)
  ret i32 0
}
