; ModuleID = 'library.c'
source_filename = "library.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.div_t = type { i32, i32 }
%struct.ldiv_t = type { i64, i64 }
%struct.pair = type { i32, double, [40 x i8] }

@.str = private unnamed_addr constant [7 x i8] c"%d %d\0A\00", align 1
@.str.1 = private unnamed_addr constant [4 x i8] c"%d\0A\00", align 1
@.str.2 = private unnamed_addr constant [15 x i8] c"SURELY_NOT_SET\00", align 1
@.str.3 = private unnamed_addr constant [13 x i8] c"%zu %zu %zu\0A\00", align 1
@.str.4 = private unnamed_addr constant [1 x i8] zeroinitializer, align 1
@.str.5 = private unnamed_addr constant [13 x i8] c"%d %d %d %d\0A\00", align 1
@.str.6 = private unnamed_addr constant [4 x i8] c"abc\00", align 1
@.str.7 = private unnamed_addr constant [4 x i8] c"abd\00", align 1
@.str.8 = private unnamed_addr constant [2 x i8] c"b\00", align 1
@.str.9 = private unnamed_addr constant [2 x i8] c"a\00", align 1
@.str.10 = private unnamed_addr constant [3 x i8] c"ab\00", align 1
@.str.11 = private unnamed_addr constant [10 x i8] c"%d %d %d\0A\00", align 1
@.str.12 = private unnamed_addr constant [4 x i8] c"ABC\00", align 1
@.str.13 = private unnamed_addr constant [8 x i8] c", world\00", align 1
@.str.14 = private unnamed_addr constant [5 x i8] c"!!!!\00", align 1
@.str.15 = private unnamed_addr constant [6 x i8] c"short\00", align 1
@.str.16 = private unnamed_addr constant [10 x i8] c"%s %d %c\0A\00", align 1
@.str.17 = private unnamed_addr constant [10 x i8] c"%s %s %d\0A\00", align 1
@.str.18 = private unnamed_addr constant [4 x i8] c"wor\00", align 1
@.str.19 = private unnamed_addr constant [5 x i8] c"none\00", align 1
@.str.20 = private unnamed_addr constant [12 x i8] c"%zu %zu %s\0A\00", align 1
@.str.21 = private unnamed_addr constant [6 x i8] c"aabbc\00", align 1
@.str.22 = private unnamed_addr constant [6 x i8] c"hello\00", align 1
@.str.23 = private unnamed_addr constant [3 x i8] c"lo\00", align 1
@.str.24 = private unnamed_addr constant [10 x i8] c"key=value\00", align 1
@.str.25 = private unnamed_addr constant [3 x i8] c"=:\00", align 1
@__const.text.list = private unnamed_addr constant [11 x i8] c"a, b,,c ;d\00", align 1
@.str.26 = private unnamed_addr constant [4 x i8] c", ;\00", align 1
@.str.27 = private unnamed_addr constant [5 x i8] c"<%s>\00", align 1
@__const.text.list2 = private unnamed_addr constant [6 x i8] c"1:2:3\00", align 1
@.str.28 = private unnamed_addr constant [2 x i8] c":\00", align 1
@.str.29 = private unnamed_addr constant [5 x i8] c"(%s)\00", align 1
@.str.30 = private unnamed_addr constant [10 x i8] c"%.10s %d\0A\00", align 1
@.str.31 = private unnamed_addr constant [4 x i8] c"1.5\00", align 1
@.str.32 = private unnamed_addr constant [8 x i8] c"  -2e3x\00", align 1
@.str.33 = private unnamed_addr constant [8 x i8] c"0x1.8p3\00", align 1
@.str.34 = private unnamed_addr constant [6 x i8] c"1e400\00", align 1
@.str.35 = private unnamed_addr constant [7 x i8] c"-1e400\00", align 1
@.str.36 = private unnamed_addr constant [7 x i8] c"1e-400\00", align 1
@.str.37 = private unnamed_addr constant [4 x i8] c"inf\00", align 1
@.str.38 = private unnamed_addr constant [4 x i8] c"nan\00", align 1
@.str.39 = private unnamed_addr constant [5 x i8] c"junk\00", align 1
@.str.40 = private unnamed_addr constant [3 x i8] c"1.\00", align 1
@.str.41 = private unnamed_addr constant [4 x i8] c".5e\00", align 1
@.str.42 = private unnamed_addr constant [5 x i8] c"12e+\00", align 1
@.str.43 = private unnamed_addr constant [3 x i8] c"0x\00", align 1
@.str.44 = private unnamed_addr constant [9 x i8] c"4.9e-324\00", align 1
@.str.45 = private unnamed_addr constant [4 x i8] c"0.1\00", align 1
@.str.46 = private unnamed_addr constant [26 x i8] c"179769313486231580793e289\00", align 1
@__const.numbers.floats = private unnamed_addr constant [16 x ptr] [ptr @.str.31, ptr @.str.32, ptr @.str.33, ptr @.str.34, ptr @.str.35, ptr @.str.36, ptr @.str.37, ptr @.str.38, ptr @.str.39, ptr @.str.40, ptr @.str.41, ptr @.str.42, ptr @.str.43, ptr @.str.44, ptr @.str.45, ptr @.str.46], align 16
@.str.47 = private unnamed_addr constant [45 x i8] c"%s -> %.17g rest '%s' errno %d; %.9g %.21Lg\0A\00", align 1
@.str.48 = private unnamed_addr constant [3 x i8] c"42\00", align 1
@.str.49 = private unnamed_addr constant [8 x i8] c" -17abc\00", align 1
@.str.50 = private unnamed_addr constant [5 x i8] c"0x1F\00", align 1
@.str.51 = private unnamed_addr constant [4 x i8] c"077\00", align 1
@.str.52 = private unnamed_addr constant [20 x i8] c"9223372036854775808\00", align 1
@.str.53 = private unnamed_addr constant [21 x i8] c"-9223372036854775809\00", align 1
@.str.54 = private unnamed_addr constant [3 x i8] c"zz\00", align 1
@.str.55 = private unnamed_addr constant [2 x i8] c"-\00", align 1
@__const.numbers.ints = private unnamed_addr constant [9 x ptr] [ptr @.str.48, ptr @.str.49, ptr @.str.50, ptr @.str.51, ptr @.str.52, ptr @.str.53, ptr @.str.54, ptr @.str.4, ptr @.str.55], align 16
@__const.numbers.bases = private unnamed_addr constant [5 x i32] [i32 10, i32 0, i32 16, i32 8, i32 36], align 16
@.str.56 = private unnamed_addr constant [13 x i8] c"%ld '%s' %d \00", align 1
@.str.57 = private unnamed_addr constant [8 x i8] c"%lu %d\0A\00", align 1
@.str.58 = private unnamed_addr constant [18 x i8] c"%d %ld %g %d %ld\0A\00", align 1
@.str.59 = private unnamed_addr constant [6 x i8] c"  12x\00", align 1
@.str.60 = private unnamed_addr constant [4 x i8] c"-99\00", align 1
@.str.61 = private unnamed_addr constant [7 x i8] c"2.5e1z\00", align 1
@.str.62 = private unnamed_addr constant [15 x i8] c"%d %d %ld %ld\0A\00", align 1
@.str.63 = private unnamed_addr constant [4 x i8] c"%d \00", align 1
@.str.64 = private unnamed_addr constant [17 x i8] c"\0A%d comparisons\0A\00", align 1
@calls = internal global i32 0, align 4
@.str.65 = private unnamed_addr constant [8 x i8] c"item %d\00", align 1
@.str.66 = private unnamed_addr constant [10 x i8] c"%d:%g:%s \00", align 1
@.str.67 = private unnamed_addr constant [5 x i8] c"pear\00", align 1
@.str.68 = private unnamed_addr constant [4 x i8] c"fig\00", align 1
@.str.69 = private unnamed_addr constant [6 x i8] c"apple\00", align 1
@.str.70 = private unnamed_addr constant [7 x i8] c"quince\00", align 1
@.str.71 = private unnamed_addr constant [5 x i8] c"date\00", align 1
@__const.sorting.words = private unnamed_addr constant [5 x ptr] [ptr @.str.67, ptr @.str.68, ptr @.str.69, ptr @.str.70, ptr @.str.71], align 16
@.str.72 = private unnamed_addr constant [4 x i8] c"%s \00", align 1
@.str.73 = private unnamed_addr constant [11 x i8] c"%d %d %ld\0A\00", align 1
@.str.74 = private unnamed_addr constant [5 x i8] c"%ld\0A\00", align 1
@.str.75 = private unnamed_addr constant [10 x i8] c"%d %d %u\0A\00", align 1
@.str.76 = private unnamed_addr constant [13 x i8] c"%.17g %.17g\0A\00", align 1
@.str.77 = private unnamed_addr constant [15 x i8] c"%.17g %ld %ld\0A\00", align 1
@__const.random_numbers.x = private unnamed_addr constant [3 x i16] [i16 1, i16 2, i16 3], align 2
@.str.78 = private unnamed_addr constant [18 x i8] c"%.17g %ld %ld %d\0A\00", align 1
@.str.79 = private unnamed_addr constant [10 x i8] c"%x %d %d,\00", align 1
@.str.80 = private unnamed_addr constant [11 x i8] c"\0A%d %d %c\0A\00", align 1
@.str.81 = private unnamed_addr constant [11 x i8] c"last words\00", align 1
@.str.82 = private unnamed_addr constant [12 x i8] c"before that\00", align 1

