// A loop with checkpoints: the Lorenz system by the midpoint rule. The state is three numbers; what the steps only read are the
// coefficients and the size of a step, all of them active. Every schedule gives the same gradient.
#define ADJ_CHECKPOINTS
#include "adj.h"
#include <stdio.h>

struct lorenz {
  double sigma, rho, beta, dt;
};

static void slope(const double *u, const struct lorenz *p, double *du) {
  du[0] = p->sigma * (u[1] - u[0]);
  du[1] = u[0] * (p->rho - u[2]) - u[1];
  du[2] = u[0] * u[1] - p->beta * u[2];
}

static void midpoint(long i, void *state, const void *parameters) {
  const struct lorenz *p = parameters;
  double *u = state, half[3], du[3];
  (void)i;
  slope(u, p, du);
  for (int k = 0; k < 3; k++)
    half[k] = u[k] + 0.5 * p->dt * du[k];
  slope(half, p, du);
  for (int k = 0; k < 3; k++)
    u[k] += p->dt * du[k];
}

static double attractor(const double *theta, int schedule, long number, long steps) {
  struct lorenz p = {theta[0], theta[1], theta[2], theta[3]};
  double u[3] = {1.0, theta[4], 1.05};
  __enzyme_checkpoint_for(midpoint, 0, steps, schedule, number, u, sizeof u, &p, sizeof p);
  return u[0] * u[0] + 0.5 * u[1] - u[2] * theta[2];
}

int main(void) {
  const double theta[5] = {10.0, 28.0, 8.0 / 3.0, 0.01, 0.5};
  const int schedules[4] = {ADJ_STORE_ALL, ADJ_PERIODIC, ADJ_REVOLVE, ADJ_REVOLVE};
  const long numbers[4] = {0, 4, 3, 1}, steps[4] = {17, 17, 17, 6};
  for (int s = 0; s < 4; s++) {
    double gradient[5] = {0};
    __enzyme_autodiff((void *)attractor, enzyme_dup, theta, gradient, enzyme_const, schedules[s], enzyme_const, numbers[s],
                      enzyme_const, steps[s]);
    for (int k = 0; k < 5; k++)
      printf("%.12g%c", gradient[k], k < 4 ? ' ' : '\n');
  }
  return 0;
}
