; not-native: calls a function that is nowhere defined
; Terminators, phis, calls.

declare void @abort()
declare void @exit(i32)
declare i32 @nobody(i32)

; "If cond is poison or undef, this instruction has undefined behavior."
define i32 @br_poison() {
  br i1 poison, label %a, label %b ;~ ub poison
a:
  ret i32 1
b:
  ret i32 2
}

define i32 @br_undef() {
  br i1 undef, label %a, label %b ;~ ub uninitialised
a:
  ret i32 1
b:
  ret i32 2
}

define i32 @br_uninitialised_memory() {
  %p = alloca i32
  %v = load i32, ptr %p
  %c = icmp sgt i32 %v, 0
  br i1 %c, label %a, label %b ;~ ub uninitialised
a:
  ret i32 1
b:
  ret i32 2
}

define i32 @switch_poison() {
  switch i32 poison, label %a [ i32 1, label %b ] ;~ ub poison
a:
  ret i32 1
b:
  ret i32 2
}

; expect: 30
define i32 @switch_cases() {
  %v = freeze i32 -5
  switch i32 %v, label %d [ i32 1, label %a
                            i32 -5, label %b
                            i32 7, label %c ]
a:
  ret i32 10
b:
  ret i32 30
c:
  ret i32 20
d:
  ret i32 0
}

; "The unreachable instruction has no defined semantics."
define i32 @unreachable() {
  unreachable ;~ ub unreachable
}

; Phis of a block read their values together: this swaps.
; expect: 21
define i32 @phi_swap() {
entry:
  br label %loop
loop:
  %a = phi i32 [ 1, %entry ], [ %b, %loop ]
  %b = phi i32 [ 2, %entry ], [ %a, %loop ]
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %j = add i32 %i, 1
  %c = icmp slt i32 %j, 4
  br i1 %c, label %loop, label %out
out:
  %x = mul i32 %b, 10
  %y = add i32 %x, %a
  %z = icmp eq i32 %y, 12
  %r = select i1 %z, i32 21, i32 %y
  ret i32 %r
}

; expect: {3, 1, 2}
define {i32, i32, i32} @phi_rotate() {
entry:
  br label %loop
loop:
  %a = phi i32 [ 1, %entry ], [ %c, %loop ]
  %b = phi i32 [ 2, %entry ], [ %a, %loop ]
  %c = phi i32 [ 3, %entry ], [ %b, %loop ]
  %i = phi i1 [ false, %entry ], [ true, %loop ]
  br i1 %i, label %out, label %loop
out:
  %r = insertvalue {i32, i32, i32} poison, i32 %a, 0
  %s = insertvalue {i32, i32, i32} %r, i32 %b, 1
  %t = insertvalue {i32, i32, i32} %s, i32 %c, 2
  ret {i32, i32, i32} %t
}

define i32 @fact(i32 %n) {
  %z = icmp eq i32 %n, 0
  br i1 %z, label %base, label %step
base:
  ret i32 1
step:
  %m = sub i32 %n, 1
  %f = call i32 @fact(i32 %m)
  %r = mul i32 %f, %n
  ret i32 %r
}

; expect: 3628800
define i32 @recursion() {
  %r = call i32 @fact(i32 10)
  ret i32 %r
}

define i32 @forever(i32 %n) {
  %r = call i32 @forever(i32 %n)
  ret i32 %r
}

; expect: resource
define i32 @stack_overflow() {
  %r = call i32 @forever(i32 1)
  ret i32 %r
}

; expect: resource
define void @infinite_loop() {
  br label %loop
loop:
  br label %loop
}

define i32 @twice(i32 %x) {
  %r = add i32 %x, %x
  ret i32 %r
}

; expect: 42
define i32 @indirect_call() {
  %p = alloca ptr
  store ptr @twice, ptr %p
  %f = load ptr, ptr %p
  %r = call i32 %f(i32 21)
  ret i32 %r
}

; "calling a function with a mismatched type is undefined behavior"
define i32 @wrong_signature() {
  %f = freeze ptr @twice
  %r = call i32 %f(i64 21) ;~ ub bad-call
  ret i32 %r
}

define i32 @call_null() {
  %f = freeze ptr null
  %r = call i32 %f(i32 21) ;~ ub bad-call
  ret i32 %r
}

@data = global i32 5

define i32 @call_data() {
  %f = freeze ptr @data
  %r = call i32 %f(i32 21) ;~ ub bad-call
  ret i32 %r
}

define void @never() noreturn {
  ret void
}

define i32 @noreturn_returns() {
  call void @never() ;~ ub noreturn-returned
  ret i32 1
}

