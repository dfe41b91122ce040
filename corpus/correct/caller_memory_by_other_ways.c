// Memory that is given as an argument may be reached by other ways: through pointers that variables hold, through a number, by a function
// that is declared inactive. What is written by these ways after a load is not what the reverse pass may load.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "adj.h"

struct box {
  double *data;
  int n;
};

static double block[3];
static double *inside, **table;
double *outside;
static struct box box;
struct box *boxes;

__attribute__((noinline, annotate("enzyme_inactive"))) static void tick(void) {
  inside[0] += 1.0;
  outside[1] = 3.0;
}

__attribute__((noinline)) static double inactive_writes_variable(int n, double z) {
  double y = z;
  for (int i = 0; i < n; i++) y = sin(y) * inside[i];
  tick();
  return y;
}

__attribute__((noinline)) static double inactive_writes_argument(const double *x, int n, double z) {
  double y = z;
  for (int i = 0; i < n; i++) y = sin(y) * x[i];
  tick();
  return y;
}

__attribute__((noinline)) static double through_variables(const double *x, int n, double z) {
  double y = z;
  for (int i = 0; i < n; i++) y = sin(y) * x[i];
  inside[1] = 9.0;
  outside[0] = 8.0;
  return y;
}

__attribute__((noinline)) static double through_argument(double *x, int n, double z) {
  double y = z;
  for (int i = 0; i < n; i++) y = sin(y) * inside[i] + cos(y) * outside[i];
  x[0] = 9.0;
  x[1] = 8.0;
  return y;
}

__attribute__((noinline)) static double through_structures(const struct box *b, int n, double z) {
  double y = z;
  for (int i = 0; i < n; i++) y = sin(y) * b->data[i] * box.data[i];
  boxes->data[1] = 4.0;
  table[0][2] = 7.0;
  return y;
}

// One of the two ways is known, and is not the one that is taken.
__attribute__((noinline)) static double known_or_not(const double *x, int n, double z) {
  double own[3] = {1.0, 2.0, 3.0}, y = z;
  double *to = n > 100 ? own : inside;
  for (int i = 0; i < n; i++) y = sin(y) * x[i];
  to[0] = 2.5;
  return y * own[1];
}

__attribute__((noinline)) static double through_rows(double **rows, int n, double z) {
  double y = z;
  for (int i = 0; i < n; i++) y = sin(y) * rows[0][i];
  rows[1][0] = 4.0;
  return y;
}

__attribute__((noinline)) static double through_number(const double *x, long where, int n, double z) {
  double y = z;
  for (int i = 0; i < n; i++) y = sin(y) * x[i];
  *(double *)where = 4.0;
  return y;
}

// A block of its own that a variable has come to hold.
__attribute__((noinline)) static double handed_out(const double *x, int n, double z) {
  double y = z, *own = malloc(3 * sizeof(double));
  for (int i = 0; i < 3; i++) own[i] = x[i];
  table[0] = own;
  for (int i = 0; i < n; i++) y = sin(y) * own[i];
  table[0][1] = 0.25;
  y *= own[1];
  free(own);
  return y;
}

static void reset(void) {
  static double *rows[1];
  for (int i = 0; i < 3; i++) block[i] = 1.5 - 0.25 * i;
  inside = outside = block;
  box.data = block;
  box.n = 3;
  boxes = &box;
  rows[0] = block;
  table = rows;
}

int main(int argc, char **argv) {
  (void)argv;
  int n = 2 + argc;
  double *rows[2] = {block, block};
  reset();
  printf("%.12f\n", __enzyme_autodiff((void *)inactive_writes_variable, n, 1.5));
  reset();
  printf("%.12f\n", __enzyme_autodiff((void *)inactive_writes_argument, enzyme_const, block, n, 1.5));
  reset();
  printf("%.12f\n", __enzyme_autodiff((void *)through_variables, enzyme_const, block, n, 1.5));
  reset();
  printf("%.12f\n", __enzyme_autodiff((void *)through_argument, enzyme_const, block, n, 1.5));
  reset();
  printf("%.12f\n", __enzyme_autodiff((void *)through_structures, enzyme_const, &box, n, 1.5));
  reset();
  printf("%.12f\n", __enzyme_autodiff((void *)known_or_not, enzyme_const, block, n, 1.5));
  reset();
  printf("%.12f\n", __enzyme_autodiff((void *)through_rows, enzyme_const, rows, n, 1.5));
  reset();
  printf("%.12f\n", __enzyme_autodiff((void *)through_number, enzyme_const, block, enzyme_const, (long)block, n, 1.5));
  reset();
  printf("%.12f\n", __enzyme_autodiff((void *)handed_out, enzyme_const, block, n, 1.5));
  return 0;
}
