; Vectors, aggregates and intrinsics on integers.

declare i32 @llvm.vector.reduce.add.v4i32(<4 x i32>)
declare i8 @llvm.vector.reduce.umax.v4i8(<4 x i8>)
declare double @llvm.vector.reduce.fadd.v2f64(double, <2 x double>)
declare double @llvm.vector.reduce.fmin.v4f64(<4 x double>)
declare <4 x i32> @llvm.masked.load.v4i32.p0(ptr, i32, <4 x i1>, <4 x i32>)
declare void @llvm.masked.store.v4i32.p0(<4 x i32>, ptr, i32, <4 x i1>)
declare <2 x i32> @llvm.masked.gather.v2i32.v2p0(<2 x ptr>, i32, <2 x i1>, <2 x i32>)
declare <4 x i1> @llvm.get.active.lane.mask.v4i1.i32(i32, i32)
declare <2 x double> @llvm.sqrt.v2f64(<2 x double>)
declare { i32, i1 } @llvm.sadd.with.overflow.i32(i32, i32)
declare { i8, i1 } @llvm.umul.with.overflow.i8(i8, i8)
declare i8 @llvm.sadd.sat.i8(i8, i8)
declare i8 @llvm.usub.sat.i8(i8, i8)
declare i32 @llvm.ctpop.i32(i32)
declare i32 @llvm.ctlz.i32(i32, i1)
declare i32 @llvm.cttz.i32(i32, i1)
declare i32 @llvm.bswap.i32(i32)
declare i8 @llvm.bitreverse.i8(i8)
declare i8 @llvm.fshl.i8(i8, i8, i8)
declare i8 @llvm.fshr.i8(i8, i8, i8)
declare i32 @llvm.abs.i32(i32, i1)
declare <2 x i32> @llvm.smax.v2i32(<2 x i32>, <2 x i32>)
declare i8 @llvm.ucmp.i8.i32(i32, i32)
declare void @llvm.assume(i1)
declare void @llvm.trap()
declare i32 @llvm.expect.i32(i32, i32)

; expect: {4, 1, 3, poison}
define <4 x i32> @shuffle() {
  %a = freeze <2 x i32> <i32 1, i32 2>
  %b = freeze <2 x i32> <i32 3, i32 4>
  %r = shufflevector <2 x i32> %a, <2 x i32> %b, <4 x i32> <i32 3, i32 0, i32 2, i32 poison>
  ret <4 x i32> %r
}

; expect: 30
define i32 @extract_variable() {
  %v = freeze <3 x i32> <i32 10, i32 20, i32 30>
  %i = freeze i64 2
  %r = extractelement <3 x i32> %v, i64 %i
  ret i32 %r
}

; "If idx exceeds the length of val for a fixed-length vector, the result is a poison value."
; expect: poison
define i32 @extract_outside() {
  %v = freeze <3 x i32> <i32 10, i32 20, i32 30>
  %i = freeze i64 3
  %r = extractelement <3 x i32> %v, i64 %i
  ret i32 %r
}

; expect: {10, 99}
define <2 x i32> @insert_variable() {
  %v = freeze <2 x i32> <i32 10, i32 20>
  %i = freeze i64 1
  %r = insertelement <2 x i32> %v, i32 99, i64 %i
  ret <2 x i32> %r
}

; Poison is per lane.
; expect: {poison, 5}
define <2 x i32> @poison_per_lane() {
  %a = freeze <2 x i32> <i32 2147483647, i32 4>
  %r = add nsw <2 x i32> %a, <i32 1, i32 1>
  ret <2 x i32> %r
}

; expect: {1, 2, 3, 7}
define { i32, { i32, [2 x i32] } } @aggregates() {
  %a = insertvalue { i32, { i32, [2 x i32] } } poison, i32 1, 0
  %b = insertvalue { i32, { i32, [2 x i32] } } %a, i32 2, 1, 0
  %c = insertvalue { i32, { i32, [2 x i32] } } %b, i32 3, 1, 1, 0
  %d = extractvalue { i32, { i32, [2 x i32] } } %c, 1, 0
  %e = add i32 %d, 5
  %f = insertvalue { i32, { i32, [2 x i32] } } %c, i32 %e, 1, 1, 1
  ret { i32, { i32, [2 x i32] } } %f
}

; expect: 10
define i32 @reduce_add() {
  %v = freeze <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %r = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %v)
  ret i32 %r
}

; expect: -1
define i8 @reduce_umax() {
  %v = freeze <4 x i8> <i8 1, i8 -1, i8 3, i8 4>
  %r = call i8 @llvm.vector.reduce.umax.v4i8(<4 x i8> %v)
  ret i8 %r
}

; In order from the start value unless reassociation is allowed: (1e16 + 1) + 1.
; expect: 10000000000000000
define double @reduce_fadd_ordered() {
  %v = freeze <2 x double> <double 1.0, double 1.0>
  %r = call double @llvm.vector.reduce.fadd.v2f64(double 1.0e16, <2 x double> %v)
  ret double %r
}

; open: the order of the additions.
; expect: 10000000000000002
define double @reduce_fadd_reassoc() {
  %v = freeze <2 x double> <double 1.0, double 1.0>
  %r = call reassoc double @llvm.vector.reduce.fadd.v2f64(double 1.0e16, <2 x double> %v)
  ret double %r
}

; expect: -2
define double @reduce_fmin() {
  %v = freeze <4 x double> <double 1.0, double -2.0, double 5.0, double 0.0>
  %r = call double @llvm.vector.reduce.fmin.v4f64(<4 x double> %v)
  ret double %r
}

