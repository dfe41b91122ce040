// A function with a gradient of its own: its augmented forward hands the square root on the tape to its reverse, at every
// level of optimisation.
#include "adj.h"
#include <math.h>
#include <stdio.h>

static int reversed = 0;

static double distance(double x, double y) { return sqrt(x * x + y * y); }

struct taped {
  double tape;
  double result;
};

static struct taped distance_forward(double x, double y) {
  double d = sqrt(x * x + y * y);
  return (struct taped){d, d};
}

struct pair {
  double x, y;
};

static struct pair distance_reverse(double x, double y, double adjoint, double d) {
  reversed++;
  return (struct pair){adjoint * x / d, adjoint * y / d};
}

void *__enzyme_register_gradient_distance[3] = {(void *)distance, (void *)distance_forward, (void *)distance_reverse};

static double path_length(const double *p, int n) {
  double length = 0.0;
  for (int i = 0; i + 1 < n; i++)
    length += distance(p[2 * i + 2] - p[2 * i], p[2 * i + 3] - p[2 * i + 1]);
  return length;
}

int main(void) {
  double p[8] = {0.0, 0.5, 1.0, 2.0, 2.5, -1.0, 4.0, 0.25}, dp[8] = {0};
  __enzyme_autodiff((void *)path_length, enzyme_dup, p, dp, enzyme_const, 4);
  for (int i = 0; i < 8; i++)
    printf("%.17g\n", dp[i]);
  printf("%d reversed\n", reversed);
  return reversed == 0;
}
