// The product of complex numbers with the signs of a vector's lanes turned by a mask, as vector libraries write it: `xor` with a constant
// that has the sign bit in one lane.
// adj-flags: -msse3
#include "adj.h"
#include <immintrin.h>
#include <stdio.h>

static __m128d times(__m128d a, __m128d b) {
  const __m128d turn = _mm_castsi128_pd(_mm_set_epi32(0, 0, (int)0x80000000, 0));
  __m128d real = _mm_unpacklo_pd(a, a), imaginary = _mm_unpackhi_pd(a, a);
  __m128d turned = _mm_xor_pd(_mm_mul_pd(imaginary, _mm_shuffle_pd(b, b, 1)), turn);
  return _mm_add_pd(_mm_mul_pd(real, b), turned);
}

static double modulus(const double *z, int n) {
  __m128d product = _mm_set_pd(0.0, 1.0);
  for (int i = 0; i < n; i++)
    product = times(product, _mm_loadu_pd(z + 2 * i));
  double out[2];
  _mm_storeu_pd(out, product);
  return out[0] * out[0] + 0.5 * out[1];
}

int main(void) {
  double z[6] = {0.5, -1.25, 2.0, 0.75, -0.3, 1.1}, dz[6] = {0};
  __enzyme_autodiff((void *)modulus, enzyme_dup, z, dz, enzyme_const, 3);
  for (int i = 0; i < 6; i++)
    printf("%.12g\n", dz[i]);
  return 0;
}