; Function Attrs: noinline nounwind optnone uwtable
define dso_local i32 @main(i32 noundef %0, ptr noundef %1) #0 {
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca ptr, align 8
  store i32 0, ptr %3, align 4
  store i32 %0, ptr %4, align 4
  store ptr %1, ptr %5, align 8
  %6 = load i32, ptr %4, align 4
  %7 = load ptr, ptr %5, align 8
  %8 = load i32, ptr %4, align 4
  %9 = sext i32 %8 to i64
  %10 = getelementptr inbounds ptr, ptr %7, i64 %9
  %11 = load ptr, ptr %10, align 8
  %12 = icmp eq ptr %11, null
  %13 = zext i1 %12 to i32
  %14 = call i32 (ptr, ...) @printf(ptr noundef @.str, i32 noundef %6, i32 noundef %13) #8
  call void @text() #8
  call void @numbers() #8
  call void @sorting() #8
  call void @random_numbers() #8
  call void @characters() #8
  %15 = call ptr @getenv(ptr noundef @.str.2) #9
  %16 = icmp eq ptr %15, null
  %17 = zext i1 %16 to i32
  %18 = call i32 (ptr, ...) @printf(ptr noundef @.str.1, i32 noundef %17) #8
  %19 = call i64 @clock() #9
  %20 = icmp sge i64 %19, 0
  %21 = zext i1 %20 to i32
  %22 = call i64 @time(ptr noundef null) #9
  %23 = icmp sgt i64 %22, 0
  %24 = zext i1 %23 to i32
  %25 = call i32 (ptr, ...) @printf(ptr noundef @.str, i32 noundef %21, i32 noundef %24) #8
  %26 = call i32 @atexit(ptr noundef @last) #9
  %27 = call i32 @atexit(ptr noundef @before) #9
  call void @exit(i32 noundef 300) #10
  unreachable
}

declare i32 @printf(ptr noundef, ...) #1

; Function Attrs: noinline nounwind optnone uwtable
define internal void @text() #0 {
  %1 = alloca [64 x i8], align 16
  %2 = alloca [64 x i8], align 16
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  %5 = alloca [11 x i8], align 1
  %6 = alloca ptr, align 8
  %7 = alloca [6 x i8], align 1
  %8 = alloca ptr, align 8
  %9 = alloca ptr, align 8
  call void @llvm.memset.p0.i64(ptr align 16 %1, i8 0, i64 64, i1 false)
  %10 = getelementptr inbounds [64 x i8], ptr %1, i32 0, i32 0
  store i8 104, ptr %10, align 16
  %11 = getelementptr inbounds [64 x i8], ptr %1, i32 0, i32 1
  store i8 101, ptr %11, align 1
  %12 = getelementptr inbounds [64 x i8], ptr %1, i32 0, i32 2
  store i8 108, ptr %12, align 2
  %13 = getelementptr inbounds [64 x i8], ptr %1, i32 0, i32 3
  store i8 108, ptr %13, align 1
  %14 = getelementptr inbounds [64 x i8], ptr %1, i32 0, i32 4
  store i8 111, ptr %14, align 4
  %15 = getelementptr inbounds [64 x i8], ptr %1, i64 0, i64 0
  %16 = call i64 @strlen(ptr noundef %15) #11
  %17 = getelementptr inbounds [64 x i8], ptr %1, i64 0, i64 0
  %18 = call i64 @strnlen(ptr noundef %17, i64 noundef 3) #11
  %19 = call i64 @strlen(ptr noundef @.str.4) #11
  %20 = call i32 (ptr, ...) @printf(ptr noundef @.str.3, i64 noundef %16, i64 noundef %18, i64 noundef %19) #8
  %21 = call i32 @strcmp(ptr noundef @.str.6, ptr noundef @.str.7) #11
  %22 = call i32 @strcmp(ptr noundef @.str.8, ptr noundef @.str.9) #11
  %23 = call i32 @strcmp(ptr noundef @.str.9, ptr noundef @.str.9) #11
  %24 = call i32 @strcmp(ptr noundef @.str.10, ptr noundef @.str.9) #11
  %25 = call i32 (ptr, ...) @printf(ptr noundef @.str.5, i32 noundef %21, i32 noundef %22, i32 noundef %23, i32 noundef %24) #8
  %26 = call i32 @strncmp(ptr noundef @.str.6, ptr noundef @.str.7, i64 noundef 2) #11
  %27 = call i32 @strncmp(ptr noundef @.str.6, ptr noundef @.str.7, i64 noundef 3) #11
  %28 = call i32 @strcasecmp(ptr noundef @.str.12, ptr noundef @.str.7) #11
  %29 = call i32 (ptr, ...) @printf(ptr noundef @.str.11, i32 noundef %26, i32 noundef %27, i32 noundef %28) #8
  %30 = getelementptr inbounds [64 x i8], ptr %2, i64 0, i64 0
  %31 = getelementptr inbounds [64 x i8], ptr %1, i64 0, i64 0
  %32 = call ptr @strcpy(ptr noundef %30, ptr noundef %31) #9
  %33 = getelementptr inbounds [64 x i8], ptr %2, i64 0, i64 0
  %34 = call ptr @strcat(ptr noundef %33, ptr noundef @.str.13) #9
  %35 = getelementptr inbounds [64 x i8], ptr %2, i64 0, i64 0
  %36 = call ptr @strncat(ptr noundef %35, ptr noundef @.str.14, i64 noundef 2) #9
  %37 = getelementptr inbounds [64 x i8], ptr %2, i64 0, i64 0
  %38 = call i32 @puts(ptr noundef %37) #8
  %39 = getelementptr inbounds [64 x i8], ptr %1, i64 0, i64 0
  %40 = call ptr @memset(ptr noundef %39, i32 noundef 120, i64 noundef 64) #9
  %41 = getelementptr inbounds [64 x i8], ptr %1, i64 0, i64 0
  %42 = call ptr @strncpy(ptr noundef %41, ptr noundef @.str.15, i64 noundef 10) #9
  %43 = getelementptr inbounds [64 x i8], ptr %1, i64 0, i64 0
  %44 = getelementptr inbounds [64 x i8], ptr %1, i64 0, i64 9
  %45 = load i8, ptr %44, align 1
  %46 = sext i8 %45 to i32
  %47 = getelementptr inbounds [64 x i8], ptr %1, i64 0, i64 10
  %48 = load i8, ptr %47, align 2
  %49 = sext i8 %48 to i32
  %50 = call i32 (ptr, ...) @printf(ptr noundef @.str.16, ptr noundef %43, i32 noundef %46, i32 noundef %49) #8
  %51 = getelementptr inbounds [64 x i8], ptr %2, i64 0, i64 0
  %52 = call ptr @strchr(ptr noundef %51, i32 noundef 119) #11
  %53 = call i32 @puts(ptr noundef %52) #8
  %54 = getelementptr inbounds [64 x i8], ptr %2, i64 0, i64 0
  %55 = call ptr @strrchr(ptr noundef %54, i32 noundef 111) #11
  %56 = getelementptr inbounds [64 x i8], ptr %2, i64 0, i64 0
  %57 = call ptr @strstr(ptr noundef %56, ptr noundef @.str.18) #11
  %58 = getelementptr inbounds [64 x i8], ptr %2, i64 0, i64 0
  %59 = call ptr @strstr(ptr noundef %58, ptr noundef @.str.19) #11
  %60 = icmp eq ptr %59, null
  %61 = zext i1 %60 to i32
  %62 = call i32 (ptr, ...) @printf(ptr noundef @.str.17, ptr noundef %55, ptr noundef %57, i32 noundef %61) #8
  %63 = getelementptr inbounds [64 x i8], ptr %2, i64 0, i64 0
  %64 = call ptr @strchr(ptr noundef %63, i32 noundef 0) #11
  %65 = getelementptr inbounds [64 x i8], ptr %2, i64 0, i64 0
  %66 = getelementptr inbounds [64 x i8], ptr %2, i64 0, i64 0
  %67 = call i64 @strlen(ptr noundef %66) #11
  %68 = getelementptr inbounds i8, ptr %65, i64 %67
  %69 = icmp eq ptr %64, %68
  %70 = zext i1 %69 to i32
  %71 = getelementptr inbounds [64 x i8], ptr %2, i64 0, i64 0
  %72 = call ptr @memchr(ptr noundef %71, i32 noundef 122, i64 noundef 5) #11
  %73 = icmp eq ptr %72, null
  %74 = zext i1 %73 to i32
  %75 = call i32 (ptr, ...) @printf(ptr noundef @.str, i32 noundef %70, i32 noundef %74) #8
  %76 = call i64 @strspn(ptr noundef @.str.21, ptr noundef @.str.10) #11
  %77 = call i64 @strcspn(ptr noundef @.str.22, ptr noundef @.str.23) #11
  %78 = call ptr @strpbrk(ptr noundef @.str.24, ptr noundef @.str.25) #11
  %79 = call i32 (ptr, ...) @printf(ptr noundef @.str.20, i64 noundef %76, i64 noundef %77, ptr noundef %78) #8
  %80 = getelementptr inbounds [64 x i8], ptr %2, i64 0, i64 0
  %81 = call noalias ptr @strdup(ptr noundef %80) #9
  store ptr %81, ptr %3, align 8
  %82 = getelementptr inbounds [64 x i8], ptr %2, i64 0, i64 0
  %83 = call noalias ptr @strndup(ptr noundef %82, i64 noundef 4) #9
  store ptr %83, ptr %4, align 8
  %84 = load ptr, ptr %3, align 8
  %85 = load ptr, ptr %4, align 8
  %86 = load ptr, ptr %3, align 8
  %87 = load ptr, ptr %4, align 8
  %88 = call i32 @memcmp(ptr noundef %86, ptr noundef %87, i64 noundef 4) #11
  %89 = call i32 (ptr, ...) @printf(ptr noundef @.str.17, ptr noundef %84, ptr noundef %85, i32 noundef %88) #8
  %90 = load ptr, ptr %3, align 8
  call void @free(ptr noundef %90) #9
  %91 = load ptr, ptr %4, align 8
  call void @free(ptr noundef %91) #9
  call void @llvm.memcpy.p0.p0.i64(ptr align 1 %5, ptr align 1 @__const.text.list, i64 11, i1 false)
  %92 = getelementptr inbounds [11 x i8], ptr %5, i64 0, i64 0
  %93 = call ptr @strtok(ptr noundef %92, ptr noundef @.str.26) #9
  store ptr %93, ptr %6, align 8
  br label %94

