// Loads from the same address with stores between them: to other memory, to the same memory by another pointer, to a part of it, to a
// row that lies in another row, to a variable that a parameter leads to. What is loaded again must be what is there then.
#include <stdio.h>
#include "adj.h"

double shared[4];

// A matrix times a vector, written out; the result may be anything that the caller names, but is a local array here.
__attribute__((noinline)) static void apply(const double *a, const double *x, double *out) {
  for (int i = 0; i < 3; i++) {
    out[i] = 0.0;
    for (int j = 0; j < 3; j++) out[i] += a[3 * i + j] * x[j];
  }
}

__attribute__((noinline)) static double chain(const double *a, const double *start, int times) {
  double x[3], y[3], sum = 0.0;
  for (int i = 0; i < 3; i++) x[i] = start[i];
  for (int t = 0; t < times; t++) {
    apply(a, x, y);
    for (int i = 0; i < 3; i++) x[i] = y[i] * y[(i + 1) % 3];
  }
  for (int i = 0; i < 3; i++) sum += x[i];
  return sum;
}

// Both names may be one memory, and are.
__attribute__((noinline)) static double twice(double *x, double *y) {
  double first = x[0] * x[1];
  y[0] = first + x[1];
  double second = x[0] * x[1];
  y[1] = second * x[0];
  return second + x[0] * x[1];
}

// The second row begins in the middle of the first.
__attribute__((noinline)) static double rows_in_rows(double **rows) {
  double sum = 0.0;
  for (int i = 0; i < 3; i++) {
    double before = rows[0][2] * rows[0][1];
    rows[1][0] = before + rows[0][0];
    sum += rows[0][2] * before;
    rows[1][1] = sum * rows[0][2];
  }
  return sum * rows[0][3];
}

// A store to half of what was loaded.
typedef double pair __attribute__((vector_size(16), aligned(8)));
__attribute__((noinline)) static double halves(double *x) {
  pair both = *(pair *)x;
  x[1] = both[0] * both[1];
  pair then = *(pair *)x;
  return both[0] * then[0] + both[1] * then[1];
}

__attribute__((noinline)) static double by_name(const double *x, double z) {
  double y = x[0] * z;
  shared[0] = 3.0;
  return y * x[0];
}

int main(void) {
  double a[9] = {0.5, -0.25, 1.0, 0.75, 1.25, -0.5, 0.1, 0.9, 0.3}, da[9] = {0};
  double s[3] = {1.0, 0.5, -0.75}, ds[3] = {0};
  __enzyme_autodiff((void *)chain, enzyme_dup, a, da, enzyme_dup, s, ds, 3);
  printf("%.12f %.12f %.12f\n", da[0], da[7], ds[1]);
  double x[2] = {1.5, 0.5}, dx[2] = {0};
  __enzyme_autodiff((void *)twice, enzyme_dup, x, dx, enzyme_dup, x, dx);
  printf("%.12f %.12f\n", dx[0], dx[1]);
  double block[4] = {0.5, 1.5, 0.75, 2.0}, dblock[4] = {0};
  double *rows[2] = {block, block + 2}, *drows[2] = {dblock, dblock + 2};
  __enzyme_autodiff((void *)rows_in_rows, enzyme_dup, rows, drows);
  printf("%.12f %.12f %.12f\n", dblock[0], dblock[1], dblock[2]);
  double h[2] = {0.5, 3.0}, dh[2] = {0};
  __enzyme_autodiff((void *)halves, enzyme_dup, h, dh);
  printf("%.12f %.12f\n", dh[0], dh[1]);
  shared[0] = 2.0;
  printf("%.12f\n", __enzyme_autodiff((void *)by_name, enzyme_const, shared, 1.5));
  return 0;
}
