// The gradient registered for a function forgets a factor: what the program claims of its own functions is judged too.
#include "adj.h"
#include <stdio.h>

static double energy(double v) { return 0.5 * v * v; }
static double energy_forward(double v) { return 0.5 * v * v; }
static double energy_reverse(double v, double adjoint) { return 0.5 * v * adjoint; }
void *__enzyme_register_gradient_energy[] = {(void *)energy, (void *)energy_forward, (void *)energy_reverse};

static double total(const double *v, int n) {
  double s = 0.0;
  for (int i = 0; i < n; i++)
    s += energy(v[i]); //~ wrong: rule
  return s;
}

int main(void) {
  double v[3] = {1.0, 2.0, 3.0}, dv[3] = {0};
  __enzyme_autodiff((void *)total, enzyme_dup, v, dv, enzyme_const, 3);
  printf("%g %g %g\n", dv[0], dv[1], dv[2]);
  return 0;
}
