// Numbers rounded to formats of all sizes, compared with a rounding by the definition: to the nearest multiple of the
// last bit, ties to even, with subnormal and infinite results.
#include "adj.h"
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

double __enzyme_truncate_mem_value(double, int, int, int);
float __enzyme_truncate_mem_value_of_float(float, int, int, int);

static double rounded(double x, int exponent_bits, int significand) {
  if (!isfinite(x) || x == 0)
    return x;
  int bias = (1 << (exponent_bits - 1)) - 1, exponent;
  frexp(x, &exponent);
  int last = fmax(exponent - 1, 1 - bias) - significand;
  double y = ldexp(rint(ldexp(x, -last)), last);
  return fabs(y) >= ldexp(1, bias + 1) ? copysign(INFINITY, x) : copysign(y, x);
}

static int differ(double a, double b) { return memcmp(&a, &b, sizeof a) && !(isnan(a) && isnan(b)); }

#define TRY(e, s) differ(rounded(x, e, s), __enzyme_truncate_mem_value(x, 64, e, s))
#define TRY_FLOAT(e, s) differ(rounded(y, e, s), __enzyme_truncate_mem_value_of_float(y, 32, e, s))

static double square(double x) { return x * x; }

int main(void) {
  uint64_t state = 88172645463325252ull;
  int wrong = 0;
  for (int i = 0; i < 400; i++) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    uint64_t bits = state;
    if (i % 3 != 0)
      bits = (bits & ~(0x7ffull << 52)) | ((1023ull - 20 + bits % 40) << 52);
    if (i % 7 == 0) // Ties.
      bits &= ~((1ull << 43) - 1);
    if (i % 11 == 0) // Subnormal numbers.
      bits &= ~(0x7ffull << 52);
    double x;
    memcpy(&x, &bits, sizeof x);
    float y = x;
    wrong += TRY(6, 9) + TRY(5, 10) + TRY(5, 9) + TRY(11, 20) + TRY(8, 23) + TRY(2, 1) + TRY(10, 52) + TRY(5, 2);
    wrong += TRY_FLOAT(6, 9) + TRY_FLOAT(5, 10) + TRY_FLOAT(8, 7) + TRY_FLOAT(3, 23) + TRY_FLOAT(4, 3);
  }
  if (wrong)
    return 1;
  return __enzyme_autodiff((void *)square, 1.5) != 3;
}
