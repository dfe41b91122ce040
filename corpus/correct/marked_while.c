/* Newton's iteration with an end that depends on the data, marked to be reversed from snapshots: what leaves the loop is a number, the
 * loop has two exits, and its steps allocate and free memory of their own. The iterate lies in a global variable, which is overwritten
 * behind the loop. */
#include "adj.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double iterate[2];
static int steps;

static double newton(const double *p) {
  double last = 0.0;
  for (;;) {
    double *residual = malloc(2 * sizeof *residual);
    residual[0] = iterate[0] * iterate[0] + iterate[1] - p[0];
    residual[1] = iterate[0] - iterate[1] * iterate[1] + p[1];
    double a = 2.0 * iterate[0], d = -2.0 * iterate[1], det = a * d - 1.0;
    last = fabs(residual[0]) + fabs(residual[1]);
    iterate[0] -= (d * residual[0] - residual[1]) / det;
    iterate[1] -= (a * residual[1] - residual[0]) / det;
    free(residual);
    if (last < 1e-3)
      break;
    if (++steps > 20)
      return -1.0;
  }
  return last;
}

void *__enzyme_checkpoint_loop_newton[] = {(void *)newton, "periodic:2"};

static double solve(const double *p) {
  iterate[0] = p[0];
  iterate[1] = 1.0;
  steps = 0;
  double last = newton(p), found = iterate[0] * iterate[1];
  iterate[0] = iterate[1] = p[1];
  return found + last;
}

int main(void) {
  double p[2] = {2.0, 0.5}, gradient[2] = {0.0, 0.0};
  __enzyme_autodiff((void *)solve, enzyme_dup, p, gradient);
  printf("%d %.10g %.10g\n", steps, gradient[0], gradient[1]);
  return 0;
}