94:                                               ; preds = %100, %0
  %95 = load ptr, ptr %6, align 8
  %96 = icmp ne ptr %95, null
  br i1 %96, label %97, label %102

97:                                               ; preds = %94
  %98 = load ptr, ptr %6, align 8
  %99 = call i32 (ptr, ...) @printf(ptr noundef @.str.27, ptr noundef %98) #8
  br label %100

100:                                              ; preds = %97
  %101 = call ptr @strtok(ptr noundef null, ptr noundef @.str.26) #9
  store ptr %101, ptr %6, align 8
  br label %94, !llvm.loop !6

102:                                              ; preds = %94
  call void @llvm.memcpy.p0.p0.i64(ptr align 1 %7, ptr align 1 @__const.text.list2, i64 6, i1 false)
  %103 = getelementptr inbounds [6 x i8], ptr %7, i64 0, i64 0
  %104 = call ptr @strtok_r(ptr noundef %103, ptr noundef @.str.28, ptr noundef %8) #9
  store ptr %104, ptr %9, align 8
  br label %105

105:                                              ; preds = %111, %102
  %106 = load ptr, ptr %9, align 8
  %107 = icmp ne ptr %106, null
  br i1 %107, label %108, label %113

108:                                              ; preds = %105
  %109 = load ptr, ptr %9, align 8
  %110 = call i32 (ptr, ...) @printf(ptr noundef @.str.29, ptr noundef %109) #8
  br label %111

111:                                              ; preds = %108
  %112 = call ptr @strtok_r(ptr noundef null, ptr noundef @.str.28, ptr noundef %8) #9
  store ptr %112, ptr %9, align 8
  br label %105, !llvm.loop !8

113:                                              ; preds = %105
  %114 = call i32 @puts(ptr noundef @.str.4) #8
  %115 = getelementptr inbounds [64 x i8], ptr %2, i64 0, i64 0
  %116 = getelementptr inbounds i8, ptr %115, i64 2
  %117 = getelementptr inbounds [64 x i8], ptr %2, i64 0, i64 0
  %118 = call ptr @memmove(ptr noundef %116, ptr noundef %117, i64 noundef 8) #9
  %119 = getelementptr inbounds [64 x i8], ptr %2, i64 0, i64 0
  %120 = call i32 @memcmp(ptr noundef @.str.6, ptr noundef @.str.7, i64 noundef 3) #11
  %121 = icmp slt i32 %120, 0
  %122 = zext i1 %121 to i32
  %123 = call i32 (ptr, ...) @printf(ptr noundef @.str.30, ptr noundef %119, i32 noundef %122) #8
  ret void
}

; Function Attrs: noinline nounwind optnone uwtable
define internal void @numbers() #0 {
  %1 = alloca [16 x ptr], align 16
  %2 = alloca i32, align 4
  %3 = alloca ptr, align 8
  %4 = alloca double, align 8
  %5 = alloca [9 x ptr], align 16
  %6 = alloca [5 x i32], align 16
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  %9 = alloca ptr, align 8
  %10 = alloca i64, align 8
  %11 = alloca %struct.div_t, align 4
  %12 = alloca %struct.ldiv_t, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %1, ptr align 16 @__const.numbers.floats, i64 128, i1 false)
  store i32 0, ptr %2, align 4
  br label %13

13:                                               ; preds = %44, %0
  %14 = load i32, ptr %2, align 4
  %15 = zext i32 %14 to i64
  %16 = icmp ult i64 %15, 16
  br i1 %16, label %17, label %47

