; ModuleID = 'printf.c'
source_filename = "printf.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.__va_list_tag = type { i32, i32, ptr, ptr }

@values = internal unnamed_addr constant [40 x double] [double 0.000000e+00, double -0.000000e+00, double 1.000000e+00, double -1.000000e+00, double 1.000000e-01, double 5.000000e-01, double 1.500000e+00, double 2.500000e+00, double 9.500000e+00, double 9.950000e+01, double 0x412E847F00000000, double 1.000000e-05, double 1.000000e-04, double 1.234560e+05, double 0x4132D68700000000, double 1.000000e+15, double 1.000000e+16, double 1.000000e+21, double 0x400921FB54442D18, double 0x3EFC80D50C795C88, double 1.000000e+100, double 1.000000e-100, double 0x7FEFFFFFFFFFFFFF, double 0x10000000000000, double 4.940660e-324, double 0x3FD5555555555555, double 0x3EDBF647612F3696, double 0x3FEFFFFEF39085F5, double 0x4023FFFFEF39085F, double 0x3FFFFFFFFFFFFFFF, double 8.500000e+00, double 1.500000e+00, double 1.031250e+00, double 1.093750e+00, double 0x402FFF0000000000, double 0x7FF0000000000000, double 0xFFF0000000000000, double 4.999940e-320, double 0x44B52D02C7E14AF6, double 1.000000e+02], align 16
@formats = internal unnamed_addr constant [42 x ptr] [ptr @.str.38, ptr @.str.39, ptr @.str.40, ptr @.str.41, ptr @.str.42, ptr @.str.43, ptr @.str.44, ptr @.str.45, ptr @.str.46, ptr @.str.47, ptr @.str.48, ptr @.str.49, ptr @.str.50, ptr @.str.51, ptr @.str, ptr @.str.52, ptr @.str.53, ptr @.str.54, ptr @.str.55, ptr @.str.56, ptr @.str.57, ptr @.str.58, ptr @.str.59, ptr @.str.60, ptr @.str.61, ptr @.str.62, ptr @.str.63, ptr @.str.64, ptr @.str.65, ptr @.str.66, ptr @.str.67, ptr @.str.68, ptr @.str.69, ptr @.str.70, ptr @.str.71, ptr @.str.72, ptr @.str.73, ptr @.str.74, ptr @.str.75, ptr @.str.76, ptr @.str.77, ptr @.str.78], align 16
@.str = private unnamed_addr constant [4 x i8] c"%#g\00", align 1
@.str.1 = private unnamed_addr constant [2 x i8] c"|\00", align 1
@.str.2 = private unnamed_addr constant [34 x i8] c"[%f] [%10f] [%-10f] [%010F] [%G]\0A\00", align 1
@.str.3 = private unnamed_addr constant [28 x i8] c"[%010f] [%+f] [%-8f] [%8F]\0A\00", align 1
@.str.4 = private unnamed_addr constant [91 x i8] c"[%d] [%i] [%5d] [%-5d] [%05d] [%+d] [% d] [%.3d] [%8.3d] [%-8.3d] [%08.3d] [%+.0d] [%.0d]\0A\00", align 1
@.str.5 = private unnamed_addr constant [88 x i8] c"[%u] [%o] [%x] [%X] [%#o] [%#x] [%#X] [%#010x] [%-#10x] [%#.5o] [%.0o] [%#.0o] [%#.0x]\0A\00", align 1
@.str.6 = private unnamed_addr constant [71 x i8] c"[%hhd] [%hd] [%hhu] [%hu] [%hhx] [%ld] [%lu] [%lld] [%zx] [%jd] [%td]\0A\00", align 1
@.str.7 = private unnamed_addr constant [19 x i8] c"[%ld] [%lu] [%lx]\0A\00", align 1
@.str.8 = private unnamed_addr constant [49 x i8] c"[%s] [%10s] [%-10s] [%.2s] [%10.2s] [%.0s] [%s]\0A\00", align 1
@.str.9 = private unnamed_addr constant [5 x i8] c"text\00", align 1
@.str.10 = private unnamed_addr constant [1 x i8] zeroinitializer, align 1
@.str.11 = private unnamed_addr constant [32 x i8] c"[%c] [%5c] [%-5c] [%%] [%5d%%]\0A\00", align 1
@.str.12 = private unnamed_addr constant [42 x i8] c"[%*d] [%-*d] [%*d] [%.*f] [%.*f] [%*.*e]\0A\00", align 1
@.str.13 = private unnamed_addr constant [28 x i8] c"[%p] [%10p] [%-10p] [%.3s]\0A\00", align 1
@.str.14 = private unnamed_addr constant [6 x i8] c"null?\00", align 1
@.str.15 = private unnamed_addr constant [21 x i8] c"[%p] [%20p] [%-20p]\0A\00", align 1
@.str.16 = private unnamed_addr constant [59 x i8] c"[%Lf] [%Le] [%Lg] [%.25Lf] [%30.20Le] [%La] [%.3La] [%LA]\0A\00", align 1
@.str.17 = private unnamed_addr constant [39 x i8] c"[%La] [%Le] [%.0Lf] [%Lg] [%La] [%La]\0A\00", align 1
@.str.18 = private unnamed_addr constant [31 x i8] c"[%.0La] [%.1La] [%.2La] [%Lf]\0A\00", align 1
@.str.19 = private unnamed_addr constant [9 x i8] c"%d [%s]\0A\00", align 1
@.str.20 = private unnamed_addr constant [6 x i8] c"%d-%s\00", align 1
@.str.21 = private unnamed_addr constant [9 x i8] c"cut here\00", align 1
@.str.22 = private unnamed_addr constant [9 x i8] c"%d [%c]\0A\00", align 1
@.str.23 = private unnamed_addr constant [3 x i8] c"%d\00", align 1
@.str.24 = private unnamed_addr constant [4 x i8] c"%d\0A\00", align 1
@.str.25 = private unnamed_addr constant [6 x i8] c"%100s\00", align 1
@.str.26 = private unnamed_addr constant [6 x i8] c"%s %g\00", align 1
@.str.27 = private unnamed_addr constant [6 x i8] c"pi is\00", align 1
@.str.28 = private unnamed_addr constant [24 x i8] c"%d %f %s %c %d %d %d %d\00", align 1
@.str.29 = private unnamed_addr constant [2 x i8] c"x\00", align 1
@.str.30 = private unnamed_addr constant [33 x i8] c"%g %g %g %g %g %g %g %g %g %g %d\00", align 1
@.str.31 = private unnamed_addr constant [16 x i8] c"%d %Lf %d %.1Lf\00", align 1
@stdout = external local_unnamed_addr global ptr, align 8
@.str.32 = private unnamed_addr constant [10 x i8] c"%s %d %g\0A\00", align 1
@.str.33 = private unnamed_addr constant [6 x i8] c"twice\00", align 1
@stderr = external local_unnamed_addr global ptr, align 8
@.str.34 = private unnamed_addr constant [22 x i8] c"to standard error %d\0A\00", align 1
@.str.35 = private unnamed_addr constant [7 x i8] c"fputs \00", align 1
@.str.36 = private unnamed_addr constant [8 x i8] c"fwrite\0A\00", align 1
@.str.37 = private unnamed_addr constant [7 x i8] c"count\0A\00", align 1
@.str.38 = private unnamed_addr constant [3 x i8] c"%f\00", align 1
@.str.39 = private unnamed_addr constant [3 x i8] c"%e\00", align 1
@.str.40 = private unnamed_addr constant [3 x i8] c"%g\00", align 1
@.str.41 = private unnamed_addr constant [3 x i8] c"%a\00", align 1
@.str.42 = private unnamed_addr constant [3 x i8] c"%F\00", align 1
@.str.43 = private unnamed_addr constant [3 x i8] c"%E\00", align 1
@.str.44 = private unnamed_addr constant [3 x i8] c"%G\00", align 1
@.str.45 = private unnamed_addr constant [3 x i8] c"%A\00", align 1
@.str.46 = private unnamed_addr constant [5 x i8] c"%.0f\00", align 1
@.str.47 = private unnamed_addr constant [5 x i8] c"%.0e\00", align 1
@.str.48 = private unnamed_addr constant [5 x i8] c"%.0g\00", align 1
@.str.49 = private unnamed_addr constant [5 x i8] c"%.0a\00", align 1
@.str.50 = private unnamed_addr constant [6 x i8] c"%#.0f\00", align 1
@.str.51 = private unnamed_addr constant [6 x i8] c"%#.0e\00", align 1
@.str.52 = private unnamed_addr constant [6 x i8] c"%#.0a\00", align 1
@.str.53 = private unnamed_addr constant [5 x i8] c"%.1f\00", align 1
@.str.54 = private unnamed_addr constant [5 x i8] c"%.2e\00", align 1
@.str.55 = private unnamed_addr constant [5 x i8] c"%.3g\00", align 1
@.str.56 = private unnamed_addr constant [5 x i8] c"%.1a\00", align 1
@.str.57 = private unnamed_addr constant [5 x i8] c"%.3a\00", align 1
@.str.58 = private unnamed_addr constant [6 x i8] c"%.13a\00", align 1
@.str.59 = private unnamed_addr constant [6 x i8] c"%.20a\00", align 1
@.str.60 = private unnamed_addr constant [6 x i8] c"%.15g\00", align 1
@.str.61 = private unnamed_addr constant [6 x i8] c"%.17g\00", align 1
@.str.62 = private unnamed_addr constant [6 x i8] c"%.17e\00", align 1
@.str.63 = private unnamed_addr constant [6 x i8] c"%.25f\00", align 1
@.str.64 = private unnamed_addr constant [6 x i8] c"%.30e\00", align 1
@.str.65 = private unnamed_addr constant [4 x i8] c"%+f\00", align 1
@.str.66 = private unnamed_addr constant [4 x i8] c"% f\00", align 1
@.str.67 = private unnamed_addr constant [7 x i8] c"%12.3f\00", align 1
@.str.68 = private unnamed_addr constant [8 x i8] c"%-12.3f\00", align 1
@.str.69 = private unnamed_addr constant [8 x i8] c"%012.3f\00", align 1
@.str.70 = private unnamed_addr constant [9 x i8] c"%+012.3e\00", align 1
@.str.71 = private unnamed_addr constant [7 x i8] c"% -12g\00", align 1
@.str.72 = private unnamed_addr constant [6 x i8] c"%020a\00", align 1
@.str.73 = private unnamed_addr constant [6 x i8] c"%-20a\00", align 1
@.str.74 = private unnamed_addr constant [6 x i8] c"%+.4g\00", align 1
@.str.75 = private unnamed_addr constant [6 x i8] c"%#.3g\00", align 1
@.str.76 = private unnamed_addr constant [6 x i8] c"%015g\00", align 1
@.str.77 = private unnamed_addr constant [4 x i8] c"%'f\00", align 1
@.str.78 = private unnamed_addr constant [6 x i8] c"%.40g\00", align 1

