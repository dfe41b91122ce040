// The k-means cost: the nearest centre is chosen by comparison, its distance is added.
#include "adj.h"
#include <stdio.h>

#define POINTS 12
#define CENTRES 3
#define DIM 2

static double cost(const double *points, const double *centres) {
  double total = 0.0;
  for (int i = 0; i < POINTS; i++) {
    double best = 1e300;
    for (int c = 0; c < CENTRES; c++) {
      double d = 0.0;
      for (int k = 0; k < DIM; k++) {
        double diff = points[i * DIM + k] - centres[c * DIM + k];
        d += diff * diff;
      }
      best = d < best ? d : best;
    }
    total += best;
  }
  return total;
}

int main(void) {
  double p[POINTS * DIM], dp[POINTS * DIM] = {0};
  double c[CENTRES * DIM] = {0.0, 0.1, 2.0, 2.1, 4.0, -0.3}, dc[CENTRES * DIM] = {0};
  for (int i = 0; i < POINTS; i++) {
    p[2 * i] = 0.37 * i;
    p[2 * i + 1] = (i * i) % 5 * 0.6;
  }
  printf("%.17g\n", cost(p, c));
  __enzyme_autodiff((void *)cost, enzyme_dup, p, dp, enzyme_dup, c, dc);
  for (int i = 0; i < POINTS * DIM; i++)
    printf("%.17g\n", dp[i]);
  for (int i = 0; i < CENTRES * DIM; i++)
    printf("%.17g\n", dc[i]);
  return 0;
}
