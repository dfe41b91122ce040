; Markers as compilers write them (strings of metadata) and as C programs do (globals that are loaded), results of several types, and
; entry points of several names.

target triple = "x86_64-pc-linux-gnu"

@x = internal global [2 x double] [double 1.500000e+00, double 2.500000e+00]
@dx = internal global [2 x double] zeroinitializer
@enzyme_const = external global i32
@enzyme_dup = external local_unnamed_addr global i32, align 4

define double @scaled(ptr %p, double %s, i64 %n) {
  %a = load double, ptr %p
  %q = getelementptr double, ptr %p, i64 %n
  %b = load double, ptr %q
  %m = fmul double %a, %b
  %r = fmul double %m, %s
  ret double %r
}

define double @product(double %a, double %b) {
  %m = fmul double %a, %b
  ret double %m
}

declare double @__enzyme_autodiff(...)
declare void @__enzyme_autodiff_void(ptr, ...)
declare { double, double } @__enzyme_autodiffPair(ptr, double, double)
declare [2 x double] @__enzyme_autodiff.array(ptr, double, double)
declare [2 x double] @_Z17__enzyme_autodiffIdJPFddEdEET_DpT0_(ptr, double, double)
declare [2 x double] @__enzyme_fwddiff(...)

define i32 @main() {
  call double (...) @__enzyme_autodiff(ptr @scaled, metadata !"enzyme_dup", ptr @x, ptr @dx, metadata !"enzyme_const", double 3.0, i64 1)
  %s = call double (...) @__enzyme_autodiff(ptr nonnull @scaled, metadata !"enzyme_const", ptr @x, metadata !"enzyme_out", double 3.0, metadata !"enzyme_const", i64 1)
  %const = load i32, ptr @enzyme_const
  %dup = load i32, ptr @enzyme_dup
  call void (ptr, ...) @__enzyme_autodiff_void(ptr @scaled, i32 %dup, ptr @x, ptr @dx, i32 %const, double 3.0, i32 %const, i64 1)
  %pair = call { double, double } @__enzyme_autodiffPair(ptr @product, double 2.0, double 3.0)
  %array = call [2 x double] @__enzyme_autodiff.array(ptr @product, double 2.0, double 3.0)
  %mangled = call [2 x double] @_Z17__enzyme_autodiffIdJPFddEdEET_DpT0_(ptr @product, double 2.0, double 3.0)
  %both = call [2 x double] (...) @__enzyme_fwddiff(ptr @product, metadata !"enzyme_width", i64 2, metadata !"enzyme_dup", double 2.0, double 1.0, double 0.0, metadata !"enzyme_const", double 3.0)
  %dx1 = load double, ptr getelementptr (i8, ptr @dx, i64 8)
  %p1 = extractvalue { double, double } %pair, 1
  %a0 = extractvalue [2 x double] %array, 0
  %m1 = extractvalue [2 x double] %mangled, 1
  %b0 = extractvalue [2 x double] %both, 0
  %ok0 = fcmp oeq double %s, 3.75
  %ok1 = fcmp oeq double %dx1, 9.0
  %ok2 = fcmp oeq double %p1, 2.0
  %ok3 = fcmp oeq double %a0, 3.0
  %ok4 = fcmp oeq double %m1, 2.0
  %ok5 = fcmp oeq double %b0, 3.0
  %and1 = and i1 %ok0, %ok1
  %and2 = and i1 %ok2, %ok3
  %and3 = and i1 %ok4, %ok5
  %and4 = and i1 %and1, %and2
  %all = and i1 %and3, %and4
  %failed = xor i1 %all, true
  %code = zext i1 %failed to i32
  ret i32 %code
}
