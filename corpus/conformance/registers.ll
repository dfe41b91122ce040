; Scalars on the stack whose address only their function uses: an engine may keep them in registers, and nobody can tell.
; "The allocated memory is uninitialized, and loading from uninitialized memory produces an undefined value" (alloca).

@cell = global i32 5

define i32 @other(i32 %x) {
  %r = mul i32 %x, 10
  ret i32 %r
}

; The old value is used after the new one has been stored.
; expect: 45
define i32 @old_and_new() {
  %p = alloca i32
  store i32 4, ptr %p
  %old = load i32, ptr %p
  %new = add i32 %old, 1
  store i32 %new, ptr %p
  %tens = mul i32 %old, 10
  %now = load i32, ptr %p
  %r = add i32 %tens, %now
  ret i32 %r
}

; expect: 21
define i32 @exchanged() {
  %p = alloca i32
  %q = alloca i32
  store i32 1, ptr %p
  store i32 2, ptr %q
  %a = load i32, ptr %p
  %b = load i32, ptr %q
  store i32 %b, ptr %p
  store i32 %a, ptr %q
  %c = load i32, ptr %p
  %d = load i32, ptr %q
  %tens = mul i32 %c, 10
  %r = add i32 %tens, %d
  ret i32 %r
}

; A value is computed, the object is read and written again, and only then the value is stored.
; expect: 93
define i32 @stored_later() {
  %p = alloca i32
  store i32 2, ptr %p
  %a = load i32, ptr %p
  %later = add i32 %a, 1
  store i32 9, ptr %p
  %b = load i32, ptr %p
  store i32 %later, ptr %p
  %c = load i32, ptr %p
  %tens = mul i32 %b, 10
  %r = add i32 %tens, %c
  ret i32 %r
}

; A comparison is made where it stands, not where its branch is.
; expect: 1
define i32 @compared_before() {
  %p = alloca i32
  store i32 3, ptr %p
  %a = load i32, ptr %p
  %less = icmp slt i32 %a, 4
  store i32 8, ptr %p
  br i1 %less, label %yes, label %no
yes:
  ret i32 1
no:
  ret i32 0
}

; What was loaded in one block is used in another, behind a store.
; expect: 32
define i32 @across_blocks() {
  %p = alloca i32
  store i32 3, ptr %p
  %a = load i32, ptr %p
  br label %next
next:
  store i32 2, ptr %p
  %b = load i32, ptr %p
  %tens = mul i32 %a, 10
  %r = add i32 %tens, %b
  ret i32 %r
}

; The value for a phi is the one at the end of the block that it comes from.
; expect: 12
define i32 @into_phis() {
  %p = alloca i32
  store i32 1, ptr %p
  br label %loop
loop:
  %before = phi i32 [ 0, %0 ], [ %a, %loop ]
  %a = load i32, ptr %p
  %next = add i32 %a, 1
  store i32 %next, ptr %p
  %more = icmp slt i32 %next, 3
  br i1 %more, label %loop, label %done
done:
  %tens = mul i32 %before, 10
  %r = add i32 %tens, %a
  ret i32 %r
}

; expect: 40
define i32 @through_a_call() {
  %p = alloca i32
  store i32 4, ptr %p
  %a = load i32, ptr %p
  %b = call i32 @other(i32 %a)
  store i32 %b, ptr %p
  %r = load i32, ptr %p
  ret i32 %r
}

; Each execution of alloca makes another object, whose contents are undefined again.
define i32 @anew_in_a_loop() {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %skip ]
  %p = alloca i32
  %first = icmp eq i32 %i, 0
  br i1 %first, label %write, label %skip
write:
  store i32 1, ptr %p
  br label %skip
skip:
  %r = load i32, ptr %p
  %known = icmp eq i32 %r, 1
  %next = add i32 %i, 1
  br i1 %known, label %loop, label %done ;~ ub uninitialised
done:
  ret i32 0
}

define i32 @written_on_one_way() {
  %p = alloca i32
  br i1 false, label %write, label %read
write:
  store i32 1, ptr %p
  br label %read
read:
  %r = load i32, ptr %p
  %q = sdiv i32 6, %r ;~ ub uninitialised
  ret i32 %q
}

; Poison is stored and loaded as it is.
define i32 @poison_kept() {
  %p = alloca i32
  %big = add nsw i32 2147483647, 1 ;~ poison
  store i32 %big, ptr %p
  %r = load i32, ptr %p
  ret i32 %r
}

; expect: 5
define i32 @pointer_kept() {
  %p = alloca ptr
  store ptr @cell, ptr %p
  %q = load ptr, ptr %p
  %r = load i32, ptr %q
  ret i32 %r
}

; An object that is accessed as two types stays in memory.
; expect: 1077936128
define i32 @two_types() {
  %p = alloca float
  store float 3.0, ptr %p
  %r = load i32, ptr %p
  ret i32 %r
}

; A read of more than the object has.
define i32 @wider_than_the_object() {
  %p = alloca i16
  %r = load i32, ptr %p ;~ ub out-of-bounds
  ret i32 %r
}

; The index is extended where it is used: the number it comes from may have changed since in the object it was loaded from.
; expect: 2
define i32 @index_before_the_change() {
  %i = alloca i32
  %table = alloca [4 x i32]
  store i32 2, ptr %i
  %two = getelementptr inbounds [4 x i32], ptr %table, i64 0, i64 2
  store i32 2, ptr %two
  %three = getelementptr inbounds [4 x i32], ptr %table, i64 0, i64 3
  store i32 3, ptr %three
  %a = load i32, ptr %i
  %wide = sext i32 %a to i64
  %next = add i32 %a, 1
  store i32 %next, ptr %i
  %at = getelementptr inbounds [4 x i32], ptr %table, i64 0, i64 %wide
  %r = load i32, ptr %at
  ret i32 %r
}

; expect: 3
define i32 @negative_index() {
  %i = alloca i32
  %table = alloca [4 x i32]
  store i32 -1, ptr %i
  %three = getelementptr inbounds [4 x i32], ptr %table, i64 0, i64 3
  store i32 3, ptr %three
  %end = getelementptr inbounds [4 x i32], ptr %table, i64 1
  %a = load i32, ptr %i
  %wide = sext i32 %a to i64
  %at = getelementptr inbounds i32, ptr %end, i64 %wide
  %r = load i32, ptr %at
  ret i32 %r
}