; Function Attrs: nounwind uwtable
define dso_local noundef i32 @main() local_unnamed_addr #0 {
  %1 = alloca [32 x i8], align 16
  br label %2

2:                                                ; preds = %0, %91
  %3 = phi i64 [ 0, %0 ], [ %92, %91 ]
  %4 = getelementptr inbounds [40 x double], ptr @values, i64 0, i64 %3
  %5 = icmp eq i64 %3, 10
  br label %94

6:                                                ; preds = %91
  %7 = tail call i32 (ptr, ...) @printf(ptr noundef nonnull @.str.2, double noundef 0x7FF8000000000000, double noundef 0x7FF8000000000000, double noundef 0xFFF8000000000000, double noundef 0x7FF8000000000000, double noundef 0x7FF8000000000000) #6
  %8 = tail call i32 (ptr, ...) @printf(ptr noundef nonnull @.str.3, double noundef 0x7FF0000000000000, double noundef 0x7FF0000000000000, double noundef 0x7FF0000000000000, double noundef 0xFFF0000000000000) #6
  %9 = tail call i32 (ptr, ...) @printf(ptr noundef nonnull @.str.4, i32 noundef 0, i32 noundef 0, i32 noundef 0, i32 noundef 0, i32 noundef 0, i32 noundef 0, i32 noundef 0, i32 noundef 0, i32 noundef 0, i32 noundef 0, i32 noundef 0, i32 noundef 0, i32 noundef 0) #6
  %10 = tail call i32 (ptr, ...) @printf(ptr noundef nonnull @.str.5, i32 noundef 0, i32 noundef 0, i32 noundef 0, i32 noundef 0, i32 noundef 0, i32 noundef 0, i32 noundef 0, i32 noundef 0, i32 noundef 0, i32 noundef 0, i32 noundef 0, i32 noundef 0, i32 noundef 0) #6
  %11 = tail call i32 (ptr, ...) @printf(ptr noundef nonnull @.str.6, i32 noundef 0, i32 noundef 0, i32 noundef 0, i32 noundef 0, i32 noundef 0, i64 noundef 0, i64 noundef 0, i64 noundef 0, i64 noundef 0, i64 noundef 0, i64 noundef 0) #6
  %12 = tail call i32 (ptr, ...) @printf(ptr noundef nonnull @.str.4, i32 noundef 1, i32 noundef 1, i32 noundef 1, i32 noundef 1, i32 noundef 1, i32 noundef 1, i32 noundef 1, i32 noundef 1, i32 noundef 1, i32 noundef 1, i32 noundef 1, i32 noundef 1, i32 noundef 1) #6
  %13 = tail call i32 (ptr, ...) @printf(ptr noundef nonnull @.str.5, i32 noundef 1, i32 noundef 1, i32 noundef 1, i32 noundef 1, i32 noundef 1, i32 noundef 1, i32 noundef 1, i32 noundef 1, i32 noundef 1, i32 noundef 1, i32 noundef 1, i32 noundef 1, i32 noundef 1) #6
  %14 = tail call i32 (ptr, ...) @printf(ptr noundef nonnull @.str.6, i32 noundef 1, i32 noundef 1, i32 noundef 1, i32 noundef 1, i32 noundef 1, i64 noundef 1, i64 noundef 1, i64 noundef 1, i64 noundef 1, i64 noundef 1, i64 noundef 1) #6
  %15 = tail call i32 (ptr, ...) @printf(ptr noundef nonnull @.str.4, i32 noundef -1, i32 noundef -1, i32 noundef -1, i32 noundef -1, i32 noundef -1, i32 noundef -1, i32 noundef -1, i32 noundef -1, i32 noundef -1, i32 noundef -1, i32 noundef -1, i32 noundef -1, i32 noundef -1) #6
  %16 = tail call i32 (ptr, ...) @printf(ptr noundef nonnull @.str.5, i32 noundef -1, i32 noundef -1, i32 noundef -1, i32 noundef -1, i32 noundef -1, i32 noundef -1, i32 noundef -1, i32 noundef -1, i32 noundef -1, i32 noundef -1, i32 noundef -1, i32 noundef -1, i32 noundef -1) #6
  %17 = tail call i32 (ptr, ...) @printf(ptr noundef nonnull @.str.6, i32 noundef -1, i32 noundef -1, i32 noundef -1, i32 noundef -1, i32 noundef -1, i64 noundef -1, i64 noundef -1, i64 noundef -1, i64 noundef -1, i64 noundef -1, i64 noundef -1) #6
  %18 = tail call i32 (ptr, ...) @printf(ptr noundef nonnull @.str.4, i32 noundef 42, i32 noundef 42, i32 noundef 42, i32 noundef 42, i32 noundef 42, i32 noundef 42, i32 noundef 42, i32 noundef 42, i32 noundef 42, i32 noundef 42, i32 noundef 42, i32 noundef 42, i32 noundef 42) #6
  %19 = tail call i32 (ptr, ...) @printf(ptr noundef nonnull @.str.5, i32 noundef 42, i32 noundef 42, i32 noundef 42, i32 noundef 42, i32 noundef 42, i32 noundef 42, i32 noundef 42, i32 noundef 42, i32 noundef 42, i32 noundef 42, i32 noundef 42, i32 noundef 42, i32 noundef 42) #6
  %20 = tail call i32 (ptr, ...) @printf(ptr noundef nonnull @.str.6, i32 noundef 42, i32 noundef 42, i32 noundef 42, i32 noundef 42, i32 noundef 42, i64 noundef 42, i64 noundef 42, i64 noundef 42, i64 noundef 42, i64 noundef 42, i64 noundef 42) #6
  %21 = tail call i32 (ptr, ...) @printf(ptr noundef nonnull @.str.4, i32 noundef -42, i32 noundef -42, i32 noundef -42, i32 noundef -42, i32 noundef -42, i32 noundef -42, i32 noundef -42, i32 noundef -42, i32 noundef -42, i32 noundef -42, i32 noundef -42, i32 noundef -42, i32 noundef -42) #6
  %22 = tail call i32 (ptr, ...) @printf(ptr noundef nonnull @.str.5, i32 noundef -42, i32 noundef -42, i32 noundef -42, i32 noundef -42, i32 noundef -42, i32 noundef -42, i32 noundef -42, i32 noundef -42, i32 noundef -42, i32 noundef -42, i32 noundef -42, i32 noundef -42, i32 noundef -42) #6
  %23 = tail call i32 (ptr, ...) @printf(ptr noundef nonnull @.str.6, i32 noundef -42, i32 noundef -42, i32 noundef -42, i32 noundef -42, i32 noundef -42, i64 noundef -42, i64 noundef -42, i64 noundef -42, i64 noundef -42, i64 noundef -42, i64 noundef -42) #6
  %24 = tail call i32 (ptr, ...) @printf(ptr noundef nonnull @.str.4, i32 noundef 127, i32 noundef 127, i32 noundef 127, i32 noundef 127, i32 noundef 127, i32 noundef 127, i32 noundef 127, i32 noundef 127, i32 noundef 127, i32 noundef 127, i32 noundef 127, i32 noundef 127, i32 noundef 127) #6
  %25 = tail call i32 (ptr, ...) @printf(ptr noundef nonnull @.str.5, i32 noundef 127, i32 noundef 127, i32 noundef 127, i32 noundef 127, i32 noundef 127, i32 noundef 127, i32 noundef 127, i32 noundef 127, i32 noundef 127, i32 noundef 127, i32 noundef 127, i32 noundef 127, i32 noundef 127) #6
  %26 = tail call i32 (ptr, ...) @printf(ptr noundef nonnull @.str.6, i32 noundef 127, i32 noundef 127, i32 noundef 127, i32 noundef 127, i32 noundef 127, i64 noundef 127, i64 noundef 127, i64 noundef 127, i64 noundef 127, i64 noundef 127, i64 noundef 127) #6
  %27 = tail call i32 (ptr, ...) @printf(ptr noundef nonnull @.str.4, i32 noundef 128, i32 noundef 128, i32 noundef 128, i32 noundef 128, i32 noundef 128, i32 noundef 128, i32 noundef 128, i32 noundef 128, i32 noundef 128, i32 noundef 128, i32 noundef 128, i32 noundef 128, i32 noundef 128) #6
  %28 = tail call i32 (ptr, ...) @printf(ptr noundef nonnull @.str.5, i32 noundef 128, i32 noundef 128, i32 noundef 128, i32 noundef 128, i32 noundef 128, i32 noundef 128, i32 noundef 128, i32 noundef 128, i32 noundef 128, i32 noundef 128, i32 noundef 128, i32 noundef 128, i32 noundef 128) #6
  %29 = tail call i32 (ptr, ...) @printf(ptr noundef nonnull @.str.6, i32 noundef 128, i32 noundef 128, i32 noundef 128, i32 noundef 128, i32 noundef 128, i64 noundef 128, i64 noundef 128, i64 noundef 128, i64 noundef 128, i64 noundef 128, i64 noundef 128) #6
  %30 = tail call i32 (ptr, ...) @printf(ptr noundef nonnull @.str.4, i32 noundef 255, i32 noundef 255, i32 noundef 255, i32 noundef 255, i32 noundef 255, i32 noundef 255, i32 noundef 255, i32 noundef 255, i32 noundef 255, i32 noundef 255, i32 noundef 255, i32 noundef 255, i32 noundef 255) #6
  %31 = tail call i32 (ptr, ...) @printf(ptr noundef nonnull @.str.5, i32 noundef 255, i32 noundef 255, i32 noundef 255, i32 noundef 255, i32 noundef 255, i32 noundef 255, i32 noundef 255, i32 noundef 255, i32 noundef 255, i32 noundef 255, i32 noundef 255, i32 noundef 255, i32 noundef 255) #6
  %32 = tail call i32 (ptr, ...) @printf(ptr noundef nonnull @.str.6, i32 noundef 255, i32 noundef 255, i32 noundef 255, i32 noundef 255, i32 noundef 255, i64 noundef 255, i64 noundef 255, i64 noundef 255, i64 noundef 255, i64 noundef 255, i64 noundef 255) #6
  %33 = tail call i32 (ptr, ...) @printf(ptr noundef nonnull @.str.4, i32 noundef 256, i32 noundef 256, i32 noundef 256, i32 noundef 256, i32 noundef 256, i32 noundef 256, i32 noundef 256, i32 noundef 256, i32 noundef 256, i32 noundef 256, i32 noundef 256, i32 noundef 256, i32 noundef 256) #6
  %34 = tail call i32 (ptr, ...) @printf(ptr noundef nonnull @.str.5, i32 noundef 256, i32 noundef 256, i32 noundef 256, i32 noundef 256, i32 noundef 256, i32 noundef 256, i32 noundef 256, i32 noundef 256, i32 noundef 256, i32 noundef 256, i32 noundef 256, i32 noundef 256, i32 noundef 256) #6
  %35 = tail call i32 (ptr, ...) @printf(ptr noundef nonnull @.str.6, i32 noundef 256, i32 noundef 256, i32 noundef 256, i32 noundef 256, i32 noundef 256, i64 noundef 256, i64 noundef 256, i64 noundef 256, i64 noundef 256, i64 noundef 256, i64 noundef 256) #6
  %36 = tail call i32 (ptr, ...) @printf(ptr noundef nonnull @.str.4, i32 noundef 65535, i32 noundef 65535, i32 noundef 65535, i32 noundef 65535, i32 noundef 65535, i32 noundef 65535, i32 noundef 65535, i32 noundef 65535, i32 noundef 65535, i32 noundef 65535, i32 noundef 65535, i32 noundef 65535, i32 noundef 65535) #6
  %37 = tail call i32 (ptr, ...) @printf(ptr noundef nonnull @.str.5, i32 noundef 65535, i32 noundef 65535, i32 noundef 65535, i32 noundef 65535, i32 noundef 65535, i32 noundef 65535, i32 noundef 65535, i32 noundef 65535, i32 noundef 65535, i32 noundef 65535, i32 noundef 65535, i32 noundef 65535, i32 noundef 65535) #6
  %38 = tail call i32 (ptr, ...) @printf(ptr noundef nonnull @.str.6, i32 noundef 65535, i32 noundef 65535, i32 noundef 65535, i32 noundef 65535, i32 noundef 65535, i64 noundef 65535, i64 noundef 65535, i64 noundef 65535, i64 noundef 65535, i64 noundef 65535, i64 noundef 65535) #6
  %39 = tail call i32 (ptr, ...) @printf(ptr noundef nonnull @.str.4, i32 noundef 65536, i32 noundef 65536, i32 noundef 65536, i32 noundef 65536, i32 noundef 65536, i32 noundef 65536, i32 noundef 65536, i32 noundef 65536, i32 noundef 65536, i32 noundef 65536, i32 noundef 65536, i32 noundef 65536, i32 noundef 65536) #6
  %40 = tail call i32 (ptr, ...) @printf(ptr noundef nonnull @.str.5, i32 noundef 65536, i32 noundef 65536, i32 noundef 65536, i32 noundef 65536, i32 noundef 65536, i32 noundef 65536, i32 noundef 65536, i32 noundef 65536, i32 noundef 65536, i32 noundef 65536, i32 noundef 65536, i32 noundef 65536, i32 noundef 65536) #6
  %41 = tail call i32 (ptr, ...) @printf(ptr noundef nonnull @.str.6, i32 noundef 65536, i32 noundef 65536, i32 noundef 65536, i32 noundef 65536, i32 noundef 65536, i64 noundef 65536, i64 noundef 65536, i64 noundef 65536, i64 noundef 65536, i64 noundef 65536, i64 noundef 65536) #6
  %42 = tail call i32 (ptr, ...) @printf(ptr noundef nonnull @.str.4, i32 noundef 2147483647, i32 noundef 2147483647, i32 noundef 2147483647, i32 noundef 2147483647, i32 noundef 2147483647, i32 noundef 2147483647, i32 noundef 2147483647, i32 noundef 2147483647, i32 noundef 2147483647, i32 noundef 2147483647, i32 noundef 2147483647, i32 noundef 2147483647, i32 noundef 2147483647) #6
  %43 = tail call i32 (ptr, ...) @printf(ptr noundef nonnull @.str.5, i32 noundef 2147483647, i32 noundef 2147483647, i32 noundef 2147483647, i32 noundef 2147483647, i32 noundef 2147483647, i32 noundef 2147483647, i32 noundef 2147483647, i32 noundef 2147483647, i32 noundef 2147483647, i32 noundef 2147483647, i32 noundef 2147483647, i32 noundef 2147483647, i32 noundef 2147483647) #6
  %44 = tail call i32 (ptr, ...) @printf(ptr noundef nonnull @.str.6, i32 noundef 2147483647, i32 noundef 2147483647, i32 noundef 2147483647, i32 noundef 2147483647, i32 noundef 2147483647, i64 noundef 2147483647, i64 noundef 2147483647, i64 noundef 2147483647, i64 noundef 2147483647, i64 noundef 2147483647, i64 noundef 2147483647) #6
  %45 = tail call i32 (ptr, ...) @printf(ptr noundef nonnull @.str.4, i32 noundef -2147483648, i32 noundef -2147483648, i32 noundef -2147483648, i32 noundef -2147483648, i32 noundef -2147483648, i32 noundef -2147483648, i32 noundef -2147483648, i32 noundef -2147483648, i32 noundef -2147483648, i32 noundef -2147483648, i32 noundef -2147483648, i32 noundef -2147483648, i32 noundef -2147483648) #6
  %46 = tail call i32 (ptr, ...) @printf(ptr noundef nonnull @.str.5, i32 noundef -2147483648, i32 noundef -2147483648, i32 noundef -2147483648, i32 noundef -2147483648, i32 noundef -2147483648, i32 noundef -2147483648, i32 noundef -2147483648, i32 noundef -2147483648, i32 noundef -2147483648, i32 noundef -2147483648, i32 noundef -2147483648, i32 noundef -2147483648, i32 noundef -2147483648) #6
  %47 = tail call i32 (ptr, ...) @printf(ptr noundef nonnull @.str.6, i32 noundef -2147483648, i32 noundef -2147483648, i32 noundef -2147483648, i32 noundef -2147483648, i32 noundef -2147483648, i64 noundef -2147483648, i64 noundef -2147483648, i64 noundef -2147483648, i64 noundef -2147483648, i64 noundef -2147483648, i64 noundef -2147483648) #6
  %48 = tail call i32 (ptr, ...) @printf(ptr noundef nonnull @.str.7, i64 noundef -9223372036854775808, i64 noundef -1, i64 noundef -1) #6
  %49 = tail call i32 (ptr, ...) @printf(ptr noundef nonnull @.str.8, ptr noundef nonnull @.str.9, ptr noundef nonnull @.str.9, ptr noundef nonnull @.str.9, ptr noundef nonnull @.str.9, ptr noundef nonnull @.str.9, ptr noundef nonnull @.str.9, ptr noundef nonnull @.str.10) #6
  %50 = tail call i32 (ptr, ...) @printf(ptr noundef nonnull @.str.11, i32 noundef 97, i32 noundef 98, i32 noundef 99, i32 noundef 50) #6
  %51 = tail call i32 (ptr, ...) @printf(ptr noundef nonnull @.str.12, i32 noundef 6, i32 noundef 1, i32 noundef 6, i32 noundef 2, i32 noundef -6, i32 noundef 3, i32 noundef 2, double noundef 3.141590e+00, i32 noundef -1, double noundef 3.141590e+00, i32 noundef 12, i32 noundef 3, double noundef 3.141590e+00) #6
  %52 = tail call i32 (ptr, ...) @printf(ptr noundef nonnull @.str.13, ptr noundef null, ptr noundef null, ptr noundef null, ptr noundef nonnull @.str.14) #6
  %53 = tail call i32 (ptr, ...) @printf(ptr noundef nonnull @.str.15, ptr noundef nonnull inttoptr (i64 4660 to ptr), ptr noundef nonnull inttoptr (i64 4660 to ptr), ptr noundef nonnull inttoptr (i64 3735928559 to ptr)) #6
  %54 = tail call i32 (ptr, ...) @printf(ptr noundef nonnull @.str.16, x86_fp80 noundef 0xK4000C90FDAA22168C235, x86_fp80 noundef 0xK4000C90FDAA22168C235, x86_fp80 noundef 0xK4000C90FDAA22168C235, x86_fp80 noundef 0xK4000C90FDAA22168C235, x86_fp80 noundef 0xK4000C90FDAA22168C235, x86_fp80 noundef 0xK4000C90FDAA22168C235, x86_fp80 noundef 0xK4000C90FDAA22168C235, x86_fp80 noundef 0xK4000C90FDAA22168C235) #6
  %55 = tail call i32 (ptr, ...) @printf(ptr noundef nonnull @.str.17, x86_fp80 noundef 0xK00000000000000000001, x86_fp80 noundef 0xK00000000000000000001, x86_fp80 noundef 0xK4069BBB4DF56BAF62971, x86_fp80 noundef 0xK7FFEFFFFFFFFFFFFFFFF, x86_fp80 noundef 0xK00000000000000000000, x86_fp80 noundef 0xK3FFF8000000000000000) #6
  %56 = tail call i32 (ptr, ...) @printf(ptr noundef nonnull @.str.18, x86_fp80 noundef 0xK3FFFFC00000000000000, x86_fp80 noundef 0xK3FFFFC00000000000000, x86_fp80 noundef 0xKC009FFE0000000000000, x86_fp80 noundef 0xK7FFF8000000000000000) #6
  call void @llvm.lifetime.start.p0(i64 32, ptr nonnull %1) #7
  %57 = call ptr @memset(ptr noundef nonnull %1, i32 noundef 35, i64 noundef 32) #6
  %58 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %1, i64 noundef 8, ptr noundef nonnull @.str.20, i32 noundef 12345, ptr noundef nonnull @.str.21) #6
  %59 = call i32 (ptr, ...) @printf(ptr noundef nonnull @.str.19, i32 noundef %58, ptr noundef nonnull %1) #6
  %60 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %1, i64 noundef 0, ptr noundef nonnull @.str.23, i32 noundef 7) #6
  %61 = load i8, ptr %1, align 16, !tbaa !5
  %62 = sext i8 %61 to i32
  %63 = call i32 (ptr, ...) @printf(ptr noundef nonnull @.str.22, i32 noundef %60, i32 noundef %62) #6
  %64 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef null, i64 noundef 0, ptr noundef nonnull @.str.25, ptr noundef nonnull @.str.10) #6
  %65 = call i32 (ptr, ...) @printf(ptr noundef nonnull @.str.24, i32 noundef %64) #6
  %66 = call i32 (ptr, ptr, ...) @sprintf(ptr noundef nonnull %1, ptr noundef nonnull @.str.26, ptr noundef nonnull @.str.27, double noundef 3.250000e+00) #6
  %67 = call i32 (ptr, ...) @printf(ptr noundef nonnull @.str.19, i32 noundef %66, ptr noundef nonnull %1) #6
  %68 = call i32 (ptr, i64, ptr, ...) @via(ptr noundef nonnull %1, i64 poison, ptr noundef nonnull @.str.28, i32 noundef 1, double noundef 2.500000e+00, ptr noundef nonnull @.str.29, i32 noundef 121, i32 noundef 4, i32 noundef 5, i32 noundef 6, i32 noundef 7) #8
  %69 = call i32 (ptr, ...) @printf(ptr noundef nonnull @.str.19, i32 noundef %68, ptr noundef nonnull %1) #6
  %70 = call i32 (ptr, i64, ptr, ...) @via(ptr noundef nonnull %1, i64 poison, ptr noundef nonnull @.str.30, double noundef 1.000000e+00, double noundef 2.000000e+00, double noundef 3.000000e+00, double noundef 4.000000e+00, double noundef 5.000000e+00, double noundef 6.000000e+00, double noundef 7.000000e+00, double noundef 8.000000e+00, double noundef 9.000000e+00, double noundef 1.000000e+01, i32 noundef 11) #8
  %71 = call i32 @puts(ptr noundef nonnull %1) #6
  %72 = call i32 (ptr, i64, ptr, ...) @via(ptr noundef nonnull %1, i64 poison, ptr noundef nonnull @.str.31, i32 noundef 1, x86_fp80 noundef 0xK40008000000000000000, i32 noundef 3, x86_fp80 noundef 0xK40018000000000000000) #8
  %73 = call i32 @puts(ptr noundef nonnull %1) #6
  %74 = load ptr, ptr @stdout, align 8, !tbaa !8
  call void (ptr, ptr, ...) @log_to(ptr noundef %74, ptr nonnull poison, ptr noundef nonnull @.str.33, i32 noundef 2, double noundef 2.000000e+00) #8
  %75 = load ptr, ptr @stderr, align 8, !tbaa !8
  %76 = call i32 (ptr, ptr, ...) @fprintf(ptr noundef %75, ptr noundef nonnull @.str.34, i32 noundef 1) #6
  %77 = load ptr, ptr @stdout, align 8, !tbaa !8
  %78 = call i32 @fputs(ptr noundef nonnull @.str.35, ptr noundef %77) #6
  %79 = load ptr, ptr @stdout, align 8, !tbaa !8
  %80 = call i32 @fputc(i32 noundef 102, ptr noundef %79) #6
  %81 = load ptr, ptr @stdout, align 8, !tbaa !8
  %82 = call i32 @putc(i32 noundef 112, ptr noundef %81) #6
  %83 = load ptr, ptr @stdout, align 8, !tbaa !8
  %84 = call i32 @putc(i32 noundef 10, ptr noundef %83) #6
  %85 = load ptr, ptr @stdout, align 8, !tbaa !8
  %86 = call i64 @fwrite(ptr noundef nonnull @.str.36, i64 noundef 1, i64 noundef 7, ptr noundef %85) #6
  %87 = call i32 (ptr, ...) @printf(ptr noundef nonnull @.str.37) #6
  %88 = call i32 (ptr, ...) @printf(ptr noundef nonnull @.str.24, i32 noundef %87) #6
  %89 = load ptr, ptr @stdout, align 8, !tbaa !8
  %90 = call i32 @fflush(ptr noundef %89) #6
  call void @llvm.lifetime.end.p0(i64 32, ptr nonnull %1) #7
  ret i32 %87

