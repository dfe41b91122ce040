// A registered identity: no pass may replace its call by its argument, because its rule counts the calls. The result goes back
// without a tape.
#include "adj.h"
#include <stdio.h>

static int forwards = 0, backwards = 0;

static double same(double x) { return x; }

static double same_forward(double x) {
  forwards++;
  return x;
}

static double same_reverse(double x, double adjoint) {
  (void)x;
  backwards++;
  return adjoint;
}

void *__enzyme_register_gradient_same[] = {(void *)same, (void *)same_forward, (void *)same_reverse};

static double f(double x, double y) {
  double u = same(x * y);
  return u * u + same(y) * x;
}

struct gradient {
  double x, y;
};
struct gradient __enzyme_autodiff_pair(void *, double, double);

int main(void) {
  struct gradient g = __enzyme_autodiff_pair((void *)f, 1.5, -2.0);
  printf("%g %g\n", g.x, g.y);
  printf("%d %d\n", forwards, backwards);
  return forwards == 0 || forwards != backwards;
}