17:                                               ; preds = %13
  %18 = call ptr @__errno_location() #12
  store i32 0, ptr %18, align 4
  %19 = load i32, ptr %2, align 4
  %20 = zext i32 %19 to i64
  %21 = getelementptr inbounds [16 x ptr], ptr %1, i64 0, i64 %20
  %22 = load ptr, ptr %21, align 8
  %23 = call double @strtod(ptr noundef %22, ptr noundef %3) #9
  store double %23, ptr %4, align 8
  %24 = load i32, ptr %2, align 4
  %25 = zext i32 %24 to i64
  %26 = getelementptr inbounds [16 x ptr], ptr %1, i64 0, i64 %25
  %27 = load ptr, ptr %26, align 8
  %28 = load double, ptr %4, align 8
  %29 = load ptr, ptr %3, align 8
  %30 = call ptr @__errno_location() #12
  %31 = load i32, ptr %30, align 4
  %32 = load i32, ptr %2, align 4
  %33 = zext i32 %32 to i64
  %34 = getelementptr inbounds [16 x ptr], ptr %1, i64 0, i64 %33
  %35 = load ptr, ptr %34, align 8
  %36 = call float @strtof(ptr noundef %35, ptr noundef null) #9
  %37 = fpext float %36 to double
  %38 = load i32, ptr %2, align 4
  %39 = zext i32 %38 to i64
  %40 = getelementptr inbounds [16 x ptr], ptr %1, i64 0, i64 %39
  %41 = load ptr, ptr %40, align 8
  %42 = call x86_fp80 @strtold(ptr noundef %41, ptr noundef null) #9
  %43 = call i32 (ptr, ...) @printf(ptr noundef @.str.47, ptr noundef %27, double noundef %28, ptr noundef %29, i32 noundef %31, double noundef %37, x86_fp80 noundef %42) #8
  br label %44

44:                                               ; preds = %17
  %45 = load i32, ptr %2, align 4
  %46 = add i32 %45, 1
  store i32 %46, ptr %2, align 4
  br label %13, !llvm.loop !9

47:                                               ; preds = %13
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %5, ptr align 16 @__const.numbers.ints, i64 72, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %6, ptr align 16 @__const.numbers.bases, i64 20, i1 false)
  store i32 0, ptr %7, align 4
  br label %48

48:                                               ; preds = %90, %47
  %49 = load i32, ptr %7, align 4
  %50 = zext i32 %49 to i64
  %51 = icmp ult i64 %50, 9
  br i1 %51, label %52, label %93

52:                                               ; preds = %48
  store i32 0, ptr %8, align 4
  br label %53

53:                                               ; preds = %86, %52
  %54 = load i32, ptr %8, align 4
  %55 = zext i32 %54 to i64
  %56 = icmp ult i64 %55, 5
  br i1 %56, label %57, label %89

57:                                               ; preds = %53
  %58 = call ptr @__errno_location() #12
  store i32 0, ptr %58, align 4
  %59 = load i32, ptr %7, align 4
  %60 = zext i32 %59 to i64
  %61 = getelementptr inbounds [9 x ptr], ptr %5, i64 0, i64 %60
  %62 = load ptr, ptr %61, align 8
  %63 = load i32, ptr %8, align 4
  %64 = zext i32 %63 to i64
  %65 = getelementptr inbounds [5 x i32], ptr %6, i64 0, i64 %64
  %66 = load i32, ptr %65, align 4
  %67 = call i64 @strtol(ptr noundef %62, ptr noundef %9, i32 noundef %66) #9
  store i64 %67, ptr %10, align 8
  %68 = load i64, ptr %10, align 8
  %69 = load ptr, ptr %9, align 8
  %70 = call ptr @__errno_location() #12
  %71 = load i32, ptr %70, align 4
  %72 = call i32 (ptr, ...) @printf(ptr noundef @.str.56, i64 noundef %68, ptr noundef %69, i32 noundef %71) #8
  %73 = call ptr @__errno_location() #12
  store i32 0, ptr %73, align 4
  %74 = load i32, ptr %7, align 4
  %75 = zext i32 %74 to i64
  %76 = getelementptr inbounds [9 x ptr], ptr %5, i64 0, i64 %75
  %77 = load ptr, ptr %76, align 8
  %78 = load i32, ptr %8, align 4
  %79 = zext i32 %78 to i64
  %80 = getelementptr inbounds [5 x i32], ptr %6, i64 0, i64 %79
  %81 = load i32, ptr %80, align 4
  %82 = call i64 @strtoul(ptr noundef %77, ptr noundef null, i32 noundef %81) #9
  %83 = call ptr @__errno_location() #12
  %84 = load i32, ptr %83, align 4
  %85 = call i32 (ptr, ...) @printf(ptr noundef @.str.57, i64 noundef %82, i32 noundef %84) #8
  br label %86

86:                                               ; preds = %57
  %87 = load i32, ptr %8, align 4
  %88 = add i32 %87, 1
  store i32 %88, ptr %8, align 4
  br label %53, !llvm.loop !10

89:                                               ; preds = %53
  br label %90

90:                                               ; preds = %89
  %91 = load i32, ptr %7, align 4
  %92 = add i32 %91, 1
  store i32 %92, ptr %7, align 4
  br label %48, !llvm.loop !11

93:                                               ; preds = %48
  %94 = call i32 @atoi(ptr noundef @.str.59) #11
  %95 = call i64 @atol(ptr noundef @.str.60) #11
  %96 = call double @atof(ptr noundef @.str.61) #11
  %97 = call i32 @abs(i32 noundef -3) #12
  %98 = call i64 @labs(i64 noundef -4) #12
  %99 = call i32 (ptr, ...) @printf(ptr noundef @.str.58, i32 noundef %94, i64 noundef %95, double noundef %96, i32 noundef %97, i64 noundef %98) #8
  %100 = call i64 @div(i32 noundef -7, i32 noundef 2) #12
  store i64 %100, ptr %11, align 4
  %101 = call { i64, i64 } @ldiv(i64 noundef 7, i64 noundef -2) #12
  %102 = getelementptr inbounds { i64, i64 }, ptr %12, i32 0, i32 0
  %103 = extractvalue { i64, i64 } %101, 0
  store i64 %103, ptr %102, align 8
  %104 = getelementptr inbounds { i64, i64 }, ptr %12, i32 0, i32 1
  %105 = extractvalue { i64, i64 } %101, 1
  store i64 %105, ptr %104, align 8
  %106 = getelementptr inbounds %struct.div_t, ptr %11, i32 0, i32 0
  %107 = load i32, ptr %106, align 4
  %108 = getelementptr inbounds %struct.div_t, ptr %11, i32 0, i32 1
  %109 = load i32, ptr %108, align 4
  %110 = getelementptr inbounds %struct.ldiv_t, ptr %12, i32 0, i32 0
  %111 = load i64, ptr %110, align 8
  %112 = getelementptr inbounds %struct.ldiv_t, ptr %12, i32 0, i32 1
  %113 = load i64, ptr %112, align 8
  %114 = call i32 (ptr, ...) @printf(ptr noundef @.str.62, i32 noundef %107, i32 noundef %109, i64 noundef %111, i64 noundef %113) #8
  ret void
}

; Function Attrs: noinline nounwind optnone uwtable
define internal void @sorting() #0 {
  %1 = alloca [100 x i32], align 16
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca [20 x %struct.pair], align 16
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = alloca [5 x ptr], align 16
  %11 = alloca i32, align 4
  store i32 12345, ptr %2, align 4
  store i32 0, ptr %3, align 4
  br label %12

12:                                               ; preds = %24, %0
  %13 = load i32, ptr %3, align 4
  %14 = icmp slt i32 %13, 100
  br i1 %14, label %15, label %27

15:                                               ; preds = %12
  %16 = load i32, ptr %2, align 4
  %17 = mul i32 %16, 1103515245
  %18 = add i32 %17, 12345
  store i32 %18, ptr %2, align 4
  %19 = lshr i32 %18, 16
  %20 = srem i32 %19, 50
  %21 = load i32, ptr %3, align 4
  %22 = sext i32 %21 to i64
  %23 = getelementptr inbounds [100 x i32], ptr %1, i64 0, i64 %22
  store i32 %20, ptr %23, align 4
  br label %24

