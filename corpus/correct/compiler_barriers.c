// Compiler barriers: inline assembly without instructions, as benchmarks and kernels use it.
#include "adj.h"
#include <stdio.h>

#define BARRIER() __asm__ volatile("" ::: "memory")

static inline void keep_address(void *p) { __asm__ volatile("" : : "g"(p) : "memory"); }

static inline double opaque(double x) {
  __asm__ volatile("# keep this value" : "+x"(x));
  return x;
}

static inline void keep_in_memory(double *x) { __asm__ volatile("" : "+m"(*x) : : "memory"); }

static inline long keep_integer(long i) {
  __asm__("" : "+r"(i));
  return i;
}

static double run(const double *x, int n) {
  double sum = 0.0, last[2] = {0.0, 1.0};
  for (int i = 0; i < n; i++) {
    double v = opaque(x[keep_integer(i)] * 2.0);
    BARRIER();
    last[0] = v * v;
    keep_in_memory(&last[0]);
    last[1] *= last[0];
    keep_address(last);
    sum += last[0] * x[0];
  }
  return sum + last[1];
}

int main(void) {
  double x[3] = {0.9, -0.4, 1.3}, dx[3] = {0.0, 0.0, 0.0};
  __enzyme_autodiff((void *)run, enzyme_dup, x, dx, enzyme_const, 3);
  for (int i = 0; i < 3; i++)
    printf("%.17g\n", dx[i]);
  return 0;
}
