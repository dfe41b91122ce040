; Vectors and aggregates: lanes moved about.

declare <4 x i32> @llvm.vector.splice.v4i32(<4 x i32>, <4 x i32>, i32)
declare <4 x i64> @llvm.vector.interleave2.v4i64(<2 x i64>, <2 x i64>)
declare { <2 x i32>, <2 x i32> } @llvm.vector.deinterleave2.v4i32(<4 x i32>)
declare <4 x i32> @llvm.vector.reverse.v4i32(<4 x i32>)
declare <2 x i32> @llvm.vector.extract.v2i32.v4i32(<4 x i32>, i64)
declare <5 x i8> @llvm.experimental.stepvector.v5i8()
declare <4 x i32> @llvm.experimental.vector.compress.v4i32(<4 x i32>, <4 x i1>, <4 x i32>)
declare i16 @llvm.experimental.cttz.elts.i16.v4i32(<4 x i32>, i1)
declare i16 @llvm.experimental.cttz.elts.i16.v4i1(<4 x i1>, i1)
declare <4 x i1> @llvm.get.active.lane.mask.v4i1.i8(i8, i8)
declare i32 @llvm.experimental.get.vector.length.i64(i64, i32, i1)

; "llvm.vector.splice(<A,B,C,D>, <E,F,G,H>, 1); ==> <B, C, D, E> index; llvm.vector.splice(<A,B,C,D>, <E,F,G,H>, -3);
; ==> <B, C, D, E> trailing elements".
; expect: {2, 3, 4, 5}
define <4 x i32> @splice_index() {
  %r = call <4 x i32> @llvm.vector.splice.v4i32(<4 x i32> <i32 1, i32 2, i32 3, i32 4>, <4 x i32> <i32 5, i32 6, i32 7, i32 8>, i32 1)
  ret <4 x i32> %r
}

; expect: {2, 3, 4, 5}
define <4 x i32> @splice_trailing() {
  %r = call <4 x i32> @llvm.vector.splice.v4i32(<4 x i32> <i32 1, i32 2, i32 3, i32 4>, <4 x i32> <i32 5, i32 6, i32 7, i32 8>, i32 -3)
  ret <4 x i32> %r
}

; "<4 x i64> llvm.vector.interleave2.v4i64(<2 x i64> <i64 0, i64 2>, <2 x i64> <i64 1, i64 3>); ==> <4 x i64> <i64 0,
; i64 1, i64 2, i64 3>", and back.
; expect: {0, 1, 2, 3}
define <4 x i64> @interleave() {
  %r = call <4 x i64> @llvm.vector.interleave2.v4i64(<2 x i64> <i64 0, i64 2>, <2 x i64> <i64 1, i64 3>)
  ret <4 x i64> %r
}

; expect: {1, 3, 2, 4}
define { <2 x i32>, <2 x i32> } @deinterleave() {
  %r = call { <2 x i32>, <2 x i32> } @llvm.vector.deinterleave2.v4i32(<4 x i32> <i32 1, i32 2, i32 3, i32 4>)
  ret { <2 x i32>, <2 x i32> } %r
}

; "The 'llvm.vector.reverse.*' intrinsics reverse a vector."
; expect: {4, 3, 2, 1}
define <4 x i32> @reverse() {
  %r = call <4 x i32> @llvm.vector.reverse.v4i32(<4 x i32> <i32 1, i32 2, i32 3, i32 4>)
  ret <4 x i32> %r
}

; "The subvector … starting at idx" of vec (llvm.vector.extract).
; expect: {3, 4}
define <2 x i32> @vector_extract() {
  %r = call <2 x i32> @llvm.vector.extract.v2i32.v4i32(<4 x i32> <i32 1, i32 2, i32 3, i32 4>, i64 2)
  ret <2 x i32> %r
}

; "A vector whose lanes comprise the linear sequence <0, 1, 2, …>".
; expect: {0, 1, 2, 3, 4}
define <5 x i8> @stepvector() {
  %r = call <5 x i8> @llvm.experimental.stepvector.v5i8()
  ret <5 x i8> %r
}

; "All selected elements are written into adjacent lanes in the result vector, from lower to higher. … all remaining
; lanes are filled with the corresponding lane's value from passthru."
; expect: {2, 4, 7, 8}
define <4 x i32> @vector_compress() {
  %r = call <4 x i32> @llvm.experimental.vector.compress.v4i32(<4 x i32> <i32 1, i32 2, i32 3, i32 4>, <4 x i1> <i1 false, i1 true, i1 false, i1 true>, <4 x i32> <i32 5, i32 6, i32 7, i32 8>)
  ret <4 x i32> %r
}

; "counts the number of trailing zero elements of a vector"; "if the first argument is all zero and the second
; argument is true, the result is poison".
; expect: 2
define i16 @cttz_elts() {
  %r = call i16 @llvm.experimental.cttz.elts.i16.v4i32(<4 x i32> <i32 0, i32 0, i32 5, i32 0>, i1 true)
  ret i16 %r
}

; expect: 4
define i16 @cttz_elts_none() {
  %r = call i16 @llvm.experimental.cttz.elts.i16.v4i1(<4 x i1> zeroinitializer, i1 false)
  ret i16 %r
}

define i16 @cttz_elts_poison() {
  %r = call i16 @llvm.experimental.cttz.elts.i16.v4i1(<4 x i1> zeroinitializer, i1 true) ;~ poison
  ret i16 %r
}

