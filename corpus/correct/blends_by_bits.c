// Lanes picked by masks without a branch, in vectors and in scalars: blends by xor and by and/andnot, masks that are
// combined, clamped and shuffled before they are used.
#include "adj.h"
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <emmintrin.h>

static __m128d absolute(__m128d v) { return _mm_andnot_pd(_mm_set1_pd(-0.0), v); }
static __m128d blend(__m128d mask, __m128d a, __m128d b) { return _mm_or_pd(_mm_and_pd(mask, a), _mm_andnot_pd(mask, b)); }
static __m128d blend_xor(__m128d mask, __m128d a, __m128d b) { return _mm_xor_pd(b, _mm_and_pd(mask, _mm_xor_pd(a, b))); }

/* a where it is larger, else 0.5 b, by the bits of a mask */
static double larger(double a, double b) {
  uint64_t x, y, mask = -(uint64_t)(a > b);
  b *= 0.5;
  memcpy(&x, &a, 8);
  memcpy(&y, &b, 8);
  x = (x & mask) | (y & ~mask);
  memcpy(&a, &x, 8);
  return a;
}

static double f(const double *x, int n) {
  __m128d sum = _mm_setzero_pd();
  for (int i = 0; i + 1 < n; i += 2) {
    __m128d v = _mm_loadu_pd(x + i), half = _mm_set1_pd(0.5);
    __m128d small = _mm_cmplt_pd(v, half), negative = _mm_cmplt_pd(v, _mm_setzero_pd());
    __m128d middle = _mm_andnot_pd(negative, small);
    __m128d y = blend(small, _mm_mul_pd(v, v), absolute(v));
    y = blend_xor(middle, _mm_mul_pd(y, half), y);
    y = _mm_add_pd(y, _mm_and_pd(_mm_or_pd(middle, negative), v));
    sum = _mm_add_pd(sum, _mm_mul_pd(y, absolute(v)));
  }
  double out[2];
  _mm_storeu_pd(out, sum);
  return out[0] * 3 + out[1] * out[1] + larger(out[0], out[1]) * larger(x[1], x[0]);
}

int main(void) {
  double x[8] = {-0.3, 0.7, 0.2, -1.1, 0.4, 0.9, 0.6, 0.1}, dx[8] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, 8);
  for (int i = 0; i < 8; i++) printf("%.17g\n", dx[i]);
  return 0;
}