91:                                               ; preds = %105
  %92 = add nuw nsw i64 %3, 1
  %93 = icmp eq i64 %92, 40
  br i1 %93, label %6, label %2, !llvm.loop !10

94:                                               ; preds = %2, %105
  %95 = phi i64 [ 0, %2 ], [ %106, %105 ]
  %96 = getelementptr inbounds [42 x ptr], ptr @formats, i64 0, i64 %95
  %97 = load ptr, ptr %96, align 8, !tbaa !8
  br i1 %5, label %98, label %101

98:                                               ; preds = %94
  %99 = tail call i32 @strcmp(ptr noundef %97, ptr noundef nonnull @.str) #9
  %100 = icmp eq i32 %99, 0
  br i1 %100, label %105, label %101

101:                                              ; preds = %94, %98
  %102 = load double, ptr %4, align 8, !tbaa !12
  %103 = tail call i32 (ptr, ...) @printf(ptr noundef %97, double noundef %102) #6
  %104 = tail call i32 @puts(ptr noundef nonnull @.str.1) #6
  br label %105

105:                                              ; preds = %98, %101
  %106 = add nuw nsw i64 %95, 1
  %107 = icmp eq i64 %106, 42
  br i1 %107, label %91, label %94, !llvm.loop !14
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #1

; Function Attrs: mustprogress nofree nounwind willreturn memory(read)
declare i32 @strcmp(ptr noundef, ptr noundef) local_unnamed_addr #2