; "%m[i] = icmp ult (%base + i), %n", where "the addition … does not overflow".
; expect: {-1, -1, 0, 0}
define <4 x i1> @active_lanes() {
  %r = call <4 x i1> @llvm.get.active.lane.mask.v4i1.i8(i8 5, i8 7)
  ret <4 x i1> %r
}

; expect: {-1, 0, 0, 0}
define <4 x i1> @active_lanes_do_not_wrap() {
  %r = call <4 x i1> @llvm.get.active.lane.mask.v4i1.i8(i8 -2, i8 -1)
  ret <4 x i1> %r
}

; open: any number from one to the smaller of both.
; "This intrinsic will only return 0 if the input count is also 0." The choice made here is the smaller of count and
; factor.
; expect: 3
define i32 @vector_length() {
  %r = call i32 @llvm.experimental.get.vector.length.i64(i64 3, i32 8, i1 false)
  ret i32 %r
}

; "If idx exceeds the length of val for a fixed-length vector, the result is a poison value." (extractelement,
; insertelement)
define i32 @extract_past_the_end() {
  %i = add i32 3, 1
  %r = extractelement <4 x i32> <i32 1, i32 2, i32 3, i32 4>, i32 %i ;~ poison
  ret i32 %r
}

define i32 @extract_negative() {
  %i = sub i8 0, 1
  %r = extractelement <4 x i32> <i32 1, i32 2, i32 3, i32 4>, i8 %i ;~ poison
  ret i32 %r
}

define <4 x i32> @insert_past_the_end() {
  %i = add i32 3, 1
  %r = insertelement <4 x i32> <i32 1, i32 2, i32 3, i32 4>, i32 9, i32 %i ;~ poison
  ret <4 x i32> %r
}

; expect: poison
define i32 @insert_poison_index() {
  %r = insertelement <4 x i32> <i32 1, i32 2, i32 3, i32 4>, i32 9, i32 poison
  %e = extractelement <4 x i32> %r, i32 0
  ret i32 %e
}

; "If the shuffle mask element is poison, the result element is poison"; mask elements number both operands through.
; expect: {8, 1, poison, 5}
define <4 x i32> @shuffle_both() {
  %r = shufflevector <4 x i32> <i32 1, i32 2, i32 3, i32 4>, <4 x i32> <i32 5, i32 6, i32 7, i32 8>, <4 x i32> <i32 7, i32 0, i32 poison, i32 4>
  ret <4 x i32> %r
}

; expect: {1, 5, 2, 6, 3, 7}
define <6 x i32> @shuffle_widens() {
  %r = shufflevector <4 x i32> <i32 1, i32 2, i32 3, i32 4>, <4 x i32> <i32 5, i32 6, i32 7, i32 8>, <6 x i32> <i32 0, i32 4, i32 1, i32 5, i32 2, i32 6>
  ret <6 x i32> %r
}

; expect: {1, 1, 1, 1}
define <4 x i32> @shuffle_splat() {
  %r = shufflevector <4 x i32> <i32 1, i32 2, i32 3, i32 4>, <4 x i32> <i32 5, i32 6, i32 7, i32 8>, <4 x i32> zeroinitializer
  ret <4 x i32> %r
}

; expect: {4, poison}
define <2 x i32> @shuffle_of_poison_operand() {
  %r = shufflevector <4 x i32> <i32 1, i32 2, i32 3, i32 4>, <4 x i32> poison, <2 x i32> <i32 3, i32 5>
  ret <2 x i32> %r
}

; extractvalue and insertvalue: "the value at the position in the aggregate specified by the index operands".
; expect: 9
define i8 @aggregate_nested() {
  %a = insertvalue { i32, [2 x { i8, i64 }] } zeroinitializer, i8 9, 1, 1, 0
  %r = extractvalue { i32, [2 x { i8, i64 }] } %a, 1, 1, 0
  ret i8 %r
}

; expect: {1, 2, 7}
define { i32, { i8, i64 } } @aggregate_keeps_the_rest() {
  %a = insertvalue { i32, { i8, i64 } } { i32 1, { i8, i64 } { i8 2, i64 3 } }, i64 7, 1, 1
  ret { i32, { i8, i64 } } %a
}

; expect: {poison, 2, 3}
define { i32, { i8, i64 } } @aggregate_whole_member() {
  %a = insertvalue { i32, { i8, i64 } } poison, { i8, i64 } { i8 2, i64 3 }, 1
  ret { i32, { i8, i64 } } %a
}

; "If the condition is a vector of i1, then the value arguments must be vectors of the same size, and the selection is
; done element by element." A poison condition makes poison.
; expect: {1, 6, poison, 4}
define <4 x i32> @select_lanes() {
  %r = select <4 x i1> <i1 true, i1 false, i1 poison, i1 true>, <4 x i32> <i32 1, i32 2, i32 3, i32 4>, <4 x i32> <i32 5, i32 6, i32 7, i32 8>
  ret <4 x i32> %r
}

; expect: {5, 6, 7, 8}
define <4 x i32> @select_whole_vector() {
  %r = select i1 false, <4 x i32> <i32 1, i32 2, i32 3, i32 4>, <4 x i32> <i32 5, i32 6, i32 7, i32 8>
  ret <4 x i32> %r
}

; expect: {1, 2}
define { i32, i8 } @select_aggregate() {
  %r = select i1 true, { i32, i8 } { i32 1, i8 2 }, { i32, i8 } poison
  ret { i32, i8 } %r
}