24:                                               ; preds = %15
  %25 = load i32, ptr %3, align 4
  %26 = add nsw i32 %25, 1
  store i32 %26, ptr %3, align 4
  br label %12, !llvm.loop !12

27:                                               ; preds = %12
  %28 = getelementptr inbounds [100 x i32], ptr %1, i64 0, i64 0
  call void @qsort(ptr noundef %28, i64 noundef 100, i64 noundef 4, ptr noundef @by_int) #8
  store i32 0, ptr %4, align 4
  br label %29

29:                                               ; preds = %38, %27
  %30 = load i32, ptr %4, align 4
  %31 = icmp slt i32 %30, 100
  br i1 %31, label %32, label %41

32:                                               ; preds = %29
  %33 = load i32, ptr %4, align 4
  %34 = sext i32 %33 to i64
  %35 = getelementptr inbounds [100 x i32], ptr %1, i64 0, i64 %34
  %36 = load i32, ptr %35, align 4
  %37 = call i32 (ptr, ...) @printf(ptr noundef @.str.63, i32 noundef %36) #8
  br label %38

38:                                               ; preds = %32
  %39 = load i32, ptr %4, align 4
  %40 = add nsw i32 %39, 1
  store i32 %40, ptr %4, align 4
  br label %29, !llvm.loop !13

41:                                               ; preds = %29
  %42 = load i32, ptr @calls, align 4
  %43 = call i32 (ptr, ...) @printf(ptr noundef @.str.64, i32 noundef %42) #8
  %44 = getelementptr inbounds [100 x i32], ptr %1, i64 0, i64 60
  %45 = load i32, ptr %44, align 16
  store i32 %45, ptr %5, align 4
  store i32 51, ptr %6, align 4
  %46 = getelementptr inbounds [100 x i32], ptr %1, i64 0, i64 0
  %47 = call ptr @bsearch(ptr noundef %5, ptr noundef %46, i64 noundef 100, i64 noundef 4, ptr noundef @by_int) #8
  %48 = load i32, ptr %47, align 4
  %49 = getelementptr inbounds [100 x i32], ptr %1, i64 0, i64 0
  %50 = call ptr @bsearch(ptr noundef %6, ptr noundef %49, i64 noundef 100, i64 noundef 4, ptr noundef @by_int) #8
  %51 = icmp eq ptr %50, null
  %52 = zext i1 %51 to i32
  %53 = call i32 (ptr, ...) @printf(ptr noundef @.str, i32 noundef %48, i32 noundef %52) #8
  store i32 0, ptr %8, align 4
  br label %54

54:                                               ; preds = %78, %41
  %55 = load i32, ptr %8, align 4
  %56 = icmp slt i32 %55, 20
  br i1 %56, label %57, label %81

57:                                               ; preds = %54
  %58 = load i32, ptr %8, align 4
  %59 = mul nsw i32 %58, 7
  %60 = srem i32 %59, 5
  %61 = load i32, ptr %8, align 4
  %62 = sext i32 %61 to i64
  %63 = getelementptr inbounds [20 x %struct.pair], ptr %7, i64 0, i64 %62
  %64 = getelementptr inbounds %struct.pair, ptr %63, i32 0, i32 0
  store i32 %60, ptr %64, align 8
  %65 = load i32, ptr %8, align 4
  %66 = sitofp i32 %65 to double
  %67 = load i32, ptr %8, align 4
  %68 = sext i32 %67 to i64
  %69 = getelementptr inbounds [20 x %struct.pair], ptr %7, i64 0, i64 %68
  %70 = getelementptr inbounds %struct.pair, ptr %69, i32 0, i32 1
  store double %66, ptr %70, align 8
  %71 = load i32, ptr %8, align 4
  %72 = sext i32 %71 to i64
  %73 = getelementptr inbounds [20 x %struct.pair], ptr %7, i64 0, i64 %72
  %74 = getelementptr inbounds %struct.pair, ptr %73, i32 0, i32 2
  %75 = getelementptr inbounds [40 x i8], ptr %74, i64 0, i64 0
  %76 = load i32, ptr %8, align 4
  %77 = call i32 (ptr, ptr, ...) @sprintf(ptr noundef %75, ptr noundef @.str.65, i32 noundef %76) #9
  br label %78

78:                                               ; preds = %57
  %79 = load i32, ptr %8, align 4
  %80 = add nsw i32 %79, 1
  store i32 %80, ptr %8, align 4
  br label %54, !llvm.loop !14

81:                                               ; preds = %54
  store i32 0, ptr @calls, align 4
  %82 = getelementptr inbounds [20 x %struct.pair], ptr %7, i64 0, i64 0
  call void @qsort(ptr noundef %82, i64 noundef 20, i64 noundef 56, ptr noundef @by_key) #8
  store i32 0, ptr %9, align 4
  br label %83

83:                                               ; preds = %103, %81
  %84 = load i32, ptr %9, align 4
  %85 = icmp slt i32 %84, 20
  br i1 %85, label %86, label %106

86:                                               ; preds = %83
  %87 = load i32, ptr %9, align 4
  %88 = sext i32 %87 to i64
  %89 = getelementptr inbounds [20 x %struct.pair], ptr %7, i64 0, i64 %88
  %90 = getelementptr inbounds %struct.pair, ptr %89, i32 0, i32 0
  %91 = load i32, ptr %90, align 8
  %92 = load i32, ptr %9, align 4
  %93 = sext i32 %92 to i64
  %94 = getelementptr inbounds [20 x %struct.pair], ptr %7, i64 0, i64 %93
  %95 = getelementptr inbounds %struct.pair, ptr %94, i32 0, i32 1
  %96 = load double, ptr %95, align 8
  %97 = load i32, ptr %9, align 4
  %98 = sext i32 %97 to i64
  %99 = getelementptr inbounds [20 x %struct.pair], ptr %7, i64 0, i64 %98
  %100 = getelementptr inbounds %struct.pair, ptr %99, i32 0, i32 2
  %101 = getelementptr inbounds [40 x i8], ptr %100, i64 0, i64 0
  %102 = call i32 (ptr, ...) @printf(ptr noundef @.str.66, i32 noundef %91, double noundef %96, ptr noundef %101) #8
  br label %103

103:                                              ; preds = %86
  %104 = load i32, ptr %9, align 4
  %105 = add nsw i32 %104, 1
  store i32 %105, ptr %9, align 4
  br label %83, !llvm.loop !15

106:                                              ; preds = %83
  %107 = load i32, ptr @calls, align 4
  %108 = call i32 (ptr, ...) @printf(ptr noundef @.str.64, i32 noundef %107) #8
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %10, ptr align 16 @__const.sorting.words, i64 40, i1 false)
  %109 = getelementptr inbounds [5 x ptr], ptr %10, i64 0, i64 0
  call void @qsort(ptr noundef %109, i64 noundef 5, i64 noundef 8, ptr noundef @by_name) #8
  store i32 0, ptr %11, align 4
  br label %110

110:                                              ; preds = %119, %106
  %111 = load i32, ptr %11, align 4
  %112 = icmp slt i32 %111, 5
  br i1 %112, label %113, label %122

113:                                              ; preds = %110
  %114 = load i32, ptr %11, align 4
  %115 = sext i32 %114 to i64
  %116 = getelementptr inbounds [5 x ptr], ptr %10, i64 0, i64 %115
  %117 = load ptr, ptr %116, align 8
  %118 = call i32 (ptr, ...) @printf(ptr noundef @.str.72, ptr noundef %117) #8
  br label %119

119:                                              ; preds = %113
  %120 = load i32, ptr %11, align 4
  %121 = add nsw i32 %120, 1
  store i32 %121, ptr %11, align 4
  br label %110, !llvm.loop !16

