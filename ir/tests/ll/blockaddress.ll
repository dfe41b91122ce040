@later = global [2 x ptr] [ptr blockaddress(@dispatch, %second), ptr blockaddress(@dispatch, %first)]
@distances = constant [1 x i64] [i64 sub (i64 ptrtoint (ptr blockaddress(@dispatch, %second) to i64), i64 ptrtoint (ptr blockaddress(@dispatch, %first) to i64))]
@bytes = global [4 x i8] zeroinitializer
@numbered = global ptr blockaddress(@numbers, %3)

@second = alias i8, getelementptr inbounds ([4 x i8], ptr @bytes, i64 0, i64 1)

define i32 @dispatch(i64 %i) {
entry:
  %slot = getelementptr [2 x ptr], ptr @later, i64 0, i64 %i
  %to = load ptr, ptr %slot, align 8
  %any = icmp eq ptr %to, blockaddress(@dispatch, %second)
  indirectbr ptr %to, [label %first, label %second]

first:                                            ; preds = %entry
  ret i32 1

second:                                           ; preds = %entry
  %r = zext i1 %any to i32
  ret i32 %r
}

define void @numbers(i32 %0) {
  %2 = icmp eq ptr blockaddress(@dispatch, %first), blockaddress(@numbers, %3)
  br label %3

3:                                                ; preds = %1
  ret void
}
