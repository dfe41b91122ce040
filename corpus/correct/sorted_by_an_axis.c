/* Records of coordinates and more are sorted by one of the coordinates, as where a tree over points is built: an index
 * that is known at run time alone leads to a coordinate, and never to what stands behind them. (Vectors in which numbers
 * and addresses are interleaved are refused.) */
// adj-passes: before-differentiation
#include "adj.h"
#include <stdio.h>

struct particle {
  double at[3];
  double *mass;
};

struct numbered {
  double at[3];
  int number;
};

static void sort(struct particle *p, int n, int axis) {
  for (int i = 1; i < n; i++) {
    struct particle moved = p[i];
    int j = i;
    while (j > 0 && moved.at[axis] < p[j - 1].at[axis]) {
      p[j] = p[j - 1];
      j--;
    }
    p[j] = moved;
  }
}

static void sort_numbered(struct numbered *p, int n, int axis) {
  for (int i = 1; i < n; i++) {
    struct numbered moved = p[i];
    int j = i - 1;
    for (; j >= 0 && moved.at[axis] < p[j].at[axis]; j--) p[j + 1] = p[j];
    p[j + 1] = moved;
  }
}

static double moments(const double *x, double *mass, int n, int axis) {
  struct particle p[8];
  for (int i = 0; i < n; i++) p[i] = (struct particle){{x[i], x[i] * x[i], -x[i]}, &mass[i]};
  sort(p, n, axis);
  double sum = 0;
  for (int i = 0; i < n; i++) sum += p[i].at[axis] * p[i].at[0] * *p[i].mass * i;
  return sum;
}

static double numbers(const double *x, int n, int axis) {
  struct numbered p[8];
  for (int i = 0; i < n; i++) p[i] = (struct numbered){{x[i], x[i] * x[i], -x[i]}, i};
  sort_numbered(p, n, axis);
  double sum = 0;
  for (int i = 0; i < n; i++) sum += p[i].at[axis] * p[i].at[0] * p[i].number * i;
  return sum;
}

int main(void) {
  double x[5] = {3, 1, 2, -1.25, 0.5}, mass[5] = {1, 2, 0.5, 1.5, 3}, dx[5] = {0}, dmass[5] = {0};
  for (int axis = 0; axis < 3; axis++) {
    __enzyme_autodiff((void *)moments, enzyme_dup, x, dx, enzyme_dup, mass, dmass, enzyme_const, 5, enzyme_const, axis);
    __enzyme_autodiff((void *)numbers, enzyme_dup, x, dx, enzyme_const, 5, enzyme_const, axis);
  }
  for (int i = 0; i < 5; i++) printf("%g %g\n", dx[i], dmass[i]);
  return 0;
}
