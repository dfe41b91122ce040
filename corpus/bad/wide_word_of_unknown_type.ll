; // adj-levels: O0
; // adj-exit: 3
; // adj-message: the type of the moved integer is not known
; Sixteen bytes are copied as one integer. An access tells that the first eight are a number; of the others nothing is known, and they may
; not be taken for none.
@enzyme_dup = external global i32

define double @f(ptr %x, ptr %y) {
  %both = load i128, ptr %x, align 8
  store i128 %both, ptr %y, align 8
  %first = load double, ptr %x, align 8
  %square = fmul double %first, %first
  ret double %square
}

declare double @__enzyme_autodiff(ptr, ...)

define i32 @main() {
  %x = alloca [2 x double], align 8
  %dx = alloca [2 x double], align 8
  %y = alloca [2 x double], align 8
  %dy = alloca [2 x double], align 8
  store [2 x double] [double 1.5, double 2.5], ptr %x
  store [2 x double] zeroinitializer, ptr %dx
  store [2 x double] zeroinitializer, ptr %y
  store [2 x double] [double 1.0, double 2.0], ptr %dy
  %dup = load i32, ptr @enzyme_dup
  %unused = call double (ptr, ...) @__enzyme_autodiff(ptr @f, i32 %dup, ptr %x, ptr %dx, i32 %dup, ptr %y, ptr %dy)
  ret i32 0
}
