// Several gradients of a function at once in reverse mode, with one pointer to all shadows, whose distance is known only at run time. The
// function returns the adjoints of its number, one in each direction.
#define ADJ_NO_AUTODIFF
#include "adj.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct three {
  double d[3];
};

extern int enzyme_dupv;
struct three __enzyme_autodiff_three(void *, ...);

static double spread(const double *x, double scale, int n) {
  double sum = 0.0, squares = 0.0;
  for (int i = 0; i < n; i++) {
    sum += x[i];
    squares += x[i] * x[i] * scale;
  }
  return sqrt(squares - sum * sum / n);
}

int main(int argc, char **argv) {
  (void)argv;
  int n = 4 + argc, pitch = (n + 3) * (int)sizeof(double);
  double *x = malloc(n * sizeof *x);
  char *shadows = calloc(3, pitch);
  for (int i = 0; i < n; i++)
    x[i] = 0.5 * i * i - i;
  struct three ds = __enzyme_autodiff_three((void *)spread, enzyme_width, 3, enzyme_dupv, pitch, x, shadows, enzyme_out, 1.5,
                                            enzyme_const, n);
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < n; i++)
      printf("%.12g %.12g\n", ((double *)(shadows + k * pitch))[i], ds.d[k]);
  free(x), free(shadows);
  return 0;
}
