; A loop carries a number which it never changes, through a merge of one way, beside sums whose adjoints are added up. The gradient
; of an iteration is written out in its place.

target triple = "x86_64-pc-linux-gnu"

@x = internal global [4 x double] [double 5.000000e-01, double 7.500000e-01, double 2.500000e-01, double 1.500000e+00], align 16
@dx = internal global [4 x double] zeroinitializer, align 16

declare double @__enzyme_autodiff(ptr, ...)
declare double @llvm.exp.f64(double)

define double @f(ptr %x) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %kept = phi float [ 1.500000e+00, %entry ], [ %same, %latch ]
  %sum = phi double [ 0.0, %entry ], [ %more, %latch ]
  %goes = icmp ult i64 %i, 3
  br i1 %goes, label %body, label %end

body:
  %j = add nuw nsw i64 %i, 1
  %at = getelementptr inbounds double, ptr %x, i64 %i
  %after = getelementptr inbounds double, ptr %x, i64 %j
  %u = load double, ptr %at, align 8
  %v = load double, ptr %after, align 8
  %a = call double @llvm.exp.f64(double %u)
  %s = call double @llvm.exp.f64(double %v)
  %b = fmul double %s, %s
  %both = fadd double %a, %b
  %more = fadd double %sum, %both
  br label %latch

latch:
  %same = phi float [ %kept, %body ]
  %next = add nuw nsw i64 %i, 1
  br label %loop

end:
  %last = phi float [ %kept, %loop ]
  ret double %sum
}

define i32 @main() {
  %r = call double (ptr, ...) @__enzyme_autodiff(ptr @f, metadata !"enzyme_dup", ptr @x, ptr @dx)
  %at = getelementptr inbounds double, ptr @dx, i64 1
  %d = load double, ptr %at, align 8
  %more = fcmp ogt double %d, 11.0803781
  %less = fcmp olt double %d, 11.0803782
  %right = and i1 %more, %less
  %code = select i1 %right, i32 0, i32 1
  ret i32 %code
}
