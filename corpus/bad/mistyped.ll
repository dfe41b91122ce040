; IR that does not parse: the type of an operand is not the declared one.
; adj-exit: 2
; adj-message: defined with type
define double @f(double %x, i32 %n) {
entry:
  %b = fmul double %n, %x
  ret double %b
}

define i32 @main() {
entry:
  ret i32 0
}
