; Objects, addresses and provenance.

declare ptr @malloc(i64)
declare void @free(ptr)
@array = global [4 x i32] [i32 1, i32 2, i32 3, i32 4]
@nested = global { i8, [2 x { i16, i32 }] } { i8 1, [2 x { i16, i32 }] [{ i16, i32 } { i16 2, i32 3 }, { i16, i32 } { i16 4, i32 5 }] }
@packed = global <{ i8, i32 }> <{ i8 1, i32 2 }>
@empty = global {} zeroinitializer
@text = constant [3 x i8] c"ab\00"
@wide = global i128 18446744073709551617
@odd = global i24 -2

; "The type of each index argument depends on the type it is indexing into": structures by field offset, arrays by
; element size.
; expect: 5
define i32 @gep_nested() {
  %p = getelementptr { i8, [2 x { i16, i32 }] }, ptr @nested, i64 0, i32 1, i64 1, i32 1
  %r = load i32, ptr %p
  ret i32 %r
}

; expect: 2
define i32 @gep_packed() {
  %p = getelementptr <{ i8, i32 }>, ptr @packed, i64 0, i32 1
  %r = load i32, ptr %p, align 1
  ret i32 %r
}

; expect: 2
define i32 @gep_negative_index() {
  %p = getelementptr i32, ptr @array, i64 3
  %q = getelementptr i32, ptr %p, i64 -2
  %r = load i32, ptr %q
  ret i32 %r
}

; expect: 3
define i32 @gep_narrow_index_is_signed() {
  %p = getelementptr i32, ptr @array, i64 3
  %q = getelementptr i32, ptr %p, i8 -1
  %r = load i32, ptr %q
  ret i32 %r
}

; expect: {2, 4}
define <2 x i32> @gep_lanes() {
  %p = getelementptr i32, ptr @array, <2 x i64> <i64 1, i64 3>
  %a = extractelement <2 x ptr> %p, i32 0
  %b = extractelement <2 x ptr> %p, i32 1
  %x = load i32, ptr %a
  %y = load i32, ptr %b
  %v = insertelement <2 x i32> poison, i32 %x, i32 0
  %w = insertelement <2 x i32> %v, i32 %y, i32 1
  ret <2 x i32> %w
}

; inbounds: "the base pointer has an in bounds address of the allocated object … after each offset is added"; one past
; the end is in bounds.
; expect: -1
define i1 @inbounds_one_past() {
  %p = getelementptr inbounds i32, ptr @array, i64 4
  %r = icmp ne ptr %p, null
  ret i1 %r
}

define ptr @inbounds_two_past() {
  %p = getelementptr inbounds i32, ptr @array, i64 5 ;~ poison
  ret ptr %p
}

define ptr @inbounds_before() {
  %p = getelementptr inbounds i8, ptr @array, i64 -1 ;~ poison
  ret ptr %p
}

define ptr @inbounds_base_outside() {
  %q = getelementptr i8, ptr @array, i64 100
  %p = getelementptr inbounds i8, ptr %q, i64 -90 ;~ poison
  ret ptr %p
}

; expect: -1
define i1 @inbounds_null_zero() {
  %p = getelementptr inbounds i8, ptr null, i64 0
  %r = icmp eq ptr %p, null
  ret i1 %r
}

define ptr @inbounds_null_offset() {
  %p = getelementptr inbounds i8, ptr null, i64 8 ;~ poison
  ret ptr %p
}

; nuw: "the … additions of offsets … do not wrap the address space in an unsigned sense"; nusw in a signed sense of
; the offset.
define ptr @gep_nuw_negative() {
  %p = getelementptr nuw i8, ptr @array, i64 -1 ;~ poison
  ret ptr %p
}

; expect: 2
define i32 @gep_nuw_fits() {
  %p = getelementptr nuw i8, ptr @array, i64 4
  %r = load i32, ptr %p
  ret i32 %r
}

; expect: -1
define i1 @gep_nusw_negative_fits() {
  %p = getelementptr nusw i8, ptr @array, i64 -1
  %r = icmp ne ptr %p, null
  ret i1 %r
}

define ptr @gep_nusw_wraps() {
  %p = getelementptr nusw i8, ptr inttoptr (i64 8 to ptr), i64 -16 ;~ poison
  ret ptr %p
}

; expect: -8
define i64 @gep_plain_wraps() {
  %p = getelementptr i8, ptr inttoptr (i64 8 to ptr), i64 -16
  %r = ptrtoint ptr %p to i64
  ret i64 %r
}

; "Any memory access must be done through a pointer value associated with an address range of the memory access": the
; neighbour cannot be reached.
define i8 @neighbour_of_a_heap_block() {
  %a = call ptr @malloc(i64 16)
  %b = call ptr @malloc(i64 16)
  store i8 1, ptr %b
  %x = ptrtoint ptr %a to i64
  %y = ptrtoint ptr %b to i64
  %d = sub i64 %y, %x
  %p = getelementptr i8, ptr %a, i64 %d
  %r = load i8, ptr %p ;~ ub out-of-bounds
  ret i8 %r
}