declare i32 @printf(ptr noundef, ...) local_unnamed_addr #3

declare i32 @puts(ptr noundef) local_unnamed_addr #3

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #1

; Function Attrs: nounwind
declare ptr @memset(ptr noundef, i32 noundef, i64 noundef) local_unnamed_addr #4

; Function Attrs: nounwind
declare i32 @snprintf(ptr noundef, i64 noundef, ptr noundef, ...) local_unnamed_addr #4

; Function Attrs: nounwind
declare i32 @sprintf(ptr noundef, ptr noundef, ...) local_unnamed_addr #4

; Function Attrs: nounwind uwtable
define internal i32 @via(ptr noundef %0, i64 %1, ptr noundef %2, ...) unnamed_addr #0 {
  %4 = alloca [1 x %struct.__va_list_tag], align 16
  call void @llvm.lifetime.start.p0(i64 24, ptr nonnull %4) #7
  call void @llvm.va_start.p0(ptr nonnull %4)
  %5 = call i32 @vsnprintf(ptr noundef %0, i64 noundef 32, ptr noundef %2, ptr noundef nonnull %4) #6
  call void @llvm.va_end.p0(ptr nonnull %4)
  call void @llvm.lifetime.end.p0(i64 24, ptr nonnull %4) #7
  ret i32 %5
}

