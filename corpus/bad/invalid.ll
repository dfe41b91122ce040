; IR that fails verification: a value is used before its definition dominates the use.
; adj-exit: 2
; adj-message: dominate
define double @f(double %x) {
entry:
  %b = fmul double %a, %x
  %a = fadd double %x, 1.0
  ret double %b
}

define i32 @main() {
entry:
  %v = call double @f(double 2.0)
  ret i32 0
}
