/* Absolute values by the masks of vector code, of numbers in a record at places that depend on an index, which has flags and counts behind
 * them. */
#include "adj.h"
#include <emmintrin.h>
#include <stdio.h>

struct factor {
  double m[3][3];
  double norm;
  char ready;
  int info;
};

static __m128d absolute(__m128d v) {
  const __m128d mask = _mm_castsi128_pd(_mm_set_epi32(0x7FFFFFFF, -1, 0x7FFFFFFF, -1));
  return _mm_and_pd(v, mask);
}

static double norm(struct factor *f) {
  for (int i = 0; i < 3; i++) {
    double sum = 0.0, two[2];
    int j = i;
    for (; j + 1 < 3; j += 2) {
      _mm_storeu_pd(two, absolute(_mm_loadu_pd(&f->m[i][j])));
      sum += two[0] + two[1];
    }
    for (; j < 3; j++)
      sum += f->m[i][j] * f->m[i][j];
    f->norm = sum > f->norm ? sum : f->norm;
  }
  f->ready = 1;
  f->info += f->norm > 2.0;
  return f->norm;
}

static double measured(const double *x) {
  struct factor f;
  f.norm = 0.0;
  f.info = 0;
  for (int i = 0; i < 9; i++)
    f.m[i / 3][i % 3] = x[i] * x[(i + 1) % 9];
  return norm(&f) * f.m[2][0] + f.info;
}

int main(void) {
  double x[9] = {0.5, -2.0, 1.0, 3.0, 1.5, -0.5, 1.0, -1.0, 4.0}, dx[9] = {0.0};
  __enzyme_autodiff((void *)measured, enzyme_dup, x, dx);
  for (int i = 0; i < 9; i++)
    printf("%.10g\n", dx[i]);
  return 0;
}