122:                                              ; preds = %110
  %123 = call i32 @puts(ptr noundef @.str.4) #8
  ret void
}

; Function Attrs: noinline nounwind optnone uwtable
define internal void @random_numbers() #0 {
  %1 = alloca i32, align 4
  %2 = alloca i32, align 4
  %3 = alloca [3 x i16], align 2
  %4 = call i32 @rand() #9
  %5 = call i32 @rand() #9
  %6 = call i64 @random() #9
  %7 = call i32 (ptr, ...) @printf(ptr noundef @.str.73, i32 noundef %4, i32 noundef %5, i64 noundef %6) #8
  call void @srand(i32 noundef 42) #9
  store i32 0, ptr %1, align 4
  br label %8

8:                                                ; preds = %15, %0
  %9 = load i32, ptr %1, align 4
  %10 = icmp slt i32 %9, 40
  br i1 %10, label %11, label %18

11:                                               ; preds = %8
  %12 = call i32 @rand() #9
  %13 = srem i32 %12, 1000
  %14 = call i32 (ptr, ...) @printf(ptr noundef @.str.63, i32 noundef %13) #8
  br label %15

15:                                               ; preds = %11
  %16 = load i32, ptr %1, align 4
  %17 = add nsw i32 %16, 1
  store i32 %17, ptr %1, align 4
  br label %8, !llvm.loop !17

18:                                               ; preds = %8
  call void @srandom(i32 noundef 0) #9
  %19 = call i64 @random() #9
  %20 = call i32 (ptr, ...) @printf(ptr noundef @.str.74, i64 noundef %19) #8
  store i32 7, ptr %2, align 4
  %21 = call i32 @rand_r(ptr noundef %2) #9
  %22 = call i32 @rand_r(ptr noundef %2) #9
  %23 = load i32, ptr %2, align 4
  %24 = call i32 (ptr, ...) @printf(ptr noundef @.str.75, i32 noundef %21, i32 noundef %22, i32 noundef %23) #8
  %25 = call double @drand48() #9
  %26 = call double @drand48() #9
  %27 = call i32 (ptr, ...) @printf(ptr noundef @.str.76, double noundef %25, double noundef %26) #8
  call void @srand48(i64 noundef 99) #9
  %28 = call double @drand48() #9
  %29 = call i64 @lrand48() #9
  %30 = call i64 @mrand48() #9
  %31 = call i32 (ptr, ...) @printf(ptr noundef @.str.77, double noundef %28, i64 noundef %29, i64 noundef %30) #8
  call void @llvm.memcpy.p0.p0.i64(ptr align 2 %3, ptr align 2 @__const.random_numbers.x, i64 6, i1 false)
  %32 = getelementptr inbounds [3 x i16], ptr %3, i64 0, i64 0
  %33 = call double @erand48(ptr noundef %32) #9
  %34 = getelementptr inbounds [3 x i16], ptr %3, i64 0, i64 0
  %35 = call i64 @nrand48(ptr noundef %34) #9
  %36 = getelementptr inbounds [3 x i16], ptr %3, i64 0, i64 0
  %37 = call i64 @jrand48(ptr noundef %36) #9
  %38 = getelementptr inbounds [3 x i16], ptr %3, i64 0, i64 0
  %39 = load i16, ptr %38, align 2
  %40 = zext i16 %39 to i32
  %41 = call i32 (ptr, ...) @printf(ptr noundef @.str.78, double noundef %33, i64 noundef %35, i64 noundef %37, i32 noundef %40) #8
  ret void
}

; Function Attrs: noinline nounwind optnone uwtable
define internal void @characters() #0 {
  %1 = alloca i32, align 4
  %2 = alloca i32, align 4
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  store i32 -1, ptr %1, align 4
  br label %5

5:                                                ; preds = %181, %0
  %6 = load i32, ptr %1, align 4
  %7 = icmp slt i32 %6, 256
  br i1 %7, label %8, label %184

