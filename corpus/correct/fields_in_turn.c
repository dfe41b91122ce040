// One small function is given some fields of a structure in turn, evenly spaced: what lies between and behind them is not meant, and
// the number behind them stays a number (as in the decompositions of a matrix library).
#include "adj.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct indices {
  int *data;
  long size;
};

struct factors {
  double *values;
  long rows, columns;
  struct indices rows_of, columns_of;
  double scale;
  int sign;
};

static void resize(struct indices *indices, long size) {
  free(indices->data);
  indices->data = malloc(size * sizeof *indices->data);
  indices->size = size;
  for (long i = 0; i < size; i++)
    indices->data[i] = (int)(size - 1 - i);
}

static void factor(struct factors *f, double *a, long n) {
  *f = (struct factors){.values = a, .rows = n, .columns = n, .sign = 1};
  resize(&f->rows_of, n);
  resize(&f->columns_of, n);
  for (long i = 0; i < n * n; i++)
    f->scale += a[i] * a[i];
  f->scale = sqrt(f->scale);
}

static double turned(double *a, int n) {
  struct factors f;
  factor(&f, a, n);
  double sum = 0.0;
  for (int i = 0; i < n; i++)
    sum += f.sign * f.values[f.rows_of.data[i] * n + f.columns_of.data[n - 1 - i]] / f.scale;
  free(f.rows_of.data);
  free(f.columns_of.data);
  return sum;
}

int main(void) {
  double a[9] = {2.1, 0.3, 0.4, 0.3, 1.7, 0.2, 0.4, 0.2, 3.3}, da[9] = {0};
  __enzyme_autodiff((void *)turned, enzyme_dup, a, da, enzyme_const, 3);
  double norm = 0.0, anti = a[2] + a[4] + a[6];
  for (int i = 0; i < 9; i++)
    norm += a[i] * a[i];
  int wrong = 0;
  for (int i = 0; i < 9; i++) {
    double expected = (i == 2 || i == 4 || i == 6) / sqrt(norm) - anti * a[i] / (norm * sqrt(norm));
    printf("%.8f\n", da[i]);
    wrong += fabs(da[i] - expected) > 1e-12;
  }
  return wrong;
}
