; A loop that carries a number which it never changes: what promotion makes of a variable that is copied onto itself. It is no sum of anything.

target triple = "x86_64-pc-linux-gnu"

@x = internal global [2 x double] [double 5.000000e-01, double 7.500000e-01], align 16
@dx = internal global [2 x double] zeroinitializer, align 16

declare double @__enzyme_autodiff(ptr, ...)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)

define double @f(ptr %x) {
entry:
  %own = alloca [2 x double], align 8
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi double [ 0.0, %entry ], [ %more, %loop ]
  call void @llvm.memmove.p0.p0.i64(ptr %own, ptr %own, i64 16, i1 false)
  %at = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %at, align 8
  %square = fmul double %v, %v
  %more = fadd double %sum, %square
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, 2
  br i1 %done, label %end, label %loop

end:
  ret double %more
}

define i32 @main() {
  %r = call double (ptr, ...) @__enzyme_autodiff(ptr @f, metadata !"enzyme_dup", ptr @x, ptr @dx)
  %d = load double, ptr @dx, align 8
  %right = fcmp oeq double %d, 1.0
  %code = select i1 %right, i32 0, i32 1
  ret i32 %code
}
