/* A loop over time steps that the program marks to be reversed from four snapshots: two buffers swap places, and are freed before the
 * reverse pass needs them. */
#include "adj.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void step(double *next, const double *u, double rate, int n) {
  for (int i = 0; i < n; i++) {
    double left = u[(i + n - 1) % n], right = u[(i + 1) % n];
    next[i] = u[i] + rate * (left - 2.0 * u[i] + right) + 0.01 * sin(u[i]);
  }
}

static double *march(double *u, double *next, double rate, int n, int steps) {
  for (int t = 0; t < steps; t++) {
    step(next, u, rate, n);
    double *swap = u;
    u = next;
    next = swap;
  }
  return u;
}

void *__enzyme_checkpoint_loop_march[] = {(void *)march, "revolve:4"};

static double energy(const double *start, double rate, int n, int steps) {
  double *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b), sum = 0.0;
  for (int i = 0; i < n; i++)
    a[i] = start[i];
  double *u = march(a, b, rate, n, steps);
  for (int i = 0; i < n; i++)
    sum += u[i] * u[i];
  free(a);
  free(b);
  return sum;
}

int main(void) {
  enum { N = 8, STEPS = 30 };
  double start[N], gradient[N] = {0};
  for (int i = 0; i < N; i++)
    start[i] = 1.0 + 0.5 * cos(i);
  double rate = __enzyme_autodiff((void *)energy, enzyme_dup, start, gradient, enzyme_out, 0.2, enzyme_const, N,
                                  enzyme_const, STEPS);
  printf("%.10g\n", rate);
  for (int i = 0; i < N; i++)
    printf("%.10g\n", gradient[i]);
  return 0;
}
