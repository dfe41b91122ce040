; Assembler expressions, with and without instructions, operands and flags.
define double @f(double %x, ptr %p) {
  call void asm sideeffect "", "~{memory},~{dirflag},~{fpsr},~{flags}"()
  %a = call double asm sideeffect "# keep \22this\22\0A", "=x,0,~{flags}"(double %x)
  call void asm sideeffect "", "=*m,*m"(ptr elementtype(double) %p, ptr elementtype(double) %p)
  %b = call { i32, i32 } asm alignstack "xchg $0, $1", "=r,=r,0,1"(i32 1, i32 2)
  call void asm sideeffect alignstack inteldialect "nop", ""()
  ret double %a
}