8:                                                ; preds = %5
  %9 = call ptr @__ctype_b_loc() #12
  %10 = load ptr, ptr %9, align 8
  %11 = load i32, ptr %1, align 4
  %12 = sext i32 %11 to i64
  %13 = getelementptr inbounds i16, ptr %10, i64 %12
  %14 = load i16, ptr %13, align 2
  %15 = zext i16 %14 to i32
  %16 = and i32 %15, 256
  %17 = icmp ne i32 %16, 0
  %18 = xor i1 %17, true
  %19 = xor i1 %18, true
  %20 = zext i1 %19 to i32
  %21 = call ptr @__ctype_b_loc() #12
  %22 = load ptr, ptr %21, align 8
  %23 = load i32, ptr %1, align 4
  %24 = sext i32 %23 to i64
  %25 = getelementptr inbounds i16, ptr %22, i64 %24
  %26 = load i16, ptr %25, align 2
  %27 = zext i16 %26 to i32
  %28 = and i32 %27, 512
  %29 = icmp ne i32 %28, 0
  %30 = xor i1 %29, true
  %31 = xor i1 %30, true
  %32 = zext i1 %31 to i32
  %33 = shl i32 %32, 1
  %34 = or i32 %20, %33
  %35 = call ptr @__ctype_b_loc() #12
  %36 = load ptr, ptr %35, align 8
  %37 = load i32, ptr %1, align 4
  %38 = sext i32 %37 to i64
  %39 = getelementptr inbounds i16, ptr %36, i64 %38
  %40 = load i16, ptr %39, align 2
  %41 = zext i16 %40 to i32
  %42 = and i32 %41, 1024
  %43 = icmp ne i32 %42, 0
  %44 = xor i1 %43, true
  %45 = xor i1 %44, true
  %46 = zext i1 %45 to i32
  %47 = shl i32 %46, 2
  %48 = or i32 %34, %47
  %49 = call ptr @__ctype_b_loc() #12
  %50 = load ptr, ptr %49, align 8
  %51 = load i32, ptr %1, align 4
  %52 = sext i32 %51 to i64
  %53 = getelementptr inbounds i16, ptr %50, i64 %52
  %54 = load i16, ptr %53, align 2
  %55 = zext i16 %54 to i32
  %56 = and i32 %55, 2048
  %57 = icmp ne i32 %56, 0
  %58 = xor i1 %57, true
  %59 = xor i1 %58, true
  %60 = zext i1 %59 to i32
  %61 = shl i32 %60, 3
  %62 = or i32 %48, %61
  %63 = call ptr @__ctype_b_loc() #12
  %64 = load ptr, ptr %63, align 8
  %65 = load i32, ptr %1, align 4
  %66 = sext i32 %65 to i64
  %67 = getelementptr inbounds i16, ptr %64, i64 %66
  %68 = load i16, ptr %67, align 2
  %69 = zext i16 %68 to i32
  %70 = and i32 %69, 4096
  %71 = icmp ne i32 %70, 0
  %72 = xor i1 %71, true
  %73 = xor i1 %72, true
  %74 = zext i1 %73 to i32
  %75 = shl i32 %74, 4
  %76 = or i32 %62, %75
  %77 = call ptr @__ctype_b_loc() #12
  %78 = load ptr, ptr %77, align 8
  %79 = load i32, ptr %1, align 4
  %80 = sext i32 %79 to i64
  %81 = getelementptr inbounds i16, ptr %78, i64 %80
  %82 = load i16, ptr %81, align 2
  %83 = zext i16 %82 to i32
  %84 = and i32 %83, 8192
  %85 = icmp ne i32 %84, 0
  %86 = xor i1 %85, true
  %87 = xor i1 %86, true
  %88 = zext i1 %87 to i32
  %89 = shl i32 %88, 5
  %90 = or i32 %76, %89
  %91 = call ptr @__ctype_b_loc() #12
  %92 = load ptr, ptr %91, align 8
  %93 = load i32, ptr %1, align 4
  %94 = sext i32 %93 to i64
  %95 = getelementptr inbounds i16, ptr %92, i64 %94
  %96 = load i16, ptr %95, align 2
  %97 = zext i16 %96 to i32
  %98 = and i32 %97, 16384
  %99 = icmp ne i32 %98, 0
  %100 = xor i1 %99, true
  %101 = xor i1 %100, true
  %102 = zext i1 %101 to i32
  %103 = shl i32 %102, 6
  %104 = or i32 %90, %103
  %105 = call ptr @__ctype_b_loc() #12
  %106 = load ptr, ptr %105, align 8
  %107 = load i32, ptr %1, align 4
  %108 = sext i32 %107 to i64
  %109 = getelementptr inbounds i16, ptr %106, i64 %108
  %110 = load i16, ptr %109, align 2
  %111 = zext i16 %110 to i32
  %112 = and i32 %111, 32768
  %113 = icmp ne i32 %112, 0
  %114 = xor i1 %113, true
  %115 = xor i1 %114, true
  %116 = zext i1 %115 to i32
  %117 = shl i32 %116, 7
  %118 = or i32 %104, %117
  %119 = call ptr @__ctype_b_loc() #12
  %120 = load ptr, ptr %119, align 8
  %121 = load i32, ptr %1, align 4
  %122 = sext i32 %121 to i64
  %123 = getelementptr inbounds i16, ptr %120, i64 %122
  %124 = load i16, ptr %123, align 2
  %125 = zext i16 %124 to i32
  %126 = and i32 %125, 1
  %127 = icmp ne i32 %126, 0
  %128 = xor i1 %127, true
  %129 = xor i1 %128, true
  %130 = zext i1 %129 to i32
  %131 = shl i32 %130, 8
  %132 = or i32 %118, %131
  %133 = call ptr @__ctype_b_loc() #12
  %134 = load ptr, ptr %133, align 8
  %135 = load i32, ptr %1, align 4
  %136 = sext i32 %135 to i64
  %137 = getelementptr inbounds i16, ptr %134, i64 %136
  %138 = load i16, ptr %137, align 2
  %139 = zext i16 %138 to i32
  %140 = and i32 %139, 2
  %141 = icmp ne i32 %140, 0
  %142 = xor i1 %141, true
  %143 = xor i1 %142, true
  %144 = zext i1 %143 to i32
  %145 = shl i32 %144, 9
  %146 = or i32 %132, %145
  %147 = call ptr @__ctype_b_loc() #12
  %148 = load ptr, ptr %147, align 8
  %149 = load i32, ptr %1, align 4
  %150 = sext i32 %149 to i64
  %151 = getelementptr inbounds i16, ptr %148, i64 %150
  %152 = load i16, ptr %151, align 2
  %153 = zext i16 %152 to i32
  %154 = and i32 %153, 4
  %155 = icmp ne i32 %154, 0
  %156 = xor i1 %155, true
  %157 = xor i1 %156, true
  %158 = zext i1 %157 to i32
  %159 = shl i32 %158, 10
  %160 = or i32 %146, %159
  %161 = call ptr @__ctype_b_loc() #12
  %162 = load ptr, ptr %161, align 8
  %163 = load i32, ptr %1, align 4
  %164 = sext i32 %163 to i64
  %165 = getelementptr inbounds i16, ptr %162, i64 %164
  %166 = load i16, ptr %165, align 2
  %167 = zext i16 %166 to i32
  %168 = and i32 %167, 8
  %169 = icmp ne i32 %168, 0
  %170 = xor i1 %169, true
  %171 = xor i1 %170, true
  %172 = zext i1 %171 to i32
  %173 = shl i32 %172, 11
  %174 = or i32 %160, %173
  store i32 %174, ptr %2, align 4
  %175 = load i32, ptr %2, align 4
  %176 = load i32, ptr %1, align 4
  %177 = call i32 @toupper(i32 noundef %176) #9
  %178 = load i32, ptr %1, align 4
  %179 = call i32 @tolower(i32 noundef %178) #9
  %180 = call i32 (ptr, ...) @printf(ptr noundef @.str.79, i32 noundef %175, i32 noundef %177, i32 noundef %179) #8
  br label %181

181:                                              ; preds = %8
  %182 = load i32, ptr %1, align 4
  %183 = add nsw i32 %182, 1
  store i32 %183, ptr %1, align 4
  br label %5, !llvm.loop !18

184:                                              ; preds = %5
  store volatile ptr @isalpha, ptr %3, align 8
  store volatile ptr @toupper, ptr %4, align 8
  %185 = load volatile ptr, ptr %3, align 8
  %186 = call i32 %185(i32 noundef 120) #8
  %187 = load volatile ptr, ptr %3, align 8
  %188 = call i32 %187(i32 noundef 49) #8
  %189 = load volatile ptr, ptr %4, align 8
  %190 = call i32 %189(i32 noundef 113) #8
  %191 = call i32 (ptr, ...) @printf(ptr noundef @.str.80, i32 noundef %186, i32 noundef %188, i32 noundef %190) #8
  ret void
}

; Function Attrs: nounwind
declare ptr @getenv(ptr noundef) #2

; Function Attrs: nounwind
declare i64 @clock() #2

; Function Attrs: nounwind
declare i64 @time(ptr noundef) #2

; Function Attrs: nounwind
declare i32 @atexit(ptr noundef) #2

; Function Attrs: noinline nounwind optnone uwtable
define internal void @last() #0 {
  %1 = call i32 @puts(ptr noundef @.str.81) #8
  ret void
}

; Function Attrs: noinline nounwind optnone uwtable
define internal void @before() #0 {
  %1 = call i32 @puts(ptr noundef @.str.82) #8
  ret void
}

; Function Attrs: noreturn nounwind
declare void @exit(i32 noundef) #3

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: write)
declare void @llvm.memset.p0.i64(ptr nocapture writeonly, i8, i64, i1 immarg) #4

; Function Attrs: nounwind willreturn memory(read)
declare i64 @strlen(ptr noundef) #5

; Function Attrs: nounwind willreturn memory(read)
declare i64 @strnlen(ptr noundef, i64 noundef) #5

; Function Attrs: nounwind willreturn memory(read)
declare i32 @strcmp(ptr noundef, ptr noundef) #5

; Function Attrs: nounwind willreturn memory(read)
declare i32 @strncmp(ptr noundef, ptr noundef, i64 noundef) #5

; Function Attrs: nounwind willreturn memory(read)
declare i32 @strcasecmp(ptr noundef, ptr noundef) #5

; Function Attrs: nounwind
declare ptr @strcpy(ptr noundef, ptr noundef) #2

; Function Attrs: nounwind
declare ptr @strcat(ptr noundef, ptr noundef) #2

; Function Attrs: nounwind
declare ptr @strncat(ptr noundef, ptr noundef, i64 noundef) #2

declare i32 @puts(ptr noundef) #1

; Function Attrs: nounwind
declare ptr @memset(ptr noundef, i32 noundef, i64 noundef) #2

; Function Attrs: nounwind
declare ptr @strncpy(ptr noundef, ptr noundef, i64 noundef) #2

; Function Attrs: nounwind willreturn memory(read)
declare ptr @strchr(ptr noundef, i32 noundef) #5

; Function Attrs: nounwind willreturn memory(read)
declare ptr @strrchr(ptr noundef, i32 noundef) #5

; Function Attrs: nounwind willreturn memory(read)
declare ptr @strstr(ptr noundef, ptr noundef) #5

; Function Attrs: nounwind willreturn memory(read)
declare ptr @memchr(ptr noundef, i32 noundef, i64 noundef) #5

; Function Attrs: nounwind willreturn memory(read)
declare i64 @strspn(ptr noundef, ptr noundef) #5

; Function Attrs: nounwind willreturn memory(read)
declare i64 @strcspn(ptr noundef, ptr noundef) #5

