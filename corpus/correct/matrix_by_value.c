// A structure of two integers and a pointer to the heap, passed and returned by value (in registers).
#include "adj.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct matrix {
  int rows, columns;
  double *data;
};

static struct matrix make(int rows, int columns, double x) {
  struct matrix m = {rows, columns, malloc(rows * columns * sizeof(double))};
  for (int i = 0; i < rows * columns; i++)
    m.data[i] = sin(x + 0.2 * i);
  return m;
}

static struct matrix scaled_transpose(struct matrix a) {
  struct matrix t = make(a.columns, a.rows, 0.5);
  for (int i = 0; i < a.rows; i++)
    for (int j = 0; j < a.columns; j++)
      t.data[j * a.rows + i] += a.data[i * a.columns + j] * a.data[0];
  return t;
}

static double product(double x) {
  struct matrix m = make(2, 3, x), t = scaled_transpose(m);
  double sum = 0.0;
  for (int i = 0; i < 6; i++)
    sum += m.data[i] * t.data[5 - i] * (1.0 + 0.1 * i);
  free(m.data);
  free(t.data);
  return sum;
}

int main(void) {
  for (int i = 0; i < 3; i++) {
    double x = 0.4 + 0.3 * i;
    printf("%.17g %.17g\n", product(x), __enzyme_autodiff((void *)product, x));
  }
  return 0;
}