define i32 @past_the_end_read() {
  %p = getelementptr i32, ptr @array, i64 4
  %r = load i32, ptr %p ;~ ub out-of-bounds
  ret i32 %r
}

define i8 @empty_object() {
  %r = load i8, ptr @empty ;~ ub out-of-bounds
  ret i8 %r
}

define void @write_to_text() {
  store i8 0, ptr @text ;~ ub read-only
  ret void
}

define void @write_to_a_function() {
  store i8 0, ptr @malloc ;~ ub out-of-bounds
  ret void
}

define i32 @integer_past_the_end() {
  %a = ptrtoint ptr @array to i64
  %b = add i64 %a, 16
  %p = inttoptr i64 %b to ptr
  %r = load i32, ptr %p ;~ ub out-of-bounds
  ret i32 %r
}

define void @freed_then_written() {
  %p = call ptr @malloc(i64 4)
  call void @free(ptr %p)
  store i32 1, ptr %p ;~ ub use-after-free
  ret void
}

; Memory is little-endian; integers of odd widths take whole bytes, their padding bits zero-extended.
; expect: 1
define i64 @low_word_first() {
  %r = load i64, ptr @wide
  ret i64 %r
}

; expect: 1
define i64 @high_word_second() {
  %p = getelementptr i64, ptr @wide, i64 1
  %r = load i64, ptr %p
  ret i64 %r
}

; expect: -1
define i8 @odd_width_bytes() {
  %p = getelementptr i8, ptr @odd, i64 2
  %r = load i8, ptr %p
  ret i8 %r
}

; expect: -2
define i24 @odd_width_round_trip() {
  %r = load i24, ptr @odd
  ret i24 %r
}

; expect: 1
define i8 @bool_in_memory() {
  %p = alloca i1
  store i1 true, ptr %p
  %r = load i8, ptr %p
  ret i8 %r
}

; expect: 127
define i8 @seven_bits_in_memory() {
  %p = alloca i7
  store i7 -1, ptr %p
  %r = load i8, ptr %p
  ret i8 %r
}

; expect: 1065353216
define i32 @type_punned() {
  %p = alloca float
  store float 1.0, ptr %p
  %r = load i32, ptr %p
  ret i32 %r
}

; expect: -1
define i1 @pointer_read_as_integer() {
  %p = alloca ptr
  store ptr @array, ptr %p
  %x = load i64, ptr %p
  %y = ptrtoint ptr @array to i64
  %r = icmp eq i64 %x, %y
  ret i1 %r
}

; expect: {3, 4}
define { i8, i32 } @aggregate_through_memory() {
  %p = alloca { i8, i32 }
  store { i8, i32 } { i8 3, i32 4 }, ptr %p
  %r = load { i8, i32 }, ptr %p
  ret { i8, i32 } %r
}

; expect: undef
define i8 @padding_is_not_stored() {
  %p = alloca { i8, i32 }
  store { i8, i32 } { i8 3, i32 4 }, ptr %p
  %q = getelementptr i8, ptr %p, i64 1
  %r = load i8, ptr %q
  ret i8 %r
}

; "NumElements … allocates … sizeof(<type>)*NumElements bytes"; none are an object that cannot be read.
; expect: 8
define i32 @alloca_many() {
  %n = add i32 2, 1
  %p = alloca i32, i32 %n
  %q = getelementptr i32, ptr %p, i64 2
  store i32 8, ptr %q
  %r = load i32, ptr %q
  ret i32 %r
}

define void @alloca_too_few() {
  %n = add i32 1, 1
  %p = alloca i32, i32 %n
  %q = getelementptr i32, ptr %p, i64 2
  store i32 8, ptr %q ;~ ub out-of-bounds
  ret void
}

define i8 @alloca_none() {
  %n = sub i32 1, 1
  %p = alloca i8, i32 %n
  %r = load i8, ptr %p ;~ ub out-of-bounds
  ret i8 %r
}

; expect: 0
define i64 @alloca_aligned() {
  %p = alloca i8, align 4096
  %a = ptrtoint ptr %p to i64
  %r = and i64 %a, 4095
  ret i64 %r
}

define void @alloca_poison_count() {
  %p = alloca i8, i32 poison ;~ ub poison
  ret void
}

; An aggregate with a vector of bits: the vector lies packed, the members around it at their own offsets.
; expect: {1, 7, -1, 0, 9}
define { <2 x i32>, <2 x i1>, i8 } @packed_member_round_trip() {
  %p = alloca { <2 x i32>, <2 x i1>, i8 }
  store { <2 x i32>, <2 x i1>, i8 } { <2 x i32> <i32 1, i32 7>, <2 x i1> <i1 true, i1 false>, i8 9 }, ptr %p
  %r = load { <2 x i32>, <2 x i1>, i8 }, ptr %p
  ret { <2 x i32>, <2 x i1>, i8 } %r
}
