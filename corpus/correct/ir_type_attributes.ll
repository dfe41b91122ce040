; Memory that is only moved: the attribute "enzyme_type" on parameters and arguments tells what lies there, as rustc writes it.

target triple = "x86_64-pc-linux-gnu"

@x = internal global { double, i64, [2 x float] } { double 1.5, i64 7, [2 x float] [float 2.0, float 3.0] }
@dx = internal global { double, i64, [2 x float] } { double 0.0, i64 7, [2 x float] zeroinitializer }
@y = internal global { double, i64, [2 x float] } zeroinitializer
@dy = internal global { double, i64, [2 x float] } { double 1.0, i64 7, [2 x float] [float 2.0, float 4.0] }
@v = internal global [3 x float] [float 1.0, float 2.0, float 3.0]
@dv = internal global [3 x float] [float 1.0, float 1.0, float 2.0]

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)

define void @copy(ptr %to, ptr "enzyme_type"="{[-1]:Pointer, [-1,0]:Float@double, [-1,8]:Integer, [-1,9]:Integer, [-1,10]:Integer, [-1,11]:Integer, [-1,12]:Integer, [-1,13]:Integer, [-1,14]:Integer, [-1,15]:Integer, [-1,16]:Float@float, [-1,20]:Float@float}" %from) {
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 24, i1 false)
  ret void
}

define void @shift(ptr "enzyme_type"="{[-1]:Pointer, [-1,-1]:Float@float}" %p) {
  %second = getelementptr i8, ptr %p, i64 4
  call void @llvm.memmove.p0.p0.i64(ptr %second, ptr %p, i64 8, i1 false)
  ret void
}

declare void @__enzyme_autodiff(...)

define i32 @main() {
  call void (...) @__enzyme_autodiff(ptr @copy, ptr @y, ptr @dy, ptr @x, ptr @dx)
  call void (...) @__enzyme_autodiff(ptr @shift, ptr @v, ptr @dv)
  %a = load double, ptr @dx
  %b = load float, ptr getelementptr (i8, ptr @dx, i64 20)
  %c = load float, ptr @dv
  %d = load float, ptr getelementptr (i8, ptr @dv, i64 8)
  %ok0 = fcmp oeq double %a, 1.0
  %ok1 = fcmp oeq float %b, 4.0
  %ok2 = fcmp oeq float %c, 2.0
  %ok3 = fcmp oeq float %d, 0.0
  %and0 = and i1 %ok0, %ok1
  %and1 = and i1 %ok2, %ok3
  %all = and i1 %and0, %and1
  %failed = xor i1 %all, true
  %code = zext i1 %failed to i32
  ret i32 %code
}
