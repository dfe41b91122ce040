// A call through a function pointer of the wrong type.
// adj-levels: O0
#include <stdio.h>

static double half(double x) {
  return 0.5 * x;
}

static int apply(void (*raw)(void), int n) {
  int (*f)(int, int) = (int (*)(int, int))raw;
  return f(n, n); //~ ub: bad-call
}

int main(void) {
  printf("%g\n", half(3.0));
  printf("%d\n", apply((void (*)(void))half, 3));
  return 0;
}
