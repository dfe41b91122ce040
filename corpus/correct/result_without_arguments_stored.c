/* What a function without parameters returns is stored, and nobody asks for it again; or somebody does. */
#include <adj.h>
#include <math.h>

/* Numbers that the optimiser does not know. */
static volatile double unit = 1.0;
static volatile int two = 2;

static double base(void) {
  int many = two;
  double work[many];
  for (int c = 0; c < many; c++) work[c] = 0.75 * unit + c;
  for (int c = 1; c < many; c++) work[c] = 0.5 * work[c] * work[c - 1];
  return work[many - 1];
}

static double forgotten(double x) {
  double at[2] = {0.5, 0.25};
  at[two % 2] = base();
  return x * x;
}

static double kept(double x) {
  double at[2] = {0.5, 0.25};
  at[two % 2] = base();
  return sin(x * at[0]) * at[1];
}

int main(void) {
  double a = __enzyme_autodiff((void *)forgotten, 0.7), b = __enzyme_autodiff((void *)kept, 0.7);
  double at = 0.5 * 1.75 * 0.75;
  return (fabs(a - 1.4) > 1e-12) + 2 * (fabs(b - 0.25 * at * cos(0.7 * at)) > 1e-12);
}
