// The tangent of tasks: with dependences of all kinds, in a loop, recursive, with sections.
// adj-flags: -fopenmp
#include "adj.h"
#include <math.h>
#include <stdio.h>

enum { N = 5 };

static double tree(const double *x, int n) {
  if (n == 1) return x[0] * x[0];
  double left, right;
#pragma omp task shared(left)
  left = tree(x, n / 2);
#pragma omp task shared(right)
  right = tree(x + n / 2, n - n / 2);
#pragma omp taskwait
  return left * sin(right) + right;
}

static double f(const double *x) {
  double y[N], sum = 0, product = 1;
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < N; i++) {
#pragma omp task depend(out : y[i]) shared(y)
      y[i] = i ? x[i] * x[i - 1] : x[0];
    }
    for (int i = 0; i < N; i++) {
#pragma omp task depend(in : y[i]) depend(mutexinoutset : sum) shared(y, sum)
      sum += y[i] * y[i];
    }
#pragma omp taskwait
#pragma omp taskloop grainsize(2)
    for (int i = 0; i < N; i++) {
#pragma omp critical
      product *= 1 + y[i] * sum;
    }
    sum += tree(x, N);
  }
  return log(product * product) + sum;
}

int main(void) {
  const double h = 1e-6;
  double x[N], v[N], above[N], below[N];
  for (int i = 0; i < N; i++) {
    x[i] = 0.4 + 0.2 * i;
    v[i] = 1 - 0.6 * i;
    above[i] = x[i] + h * v[i];
    below[i] = x[i] - h * v[i];
  }
  const double tangent = __enzyme_fwddiff((void *)f, enzyme_dup, x, v), slope = (f(above) - f(below)) / (2 * h);
  printf("%.12g, differences %.12g\n", tangent, slope);
  return !(fabs(tangent - slope) <= 1e-6 * (1 + fabs(slope)));
}
