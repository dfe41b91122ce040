// How often a loop runs comes from `__enzyme_iter`, which returns its first argument, in a function of the program's own with such a name too.
#include "adj.h"
#include <stdio.h>

unsigned long __enzyme_iter(unsigned long, unsigned long);
int __enzyme_iter_int(int, int);

__attribute__((noinline)) static int __enzyme_half(int n) { return n / 2; }

static double sum(double x) {
  double s = 0.0;
  unsigned long n = __enzyme_iter(4, 1);
  for (unsigned long i = 0; i < n; i++)
    s += x * x * (double)i;
  return s;
}

static double steps(const double *x, int n) {
  double y = x[0];
  for (int i = 0; i < __enzyme_half(__enzyme_iter_int(n, 8)); i++)
    y = y * x[1] + 0.25 * y * y;
  return y;
}

int main(void) {
  double x[2] = {0.75, 1.25}, dx[2] = {0.0, 0.0};
  printf("%g\n", __enzyme_autodiff((void *)sum, 2.0));
  __enzyme_autodiff((void *)steps, x, dx, 6);
  printf("%.12f %.12f\n", dx[0], dx[1]);
  return 0;
}
