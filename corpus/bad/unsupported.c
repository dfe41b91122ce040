// setjmp and longjmp, which no structured reverse pass can follow.
// adj-exit: 3
// adj-message: setjmp
#include "adj.h"
#include <setjmp.h>
#include <stdio.h>

static jmp_buf out;

static double checked_root(double x) {
  if (x < 0.0)
    longjmp(out, 1);
  return x * x;
}

static double f(double x) {
  if (setjmp(out))
    return 0.0;
  return checked_root(x) + checked_root(x - 1.0);
}

int main(void) {
  printf("%g\n", __enzyme_autodiff((void *)f, 2.0));
  return 0;
}