; A lane whose mask is off is not accessed.
; expect: {1, 2, 70, 80}
define <4 x i32> @masked_load() {
  %p = alloca [2 x i32]
  store i32 1, ptr %p
  %q = getelementptr i32, ptr %p, i64 1
  store i32 2, ptr %q
  %m = freeze <4 x i1> <i1 true, i1 true, i1 false, i1 false>
  %r = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr %p, i32 4, <4 x i1> %m, <4 x i32> <i32 50, i32 60, i32 70, i32 80>)
  ret <4 x i32> %r
}

; expect: {50, 2, 70, 4}
define <4 x i32> @masked_store() {
  %p = alloca [4 x i32]
  store <4 x i32> <i32 50, i32 60, i32 70, i32 80>, ptr %p, align 4
  %m = freeze <4 x i1> <i1 false, i1 true, i1 false, i1 true>
  call void @llvm.masked.store.v4i32.p0(<4 x i32> <i32 1, i32 2, i32 3, i32 4>, ptr %p, i32 4, <4 x i1> %m)
  %r = load <4 x i32>, ptr %p, align 4
  ret <4 x i32> %r
}

; expect: {2, 1}
define <2 x i32> @gather() {
  %p = alloca [2 x i32]
  store <2 x i32> <i32 1, i32 2>, ptr %p, align 4
  %q = getelementptr i32, ptr %p, <2 x i64> <i64 1, i64 0>
  %r = call <2 x i32> @llvm.masked.gather.v2i32.v2p0(<2 x ptr> %q, i32 4, <2 x i1> <i1 true, i1 true>, <2 x i32> poison)
  ret <2 x i32> %r
}

; expect: {-1, -1, 0, 0}
define <4 x i1> @active_lanes() {
  %b = freeze i32 8
  %r = call <4 x i1> @llvm.get.active.lane.mask.v4i1.i32(i32 %b, i32 10)
  ret <4 x i1> %r
}

; expect: {2, 3}
define <2 x double> @sqrt_lanes() {
  %v = freeze <2 x double> <double 4.0, double 9.0>
  %r = call <2 x double> @llvm.sqrt.v2f64(<2 x double> %v)
  ret <2 x double> %r
}

; expect: {-2147483648, -1}
define { i32, i1 } @sadd_overflow() {
  %a = freeze i32 2147483647
  %r = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %a, i32 1)
  ret { i32, i1 } %r
}

; expect: {-2, 0}
define { i8, i1 } @umul_no_overflow() {
  %a = freeze i8 127
  %r = call { i8, i1 } @llvm.umul.with.overflow.i8(i8 %a, i8 2)
  ret { i8, i1 } %r
}

; expect: -128
define i8 @sadd_sat() {
  %a = freeze i8 -100
  %r = call i8 @llvm.sadd.sat.i8(i8 %a, i8 -100)
  ret i8 %r
}

; expect: 0
define i8 @usub_sat() {
  %a = freeze i8 1
  %r = call i8 @llvm.usub.sat.i8(i8 %a, i8 2)
  ret i8 %r
}

; expect: 3
define i32 @ctpop() {
  %a = freeze i32 7
  %r = call i32 @llvm.ctpop.i32(i32 %a)
  ret i32 %r
}

; expect: 32
define i32 @ctlz_zero() {
  %a = freeze i32 0
  %r = call i32 @llvm.ctlz.i32(i32 %a, i1 false)
  ret i32 %r
}

; expect: poison
define i32 @cttz_zero_poison() {
  %a = freeze i32 0
  %r = call i32 @llvm.cttz.i32(i32 %a, i1 true)
  ret i32 %r
}

; expect: 67305985
define i32 @bswap() {
  %a = freeze i32 16909060
  %r = call i32 @llvm.bswap.i32(i32 %a)
  ret i32 %r
}

; expect: 64
define i8 @bitreverse() {
  %a = freeze i8 2
  %r = call i8 @llvm.bitreverse.i8(i8 %a)
  ret i8 %r
}

; expect: 15
define i8 @fshl() {
  %a = freeze i8 0
  %r = call i8 @llvm.fshl.i8(i8 %a, i8 -1, i8 12)
  ret i8 %r
}

; expect: -1
define i8 @fshr() {
  %a = freeze i8 15
  %r = call i8 @llvm.fshr.i8(i8 %a, i8 -16, i8 4)
  ret i8 %r
}

; expect: poison
define i32 @abs_poison() {
  %a = freeze i32 -2147483648
  %r = call i32 @llvm.abs.i32(i32 %a, i1 true)
  ret i32 %r
}

; expect: -2147483648
define i32 @abs_wraps() {
  %a = freeze i32 -2147483648
  %r = call i32 @llvm.abs.i32(i32 %a, i1 false)
  ret i32 %r
}

; expect: {3, -1}
define <2 x i32> @smax_lanes() {
  %a = freeze <2 x i32> <i32 3, i32 -5>
  %r = call <2 x i32> @llvm.smax.v2i32(<2 x i32> %a, <2 x i32> <i32 1, i32 -1>)
  ret <2 x i32> %r
}

; expect: -1
define i8 @ucmp() {
  %a = freeze i32 1
  %r = call i8 @llvm.ucmp.i8.i32(i32 %a, i32 -1)
  ret i8 %r
}

; "the behavior is undefined if the condition … is violated"
define void @assume_false() {
  %c = freeze i1 false
  call void @llvm.assume(i1 %c) ;~ ub assumption
  ret void
}

; expect: exit 132
define void @trap() {
  call void @llvm.trap()
  unreachable
}

; expect: 3
define i32 @expect_is_identity() {
  %a = freeze i32 3
  %r = call i32 @llvm.expect.i32(i32 %a, i32 1)
  ret i32 %r
}
