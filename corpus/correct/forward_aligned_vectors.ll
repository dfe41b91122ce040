; Forward mode: a function clears vectors that are aligned to 32 bytes, in memory that is active at one call and constant at the other.

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@x = global [4 x double] [double 0.5, double -1.5, double 2.0, double 0.25], align 16
@dx = global [4 x double] [double 1.0, double 0.5, double -2.0, double 4.0], align 16

define internal double @cleared(double %last, ptr %to) noinline {
  store <3 x double> zeroinitializer, ptr %to, align 32
  ret double %last
}

define internal double @unrelated(double %last) noinline {
  %own = alloca [1 x <3 x double>], align 32
  %r = call double @cleared(double %last, ptr %own)
  ret double %r
}

define double @f(ptr %x) {
  %kept = alloca [1 x <3 x double>], align 32
  %all = load <3 x double>, ptr %x, align 8
  %first = load double, ptr %x, align 8
  store <3 x double> %all, ptr %kept, align 32
  %a = call double @cleared(double %first, ptr %kept)
  %b = call double @unrelated(double 3.0)
  %product = fmul double %a, %b
  ret double %product
}

declare double @__enzyme_fwddiff(...)

define i32 @main() {
  %d = call double (...) @__enzyme_fwddiff(ptr @f, metadata !"enzyme_dup", ptr @x, ptr @dx)
  %wrong = fcmp une double %d, 3.0
  %status = zext i1 %wrong to i32
  ret i32 %status
}
