; not-native: takes an address in eight bits, for which position-independent code has no relocation
; Terminators, phis, calls, variadic functions, constant expressions.

declare void @llvm.va_start.p0(ptr)
declare void @llvm.va_end.p0(ptr)
declare void @llvm.va_copy.p0(ptr, ptr)
declare void @llvm.trap()
declare void @llvm.donothing()
declare i32 @__gxx_personality_v0(...)
@table = constant [2 x ptr] [ptr blockaddress(@jump_first, %one), ptr blockaddress(@jump_first, %two)]
@bytes = global [4 x i8] c"\01\02\03\04"
@pair = global { i8, i32 } { i8 1, i32 2 }
@third = global ptr getelementptr inbounds ([4 x i8], ptr @bytes, i64 0, i64 2)
@second = alias i8, getelementptr inbounds ([4 x i8], ptr @bytes, i64 0, i64 1)
@distance = constant i64 sub (i64 ptrtoint (ptr getelementptr (i8, ptr @bytes, i64 3) to i64), i64 ptrtoint (ptr @bytes to i64))
@low = constant i8 trunc (i64 ptrtoint (ptr @bytes to i64) to i8)
@weak_function = extern_weak global i32

; "The indirectbr instruction implements an indirect branch to a label within the current function, whose address is
; specified by address."
; expect: 2
define i32 @jump_first() {
  %p = getelementptr [2 x ptr], ptr @table, i64 0, i64 1
  %to = load ptr, ptr %p
  indirectbr ptr %to, [label %one, label %two]
one:
  ret i32 1
two:
  ret i32 2
}

; expect: 2
define i32 @jump_direct() {
  indirectbr ptr blockaddress(@jump_direct, %b), [label %a, label %b]
a:
  ret i32 1
b:
  ret i32 2
}

; "All possible destination blocks must be listed in the label list, otherwise this instruction has undefined
; behavior."
define i32 @jump_unlisted() {
  indirectbr ptr blockaddress(@jump_unlisted, %c), [label %a, label %b] ;~ ub bad-call
a:
  ret i32 1
b:
  ret i32 2
c:
  ret i32 3
}

define i32 @jump_elsewhere() {
  %p = load ptr, ptr @table
  indirectbr ptr %p, [label %a, label %b] ;~ ub bad-call
a:
  ret i32 1
b:
  ret i32 2
}

define i32 @jump_poison() {
  indirectbr ptr poison, [label %a] ;~ ub poison
a:
  ret i32 1
}

; Phis of an indirect branch take the value of the edge.
; expect: 5
define i32 @jump_with_phi() {
  br label %start
start:
  indirectbr ptr blockaddress(@jump_with_phi, %b), [label %a, label %b]
a:
  br label %b
b:
  %r = phi i32 [ 5, %start ], [ 6, %a ]
  ret i32 %r
}

; "If there is no match … control flow is transferred to the default destination"; widths beyond a word too.
; expect: 30
define i32 @switch_3() {
  %v = add i32 3, 0
  switch i32 %v, label %d [ i32 3, label %a i32 4, label %b ]
a:
  ret i32 30
b:
  ret i32 40
d:
  ret i32 0
}

; expect: 40
define i32 @switch_4() {
  %v = add i32 4, 0
  switch i32 %v, label %d [ i32 3, label %a i32 4, label %b ]
a:
  ret i32 30
b:
  ret i32 40
d:
  ret i32 0
}

; expect: 0
define i32 @switch_1() {
  %v = add i32 -1, 0
  switch i32 %v, label %d [ i32 3, label %a i32 4, label %b ]
a:
  ret i32 30
b:
  ret i32 40
d:
  ret i32 0
}

; expect: 2
define i32 @switch_wide() {
  %v = shl i128 1, 100
  switch i128 %v, label %d [ i128 1, label %a i128 1267650600228229401496703205376, label %b ]
a:
  ret i32 1
b:
  ret i32 2
d:
  ret i32 3
}

define i32 @switch_undef() {
  switch i32 undef, label %d [ i32 3, label %d ] ;~ ub uninitialised
d:
  ret i32 0
}

; An invoke whose callee returns goes on at its normal destination.
define i32 @seven() {
  ret i32 7
}

; expect: 7
define i32 @invoke_returns() personality ptr @__gxx_personality_v0 {
  %r = invoke i32 @seven() to label %ok unwind label %bad
ok:
  ret i32 %r
bad:
  %l = landingpad { ptr, i32 } cleanup
  ret i32 0
}

