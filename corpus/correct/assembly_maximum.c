// Maximum and minimum of vectors written as one instruction of assembly, as Eigen has them, in a limiter.
#include "adj.h"
#include <stdio.h>

typedef double pair __attribute__((vector_size(16)));
typedef float quad __attribute__((vector_size(16)));

static pair larger(pair a, pair b) {
  pair r = b;
  __asm__("maxpd %[a], %[r]" : [r] "+x"(r) : [a] "x"(a));
  return r;
}

static pair smaller(pair a, pair b) {
  pair r = b;
  __asm__("minpd %[a], %[r]" : [r] "+x"(r) : [a] "x"(a));
  return r;
}

static quad larger_single(quad a, quad b) {
  quad r = b;
  __asm__("maxps %[a], %[r]" : [r] "+x"(r) : [a] "x"(a));
  return r;
}

static double limited(const double *x, int n) {
  pair sum = {0.0, 0.0}, low = {0.5, 0.75}, high = {2.0, 1.5};
  quad most = {0.0f, 0.0f, 0.0f, 0.0f};
  for (int i = 0; i + 1 < n; i += 2) {
    pair v = {x[i], x[i + 1]};
    pair kept = smaller(larger(v * v, low), high);
    sum += kept * kept;
    quad w = {(float)x[i], (float)x[i + 1], (float)kept[0], 0.25f};
    most = larger_single(most, w * w);
  }
  return sum[0] * sum[1] + most[0] * most[1] + most[2] - most[3];
}

int main(void) {
  double x[8], dx[8] = {0};
  for (int i = 0; i < 8; i++)
    x[i] = 0.375 + 0.1875 * i;
  __enzyme_autodiff((void *)limited, enzyme_dup, x, dx, enzyme_const, 8);
  for (int i = 0; i < 8; i++)
    printf("%.17g\n", dx[i]);
  return 0;
}
