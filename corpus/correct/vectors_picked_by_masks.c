// SSE intrinsics that pick lanes by masks: and, andnot, or, xor, and the absolute value by clearing the sign.
#include "adj.h"
#include <emmintrin.h>
#include <stdio.h>

static __m128d absolute(__m128d v) { return _mm_andnot_pd(_mm_set1_pd(-0.0), v); }
static __m128d choose(__m128d mask, __m128d a, __m128d b) { return _mm_or_pd(_mm_and_pd(mask, a), _mm_andnot_pd(mask, b)); }
static __m128d negate(__m128d v) { return _mm_xor_pd(v, _mm_set1_pd(-0.0)); }

static double f(const double *x, int n) {
  __m128d sum = _mm_setzero_pd();
  for (int i = 0; i + 1 < n; i += 2) {
    __m128d v = _mm_loadu_pd(x + i);
    __m128d small = _mm_cmplt_pd(v, _mm_set1_pd(0.5));
    __m128d positive = _mm_cmpgt_pd(v, _mm_setzero_pd());
    __m128d y = choose(small, _mm_mul_pd(v, v), negate(v));
    sum = _mm_add_pd(sum, _mm_add_pd(_mm_mul_pd(y, absolute(v)), _mm_and_pd(positive, y)));
  }
  double out[2];
  _mm_storeu_pd(out, sum);
  return out[0] * 3 + out[1];
}
int main(void) {
  double x[6] = {-0.3, 0.7, 0.2, -1.1, 0.4, 0.9}, dx[6] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, 6);
  for (int i = 0; i < 6; i++) printf("%.17g\n", dx[i]);
}