; expect: exit 134
define i32 @aborts() {
  call void @abort()
  ret i32 1
}

; expect: exit 7
define i32 @exits() {
  call void @exit(i32 263)
  ret i32 1
}

; expect: unsupported
define i32 @no_body() {
  %r = call i32 @nobody(i32 1)
  ret i32 %r
}

define i32 @wants_defined(i32 noundef %x) {
  ret i32 1
}

; "noundef: … if the value is undef or poison, the behavior is undefined"
define i32 @noundef_argument() {
  %r = call i32 @wants_defined(i32 poison) ;~ ub poison
  ret i32 %r
}

define i32 @noundef_uninitialised() {
  %p = alloca i32
  %v = load i32, ptr %p
  %r = call i32 @wants_defined(i32 %v) ;~ ub uninitialised
  ret i32 %r
}

define noundef i32 @returns_poison() {
  ret i32 poison
}

define i32 @noundef_result() {
  %r = call i32 @returns_poison() ;~ ub poison
  ret i32 %r
}

define i32 @wants_nonnull(ptr nonnull noundef %p) {
  ret i32 1
}

; "nonnull … if the pointer is null, poison"; with noundef that is undefined behaviour.
define i32 @nonnull_argument() {
  %n = freeze ptr null
  %r = call i32 @wants_nonnull(ptr %n) ;~ ub poison
  ret i32 %r
}

define i32 @wants_eight(ptr dereferenceable(8) %p) {
  ret i32 1
}

define i32 @dereferenceable_argument() {
  %p = alloca i32
  %r = call i32 @wants_eight(ptr %p) ;~ ub attribute
  ret i32 %r
}

define i32 @wants_aligned(ptr noundef align 64 %p) {
  ret i32 1
}

define i32 @align_argument() {
  %p = alloca [128 x i8], align 64
  %q = getelementptr i8, ptr %p, i64 4
  %r = call i32 @wants_aligned(ptr %q) ;~ ub poison
  ret i32 %r
}

define i32 @wants_small(i32 noundef range(i32 0, 10) %x) {
  ret i32 %x
}

define i32 @range_argument() {
  %x = freeze i32 10
  %r = call i32 @wants_small(i32 %x) ;~ ub poison
  ret i32 %r
}

; expect: 9
define i32 @range_argument_inside() {
  %x = freeze i32 9
  %r = call i32 @wants_small(i32 %x)
  ret i32 %r
}

; "byval: a hidden copy of the pointee is made between the caller and the callee"
define void @spoils(ptr byval(i32) %p) {
  store i32 99, ptr %p
  ret void
}

; expect: 5
define i32 @byval_copies() {
  %p = alloca i32
  store i32 5, ptr %p
  call void @spoils(ptr byval(i32) %p)
  %r = load i32, ptr %p
  ret i32 %r
}

; "The calling convention of any pair of dynamic caller/callee must match, or the behavior of the program is undefined":
; byval changes how an argument travels.
define i32 @byval_is_not_given() {
  %p = alloca i32
  store i32 5, ptr %p
  call void @spoils(ptr %p) ;~ ub bad-call
  %r = load i32, ptr %p
  ret i32 %r
}

define i32 @byval_is_not_taken() {
  %p = alloca i32
  store i32 5, ptr %p
  %r = call i32 @reads(ptr byval(i32) %p) ;~ ub bad-call
  ret i32 %r
}

define i32 @byval_of_another_size() {
  %p = alloca i64
  store i64 5, ptr %p
  call void @spoils(ptr byval(i64) %p) ;~ ub bad-call
  ret i32 0
}

define i32 @byval_through_a_pointer() {
  %p = alloca i32
  store i32 5, ptr %p
  %f = select i1 true, ptr @spoils, ptr @reads
  call void %f(ptr %p) ;~ ub bad-call
  ret i32 0
}

define i32 @reads(ptr %p) {
  %r = load i32, ptr %p
  ret i32 %r
}

; select picks one operand and does not look at the other.
; expect: 1
define i32 @select_ignores_poison() {
  %c = freeze i1 true
  %r = select i1 %c, i32 1, i32 poison
  ret i32 %r
}

; expect: poison
define i32 @select_on_poison() {
  %r = select i1 poison, i32 1, i32 1
  ret i32 %r
}

; expect: {1, 20}
define <2 x i32> @select_by_lane() {
  %c = freeze <2 x i1> <i1 true, i1 false>
  %r = select <2 x i1> %c, <2 x i32> <i32 1, i32 2>, <2 x i32> <i32 10, i32 20>
  ret <2 x i32> %r
}
