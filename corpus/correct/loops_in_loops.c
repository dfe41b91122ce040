/* Loops within loops, each of which keeps something of every iteration: inner loops as long in each outer iteration (two beside each
 * other, three in each other, behind a branch that is taken always or never, of no iterations at all), counting down, over floats, in a loop whose
 * length nobody knows; and inner loops whose length or branch is another in each outer iteration. */
#include "adj.h"
#include <math.h>
#include <stdio.h>

/* x is overwritten in each iteration, so what the products need is kept. */
static double beside(double *x, int n, int a, int b) {
  double sum = 0;
  for (int t = 0; t < n; t++) {
    for (int i = 0; i < a; i++) x[i] = sin(x[i]) * x[i];
    for (int i = b; i > 0; i--) x[i - 1] = x[i - 1] * x[i] + 0.3;
    sum += x[0] * x[1];
  }
  return sum;
}

static double inside(double *x, int n, int a, int b) {
  double sum = 0;
  for (int t = 0; t < n; t++) {
    for (int i = 0; i < a; i++) {
      for (int j = 0; j < b; j++) x[j] = cos(x[j]) * x[i] + 0.1 * x[j];
      x[i] *= x[i] + 0.2;
    }
    sum += x[t] * x[a];
  }
  return sum;
}

static double behind_branch(double *x, int n, int a, int flag) {
  double sum = 0;
  for (int t = 0; t < n; t++) {
    x[t] *= x[t + 1];
    if (flag)
      for (int i = 0; i < a; i++) x[i] = x[i] * x[i] + 0.5 * x[i + 1];
    if (t & 1)
      for (int i = 0; i < a; i++) x[i] = exp(-x[i]) * x[i];
    sum += x[t];
  }
  return sum;
}

static float of_floats(float *x, int n, int a) {
  float sum = 0;
  double all = 1;
  for (int t = 0; t < n; t++) {
    all *= x[t] * sin(all);
    for (int i = 0; i < a; i++) x[i] = x[i] * x[i + 1] + 0.5f;
    for (int i = 0; i < 3; i++) x[i] = x[i] * x[i];
    sum += x[0];
  }
  return sum * (float)all;
}

static double triangle(double *x, int n) {
  double sum = 0;
  for (int t = 0; t < n; t++) {
    for (int i = 0; i < t; i++) x[i] = sin(x[i]) * x[i + 1];
    sum += x[0] * x[t];
  }
  return sum;
}

static double while_large(double *x, int a) {
  double sum = 0;
  int steps = 0;
  while (x[0] > 0.2 && steps++ < 5) {
    for (int k = 0; k < 2; k++)
      for (int i = 0; i < a; i++) x[i] = 0.8 * x[i] * cos(x[i + 1]);
    sum += x[0] * x[1];
  }
  return sum;
}

#define GRADIENT(F, T, ...)                                                           \
  do {                                                                                \
    T x[6] = {0.9, 0.7, 1.1, 0.5, 0.8, 0.6}, dx[6] = {0};                             \
    __enzyme_autodiff((void *)F, enzyme_dup, x, dx, __VA_ARGS__);                     \
    printf("%s: %.6f %.6f\n", #F, (double)dx[0], (double)dx[2]);                      \
  } while (0)
#define INT(N) enzyme_const, N

int main(void) {
  GRADIENT(beside, double, INT(3), INT(5), INT(4));
  GRADIENT(beside, double, INT(3), INT(0), INT(4));
  GRADIENT(beside, double, INT(0), INT(3), INT(4));
  GRADIENT(inside, double, INT(2), INT(3), INT(4));
  GRADIENT(inside, double, INT(2), INT(3), INT(0));
  GRADIENT(inside, double, INT(1), INT(0), INT(4));
  GRADIENT(behind_branch, double, INT(4), INT(3), INT(1));
  GRADIENT(behind_branch, double, INT(4), INT(3), INT(0));
  GRADIENT(of_floats, float, INT(3), INT(5));
  GRADIENT(of_floats, float, INT(3), INT(0));
  GRADIENT(triangle, double, INT(4));
  GRADIENT(while_large, double, INT(3));
  return 0;
}