; Function Attrs: nounwind willreturn memory(read)
declare ptr @strpbrk(ptr noundef, ptr noundef) #5

; Function Attrs: nounwind
declare noalias ptr @strdup(ptr noundef) #2

; Function Attrs: nounwind
declare noalias ptr @strndup(ptr noundef, i64 noundef) #2

; Function Attrs: nounwind willreturn memory(read)
declare i32 @memcmp(ptr noundef, ptr noundef, i64 noundef) #5

; Function Attrs: nounwind
declare void @free(ptr noundef) #2

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memcpy.p0.p0.i64(ptr noalias nocapture writeonly, ptr noalias nocapture readonly, i64, i1 immarg) #6

; Function Attrs: nounwind
declare ptr @strtok(ptr noundef, ptr noundef) #2

; Function Attrs: nounwind
declare ptr @strtok_r(ptr noundef, ptr noundef, ptr noundef) #2

; Function Attrs: nounwind
declare ptr @memmove(ptr noundef, ptr noundef, i64 noundef) #2

; Function Attrs: nounwind willreturn memory(none)
declare ptr @__errno_location() #7

; Function Attrs: nounwind
declare double @strtod(ptr noundef, ptr noundef) #2

; Function Attrs: nounwind
declare float @strtof(ptr noundef, ptr noundef) #2

; Function Attrs: nounwind
declare x86_fp80 @strtold(ptr noundef, ptr noundef) #2

; Function Attrs: nounwind
declare i64 @strtol(ptr noundef, ptr noundef, i32 noundef) #2

; Function Attrs: nounwind
declare i64 @strtoul(ptr noundef, ptr noundef, i32 noundef) #2

; Function Attrs: nounwind willreturn memory(read)
declare i32 @atoi(ptr noundef) #5

; Function Attrs: nounwind willreturn memory(read)
declare i64 @atol(ptr noundef) #5

; Function Attrs: nounwind willreturn memory(read)
declare double @atof(ptr noundef) #5

; Function Attrs: nounwind willreturn memory(none)
declare i32 @abs(i32 noundef) #7

; Function Attrs: nounwind willreturn memory(none)
declare i64 @labs(i64 noundef) #7

; Function Attrs: nounwind willreturn memory(none)
declare i64 @div(i32 noundef, i32 noundef) #7

; Function Attrs: nounwind willreturn memory(none)
declare { i64, i64 } @ldiv(i64 noundef, i64 noundef) #7

declare void @qsort(ptr noundef, i64 noundef, i64 noundef, ptr noundef) #1

; Function Attrs: noinline nounwind optnone uwtable
define internal i32 @by_int(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  store ptr %0, ptr %3, align 8
  store ptr %1, ptr %4, align 8
  %7 = load i32, ptr @calls, align 4
  %8 = add nsw i32 %7, 1
  store i32 %8, ptr @calls, align 4
  %9 = load ptr, ptr %3, align 8
  %10 = load i32, ptr %9, align 4
  store i32 %10, ptr %5, align 4
  %11 = load ptr, ptr %4, align 8
  %12 = load i32, ptr %11, align 4
  store i32 %12, ptr %6, align 4
  %13 = load i32, ptr %5, align 4
  %14 = load i32, ptr %6, align 4
  %15 = icmp sgt i32 %13, %14
  %16 = zext i1 %15 to i32
  %17 = load i32, ptr %5, align 4
  %18 = load i32, ptr %6, align 4
  %19 = icmp slt i32 %17, %18
  %20 = zext i1 %19 to i32
  %21 = sub nsw i32 %16, %20
  ret i32 %21
}

declare ptr @bsearch(ptr noundef, ptr noundef, i64 noundef, i64 noundef, ptr noundef) #1

; Function Attrs: nounwind
declare i32 @sprintf(ptr noundef, ptr noundef, ...) #2

; Function Attrs: noinline nounwind optnone uwtable
define internal i32 @by_key(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  store ptr %0, ptr %3, align 8
  store ptr %1, ptr %4, align 8
  %5 = load i32, ptr @calls, align 4
  %6 = add nsw i32 %5, 1
  store i32 %6, ptr @calls, align 4
  %7 = load ptr, ptr %3, align 8
  %8 = getelementptr inbounds %struct.pair, ptr %7, i32 0, i32 0
  %9 = load i32, ptr %8, align 8
  %10 = load ptr, ptr %4, align 8
  %11 = getelementptr inbounds %struct.pair, ptr %10, i32 0, i32 0
  %12 = load i32, ptr %11, align 8
  %13 = sub nsw i32 %9, %12
  ret i32 %13
}

; Function Attrs: noinline nounwind optnone uwtable
define internal i32 @by_name(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  store ptr %0, ptr %3, align 8
  store ptr %1, ptr %4, align 8
  %5 = load ptr, ptr %3, align 8
  %6 = load ptr, ptr %5, align 8
  %7 = load ptr, ptr %4, align 8
  %8 = load ptr, ptr %7, align 8
  %9 = call i32 @strcmp(ptr noundef %6, ptr noundef %8) #11
  ret i32 %9
}

; Function Attrs: nounwind
declare i32 @rand() #2

; Function Attrs: nounwind
declare i64 @random() #2

; Function Attrs: nounwind
declare void @srand(i32 noundef) #2

; Function Attrs: nounwind
declare void @srandom(i32 noundef) #2

; Function Attrs: nounwind
declare i32 @rand_r(ptr noundef) #2

; Function Attrs: nounwind
declare double @drand48() #2

; Function Attrs: nounwind
declare void @srand48(i64 noundef) #2

; Function Attrs: nounwind
declare i64 @lrand48() #2

; Function Attrs: nounwind
declare i64 @mrand48() #2

; Function Attrs: nounwind
declare double @erand48(ptr noundef) #2

; Function Attrs: nounwind
declare i64 @nrand48(ptr noundef) #2

; Function Attrs: nounwind
declare i64 @jrand48(ptr noundef) #2

; Function Attrs: nounwind willreturn memory(none)
declare ptr @__ctype_b_loc() #7

; Function Attrs: nounwind
declare i32 @toupper(i32 noundef) #2

; Function Attrs: nounwind
declare i32 @tolower(i32 noundef) #2

; Function Attrs: nounwind
declare i32 @isalpha(i32 noundef) #2

attributes #0 = { noinline nounwind optnone uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { "frame-pointer"="all" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #2 = { nounwind "frame-pointer"="all" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { noreturn nounwind "frame-pointer"="all" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #4 = { nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #5 = { nounwind willreturn memory(read) "frame-pointer"="all" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #6 = { nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #7 = { nounwind willreturn memory(none) "frame-pointer"="all" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #8 = { nobuiltin "no-builtins" }
attributes #9 = { nobuiltin nounwind "no-builtins" }
attributes #10 = { nobuiltin noreturn nounwind "no-builtins" }
attributes #11 = { nobuiltin nounwind willreturn memory(read) "no-builtins" }
attributes #12 = { nobuiltin nounwind willreturn memory(none) "no-builtins" }

!llvm.module.flags = !{!0, !1, !2, !3, !4}
!llvm.ident = !{!5}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 8, !"PIC Level", i32 2}
!2 = !{i32 7, !"PIE Level", i32 2}
!3 = !{i32 7, !"uwtable", i32 2}
!4 = !{i32 7, !"frame-pointer", i32 2}
!5 = !{!"Debian clang version 19.1.7 (3~deb12u1)"}
!6 = distinct !{!6, !7}
!7 = !{!"llvm.loop.mustprogress"}
!8 = distinct !{!8, !7}
!9 = distinct !{!9, !7}
!10 = distinct !{!10, !7}
!11 = distinct !{!11, !7}
!12 = distinct !{!12, !7}
!13 = distinct !{!13, !7}
!14 = distinct !{!14, !7}
!15 = distinct !{!15, !7}
!16 = distinct !{!16, !7}
!17 = distinct !{!17, !7}
!18 = distinct !{!18, !7}
