// Variables declared inactive: statistics of the values that go through, never read back into the result.
#include "adj.h"
#include <stdio.h>

static double largest;
double history[8];
static int used;

void *__enzyme_inactive_global_statistics[] = {(void *)&largest, (void *)history, (void *)&used};
__attribute__((annotate("enzyme_inactive"))) double last;

static double note(double x) {
  if (used < 8)
    history[used++] = x;
  if (x > largest)
    largest = x;
  last = x;
  return x * x;
}

static double f(const double *x, int n) {
  double s = 1.0;
  for (int i = 0; i < n; i++)
    s = s * 0.5 + note(x[i] * s);
  return s;
}

int main(void) {
  double x[3] = {0.4, 1.3, -0.6}, dx[3] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, 3);
  for (int i = 0; i < 3; i++)
    printf("%.17g\n", dx[i]);
  printf("%d %.17g %.17g\n", used, largest, last);
  return 0;
}
