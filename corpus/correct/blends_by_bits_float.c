// Lanes of single precision picked by masks: what the bits hide of the derivative is little, and less than plain differences in this
// format can tell.
#include "adj.h"
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <emmintrin.h>

static __m128 absolute(__m128 v) { return _mm_andnot_ps(_mm_set1_ps(-0.0f), v); }
static __m128 blend(__m128 mask, __m128 a, __m128 b) { return _mm_or_ps(_mm_and_ps(mask, a), _mm_andnot_ps(mask, b)); }
static __m128 blend_xor(__m128 mask, __m128 a, __m128 b) { return _mm_xor_ps(b, _mm_and_ps(mask, _mm_xor_ps(a, b))); }

/* a where it is larger, else 0.5 b, by the bits of a mask */
static float larger(float a, float b) {
  uint32_t x, y, mask = -(uint32_t)(a > b);
  b *= 0.5f;
  memcpy(&x, &a, 4);
  memcpy(&y, &b, 4);
  x = (x & mask) | (y & ~mask);
  memcpy(&a, &x, 4);
  return a;
}

static float f(const float *x, int n) {
  __m128 sum = _mm_setzero_ps();
  for (int i = 0; i + 3 < n; i += 4) {
    __m128 v = _mm_loadu_ps(x + i), half = _mm_set1_ps(0.5f);
    __m128 small = _mm_cmplt_ps(v, half), negative = _mm_cmplt_ps(v, _mm_setzero_ps());
    __m128 middle = _mm_andnot_ps(negative, small);
    __m128 y = blend(small, _mm_mul_ps(v, v), absolute(v));
    y = blend_xor(middle, _mm_mul_ps(y, half), y);
    y = _mm_add_ps(y, _mm_and_ps(_mm_or_ps(middle, negative), v));
    sum = _mm_add_ps(sum, _mm_mul_ps(y, absolute(v)));
  }
  float out[4];
  _mm_storeu_ps(out, sum);
  return out[0] * 3 + out[1] * out[1] + larger(out[0], out[1]) * larger(x[1], x[0]);
}

int main(void) {
  float x[8] = {-0.63f,0.11f,-0.31f,0.25f,0.30f,-1.04f,-1.17f,0.81f}, dx[8] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, 4);
  for (int i = 0; i < 8; i++) printf("%.9g\n", dx[i]);
  return 0;
}
