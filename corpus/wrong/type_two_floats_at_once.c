// The shadow holds floats, and the threads add to two of them by one atomic addition of eight bytes. Evidence: the
// stores to the shadow are wider than the numbers of the primal.
// adj-flags: -fopenmp
#include "adj.h"
#include <stdio.h>

enum { POINTS = 3 };
struct point {
  float x, y;
};
union both {
  struct point point;
  double word;
};

static void norms(const struct point *p, float *norm) {
#pragma omp parallel for num_threads(3)
  for (int i = 0; i < POINTS; i++)
    norm[i] = p[i].x * p[i].x + p[i].y * p[i].y;
}

static void norms_reverse(const struct point *p, struct point *dp, float *norm, float *dnorm) {
  norms(p, norm);
#pragma omp parallel for num_threads(3)
  for (int i = 0; i < POINTS; i++) {
    union both increment = {{2.0f * p[i].x * dnorm[i], 2.0f * p[i].y * dnorm[i]}};
    double *shadow = (double *)&dp[i];
    dnorm[i] = 0.0f;
#pragma omp atomic
    *shadow += increment.word; //~ wrong: type
  }
}

int main(void) {
  _Alignas(8) struct point p[POINTS] = {{1.0f, 2.0f}, {0.5f, 1.5f}, {3.0f, -1.0f}}, dp[POINTS] = {{0.5f, 0.25f}};
  float norm[POINTS], dnorm[POINTS] = {1.0f, 1.0f, 1.0f};
  __adj_check_gradient((void *)norms, (void *)norms_reverse, p, dp, norm, dnorm);
  printf("%g\n", norm[0]);
  return 0;
}