; Function Attrs: nounwind uwtable
define internal void @log_to(ptr noundef %0, ptr nocapture readnone %1, ...) unnamed_addr #0 {
  %3 = alloca [1 x %struct.__va_list_tag], align 16
  %4 = alloca [1 x %struct.__va_list_tag], align 16
  call void @llvm.lifetime.start.p0(i64 24, ptr nonnull %3) #7
  call void @llvm.lifetime.start.p0(i64 24, ptr nonnull %4) #7
  call void @llvm.va_start.p0(ptr nonnull %3)
  call void @llvm.va_copy.p0(ptr nonnull %4, ptr nonnull %3)
  %5 = call i32 @vfprintf(ptr noundef %0, ptr noundef nonnull @.str.32, ptr noundef nonnull %3) #6
  call void @llvm.va_end.p0(ptr nonnull %3)
  %6 = load ptr, ptr @stdout, align 8, !tbaa !8, !noalias !15
  %7 = call i32 @vfprintf(ptr noundef %6, ptr noundef nonnull @.str.32, ptr noundef nonnull %4) #6
  call void @llvm.va_end.p0(ptr nonnull %4)
  call void @llvm.lifetime.end.p0(i64 24, ptr nonnull %4) #7
  call void @llvm.lifetime.end.p0(i64 24, ptr nonnull %3) #7
  ret void
}

