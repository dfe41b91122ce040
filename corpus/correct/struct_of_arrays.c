// A structure of pointers to arrays (SoA), and an array of structures (AoS) filled from it.
#include "adj.h"
#include <stdio.h>
#include <stdlib.h>

struct soa {
  int n;
  double *x, *y, *charge;
};
struct aos {
  double x, y;
  int near;
  double charge;
};

static double potential(const struct soa *s) {
  struct aos *a = malloc((size_t)s->n * sizeof *a);
  if (!a)
    abort();
  for (int i = 0; i < s->n; i++) {
    a[i].x = s->x[i];
    a[i].y = s->y[i];
    a[i].charge = s->charge[i];
    a[i].near = (i + 1) % s->n;
  }
  double sum = 0.0;
  for (int i = 0; i < s->n; i++) {
    const struct aos *b = &a[a[i].near];
    double dx = a[i].x - b->x, dy = a[i].y - b->y;
    sum += a[i].charge * b->charge / (0.1 + dx * dx + dy * dy);
    a[i].charge *= 0.5;
  }
  free(a);
  return sum;
}

int main(void) {
  double x[4] = {0.0, 1.0, 1.2, -0.4}, y[4] = {0.3, 0.1, 1.1, 0.9}, c[4] = {1.0, -0.5, 2.0, 0.7};
  double dx[4] = {0}, dy[4] = {0}, dc[4] = {0};
  struct soa s = {4, x, y, c}, d = {4, dx, dy, dc};
  printf("%.17g\n", potential(&s));
  __enzyme_autodiff((void *)potential, enzyme_dup, &s, &d);
  for (int i = 0; i < 4; i++)
    printf("%.17g %.17g %.17g\n", dx[i], dy[i], dc[i]);
  return 0;
}
