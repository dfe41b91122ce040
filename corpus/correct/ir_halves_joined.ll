; The halves of a number in an array of integers, put together again and returned as they are: no operation on floats sees them.

target triple = "x86_64-pc-linux-gnu"

define double @joined(double %x) {
  %halves = alloca [2 x i32], align 8
  %bits = bitcast double %x to i64
  %low = trunc i64 %bits to i32
  store i32 %low, ptr %halves, align 4
  %up = lshr i64 %bits, 32
  %high = trunc i64 %up to i32
  %second = getelementptr inbounds i32, ptr %halves, i64 1
  store i32 %high, ptr %second, align 4
  %a = load i32, ptr %halves, align 4
  %b = load i32, ptr %second, align 4
  %c = zext i32 %a to i64
  %d = zext i32 %b to i64
  %e = shl i64 %d, 32
  %both = or i64 %c, %e
  %y = bitcast i64 %both to double
  ret double %y
}

declare double @__enzyme_autodiff(ptr, double)
declare double @__enzyme_fwddiff(ptr, double, double)

define i32 @main() {
  %a = call double @__enzyme_autodiff(ptr @joined, double 1.250000e+00)
  %b = call double @__enzyme_fwddiff(ptr @joined, double 1.250000e+00, double 5.000000e-01)
  ret i32 0
}
