; A sum over points whose summands need scratch memory, which each writes whole before it reads it: as IR, so that it stands so at every
; level. The block is freed behind the loop; an iteration that is executed again for its reverse still needs it.

target triple = "x86_64-pc-linux-gnu"

@p = internal global [3 x double] [double 3.000000e-01, double -7.000000e-01, double 1.100000e+00]
@dp = internal global [3 x double] zeroinitializer
@x = internal global [4 x double] [double 5.000000e-01, double -2.500000e-01, double 1.250000e+00, double 7.500000e-01]
@enzyme_dup = external global i32
@enzyme_const = external global i32

declare noalias ptr @malloc(i64)
declare void @free(ptr)
declare double @exp(double)
declare double @log(double)
declare void @__enzyme_autodiff(...)

define double @summands(ptr %p, ptr %x, i64 %n, i64 %d) {
entry:
  %bytes = shl i64 %d, 3
  %at = call noalias ptr @malloc(i64 %bytes)
  br label %point

point:
  %i = phi i64 [ 0, %entry ], [ %i.next, %end ]
  %sum = phi double [ 0.000000e+00, %entry ], [ %sum.next, %end ]
  %row = getelementptr inbounds double, ptr %x, i64 %i
  %datum = load double, ptr %row, align 8
  br label %write

write:
  %j = phi i64 [ 0, %point ], [ %j.next, %write ]
  %pj = getelementptr inbounds double, ptr %p, i64 %j
  %pv = load double, ptr %pj, align 8
  %product = fmul double %pv, %datum
  %e = call double @exp(double %product)
  %to = getelementptr inbounds double, ptr %at, i64 %j
  store double %e, ptr %to, align 8
  %j.next = add nuw nsw i64 %j, 1
  %j.done = icmp eq i64 %j.next, %d
  br i1 %j.done, label %reads, label %write

reads:
  br label %read

read:
  %k = phi i64 [ 0, %reads ], [ %k.next, %read ]
  %norm = phi double [ 0.000000e+00, %reads ], [ %norm.next, %read ]
  %from = getelementptr inbounds double, ptr %at, i64 %k
  %v = load double, ptr %from, align 8
  %square = fmul double %v, %v
  %norm.next = fadd double %norm, %square
  %k.next = add nuw nsw i64 %k, 1
  %k.done = icmp eq i64 %k.next, %d
  br i1 %k.done, label %end, label %read

end:
  %l = call double @log(double %norm.next)
  %sum.next = fadd double %sum, %l
  %i.next = add nuw nsw i64 %i, 1
  %i.done = icmp eq i64 %i.next, %n
  br i1 %i.done, label %behind, label %point

behind:
  call void @free(ptr %at)
  ret double %sum.next
}

define i32 @main() {
  %dup = load i32, ptr @enzyme_dup, align 4
  %const = load i32, ptr @enzyme_const, align 4
  call void (...) @__enzyme_autodiff(ptr @summands, i32 %dup, ptr @p, ptr @dp, i32 %const, ptr @x, i32 %const, i64 4, i32 %const, i64 3)
  ret i32 0
}
