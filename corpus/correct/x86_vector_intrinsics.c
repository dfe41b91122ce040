// Kernels written with the vector intrinsics of x86: maxima and minima, horizontal and alternating sums, scalar products, lanes blended by a
// comparison and rounding, which has no derivative. LLVM has no instruction for these.
// adj-flags: -msse4.1
#include "adj.h"
#include <immintrin.h>
#include <stdio.h>

static double kernel(const double *x, int n) {
  __m128d sum = _mm_setzero_pd(), most = _mm_set1_pd(-10.0);
  for (int i = 0; i + 3 < n; i += 4) {
    __m128d a = _mm_loadu_pd(x + i), b = _mm_loadu_pd(x + i + 2);
    __m128d clamped = _mm_min_pd(_mm_max_pd(_mm_mul_pd(a, b), _mm_set1_pd(-1.5)), _mm_set1_pd(2.0));
    __m128d pairs = _mm_hadd_pd(_mm_mul_pd(a, a), b);
    __m128d turns = _mm_addsub_pd(pairs, _mm_hsub_pd(a, b));
    __m128d chosen = _mm_blendv_pd(turns, clamped, _mm_cmplt_pd(a, b));
    sum = _mm_add_pd(sum, _mm_add_pd(chosen, _mm_dp_pd(a, b, 0x31)));
    // The fractional part: the whole part moves in steps.
    sum = _mm_add_pd(sum, _mm_sub_pd(a, _mm_floor_pd(a)));
    most = _mm_max_sd(most, _mm_cmplt_sd(a, b));
    most = _mm_max_pd(most, a);
  }
  double out[2], top[2];
  _mm_storeu_pd(out, sum);
  _mm_storeu_pd(top, most);
  return out[0] * out[1] + top[1] * (_mm_comilt_sd(sum, most) ? 2.0 : 3.0);
}

int main(void) {
  double x[12], dx[12] = {0};
  for (int i = 0; i < 12; i++)
    x[i] = 0.37 * (i * 7 % 12) - 1.3;
  __enzyme_autodiff((void *)kernel, enzyme_dup, x, dx, enzyme_const, 12);
  for (int i = 0; i < 12; i++)
    printf("%.12g\n", dx[i]);
  return 0;
}