; Phis are evaluated at once, "on the edges".
; expect: {2, 1}
define { i32, i32 } @phi_parallel() {
  br label %loop
loop:
  %a = phi i32 [ 1, %0 ], [ %b, %loop ]
  %b = phi i32 [ 2, %0 ], [ %a, %loop ]
  %i = phi i32 [ 0, %0 ], [ %j, %loop ]
  %j = add i32 %i, 1
  %c = icmp ult i32 %j, 4
  br i1 %c, label %loop, label %end
end:
  %x = insertvalue { i32, i32 } poison, i32 %a, 0
  %y = insertvalue { i32, i32 } %x, i32 %b, 1
  ret { i32, i32 } %y
}

; Variadic arguments come in order (llvm.va_start, va_arg, llvm.va_copy).
define i64 @sum_of_three(i32 %n, ...) {
  %list = alloca [24 x i8], align 8
  call void @llvm.va_start.p0(ptr %list)
  %a = va_arg ptr %list, i32
  %b = va_arg ptr %list, i64
  %c = va_arg ptr %list, i32
  call void @llvm.va_end.p0(ptr %list)
  %x = sext i32 %a to i64
  %z = sext i32 %c to i64
  %s = add i64 %x, %b
  %t = add i64 %s, %z
  ret i64 %t
}

define double @last_of_twelve(i32 %n, ...) {
  %list = alloca [24 x i8], align 8
  %copy = alloca [24 x i8], align 8
  call void @llvm.va_start.p0(ptr %list)
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %j, %loop ]
  %d = va_arg ptr %list, double
  %j = add i32 %i, 1
  %more = icmp ult i32 %j, 11
  br i1 %more, label %loop, label %end
end:
  call void @llvm.va_copy.p0(ptr %copy, ptr %list)
  %x = va_arg ptr %list, double
  %y = va_arg ptr %copy, double
  %s = fadd double %x, %y
  call void @llvm.va_end.p0(ptr %list)
  call void @llvm.va_end.p0(ptr %copy)
  ret double %s
}

; expect: -279
define i64 @variadic_integers() {
  %r = call i64 (i32, ...) @sum_of_three(i32 3, i32 1, i64 20, i32 -300)
  ret i64 %r
}

; expect: 24
define double @variadic_beyond_registers() {
  %r = call double (i32, ...) @last_of_twelve(i32 12, double 1.0, double 2.0, double 3.0, double 4.0, double 5.0, double 6.0, double 7.0, double 8.0, double 9.0, double 10.0, double 11.0, double 12.0)
  ret double %r
}

; A trap ends the program; donothing does nothing.
; expect: exit 132
define void @trap() {
  call void @llvm.trap()
  ret void
}

; expect: 1
define i32 @donothing() {
  call void @llvm.donothing()
  ret i32 1
}

; Constant expressions: getelementptr, sub, trunc, ptrtoint, inttoptr, xor; aliases; an absent extern_weak symbol.
; expect: 3
define i8 @constant_gep() {
  %p = load ptr, ptr @third
  %r = load i8, ptr %p
  ret i8 %r
}

; expect: 4
define i8 @constant_gep_in_place() {
  %r = load i8, ptr getelementptr inbounds ([4 x i8], ptr @bytes, i64 0, i64 3)
  ret i8 %r
}

; expect: 2
define i8 @constant_alias() {
  %r = load i8, ptr @second
  ret i8 %r
}

; expect: 3
define i64 @constant_difference() {
  %r = load i64, ptr @distance
  ret i64 %r
}

; expect: -1
define i1 @constant_trunc() {
  %a = load i8, ptr @low
  %b = ptrtoint ptr @bytes to i8
  %r = icmp eq i8 %a, %b
  ret i1 %r
}

; expect: 1
define i8 @constant_cast_round_trip() {
  %r = load i8, ptr inttoptr (i64 ptrtoint (ptr @bytes to i64) to ptr)
  ret i8 %r
}

; expect: 3
define i64 @constant_xor() {
  %a = load i64, ptr @distance
  %r = xor i64 %a, xor (i64 ptrtoint (ptr @bytes to i64), i64 ptrtoint (ptr @bytes to i64))
  ret i64 %r
}

; expect: 0
define i8 @constant_padding_is_zero() {
  %p = getelementptr i8, ptr @pair, i64 2
  %r = load i8, ptr %p
  ret i8 %r
}

; A block's address is no object: its contents cannot be read.
define i8 @read_of_a_block() {
  %r = load i8, ptr blockaddress(@jump_first, %one) ;~ ub invalid-pointer
  ret i8 %r
}