declare i32 @fprintf(ptr noundef, ptr noundef, ...) local_unnamed_addr #3

declare i32 @fputs(ptr noundef, ptr noundef) local_unnamed_addr #3

declare i32 @fputc(i32 noundef, ptr noundef) local_unnamed_addr #3

declare i32 @putc(i32 noundef, ptr noundef) local_unnamed_addr #3

declare i64 @fwrite(ptr noundef, i64 noundef, i64 noundef, ptr noundef) local_unnamed_addr #3

declare i32 @fflush(ptr noundef) local_unnamed_addr #3

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn
declare void @llvm.va_start.p0(ptr) #5

; Function Attrs: nounwind
declare i32 @vsnprintf(ptr noundef, i64 noundef, ptr noundef, ptr noundef) local_unnamed_addr #4

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn
declare void @llvm.va_end.p0(ptr) #5

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn
declare void @llvm.va_copy.p0(ptr, ptr) #5

declare i32 @vfprintf(ptr noundef, ptr noundef, ptr noundef) local_unnamed_addr #3

attributes #0 = { nounwind uwtable "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { mustprogress nofree nounwind willreturn memory(read) "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #4 = { nounwind "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #5 = { mustprogress nocallback nofree nosync nounwind willreturn }
attributes #6 = { nobuiltin nounwind "no-builtins" }
attributes #7 = { nounwind }
attributes #8 = { nobuiltin "no-builtins" }
attributes #9 = { nobuiltin nounwind willreturn memory(read) "no-builtins" }

!llvm.module.flags = !{!0, !1, !2, !3}
!llvm.ident = !{!4}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 8, !"PIC Level", i32 2}
!2 = !{i32 7, !"PIE Level", i32 2}
!3 = !{i32 7, !"uwtable", i32 2}
!4 = !{!"Debian clang version 19.1.7 (3~deb12u1)"}
!5 = !{!6, !6, i64 0}
!6 = !{!"omnipotent char", !7, i64 0}
!7 = !{!"Simple C/C++ TBAA"}
!8 = !{!9, !9, i64 0}
!9 = !{!"any pointer", !6, i64 0}
!10 = distinct !{!10, !11}
!11 = !{!"llvm.loop.mustprogress"}
!12 = !{!13, !13, i64 0}
!13 = !{!"double", !6, i64 0}
!14 = distinct !{!14, !11}
!15 = !{!16}
!16 = distinct !{!16, !17, !"vprintf: argument 0"}
!17 = distinct !{!17, !"vprintf"}
