/* The function makes an array for its caller. Between the two passes the caller puts its weights into the array's
 * shadow, which the first pass has made; it frees both when all is done. */
#include "adj.h"
#include <math.h>
#include <stdlib.h>

void *__enzyme_augmentfwd(void *, ...);
void __enzyme_reverse(void *, ...);

static void squares(const double *x, int n, double **out) {
  double *made = malloc((size_t)n * sizeof(double));
  for (int i = 0; i < n; i++) made[i] = x[i] * x[i];
  *out = made;
}

int main(void) {
  double x[3] = {0.7, 1.1, 0.9}, dx[3] = {0}, *out = 0, *weights = 0;
  void *tape = __enzyme_augmentfwd((void *)squares, enzyme_dup, x, dx, enzyme_const, 3, enzyme_dup, &out, &weights);
  for (int i = 0; i < 3; i++) weights[i] = 1 + i;
  __enzyme_reverse((void *)squares, enzyme_dup, x, dx, enzyme_const, 3, enzyme_dup, &out, &weights, tape);
  for (int i = 0; i < 3; i++)
    if (fabs(dx[i] - 2 * x[i] * (1 + i)) > 1e-12) return 1;
  free(out);
  free(weights);
  return 0;
}
