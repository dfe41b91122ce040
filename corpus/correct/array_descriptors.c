// Arrays as compilers of tensors lower them: a descriptor by value with the allocated and the aligned pointer, an offset, sizes and
// strides. Kernels take several descriptors, write into one, and return a new one.
#include "adj.h"
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct matrix {
  double *allocated, *aligned;
  int64_t offset, size[2], stride[2];
};

static double *at(struct matrix m, int64_t i, int64_t j) { return m.aligned + m.offset + i * m.stride[0] + j * m.stride[1]; }

static struct matrix create(int64_t rows, int64_t columns) {
  double *p = malloc((rows * columns + 4) * sizeof *p);
  double *aligned = (double *)(((uintptr_t)p + 31) & ~(uintptr_t)31);
  return (struct matrix){p, aligned, 0, {rows, columns}, {columns, 1}};
}

static struct matrix transposed(struct matrix m) {
  return (struct matrix){m.allocated, m.aligned, m.offset, {m.size[1], m.size[0]}, {m.stride[1], m.stride[0]}};
}

static struct matrix multiply(struct matrix a, struct matrix b) {
  struct matrix c = create(a.size[0], b.size[1]);
  for (int64_t i = 0; i < c.size[0]; i++)
    for (int64_t j = 0; j < c.size[1]; j++) {
      *at(c, i, j) = 0.0;
      for (int64_t k = 0; k < a.size[1]; k++)
        *at(c, i, j) += *at(a, i, k) * *at(b, k, j);
    }
  return c;
}

static double circuit(double *parameters, double *gates, int64_t n) {
  struct matrix p = {parameters, parameters, 0, {n, n}, {n, 1}}, g = {gates, gates, 1, {n, n}, {n, 1}};
  struct matrix once = multiply(p, g), twice = multiply(transposed(once), p);
  double sum = 0.0;
  for (int64_t i = 0; i < n; i++)
    for (int64_t j = 0; j < n; j++)
      sum += sin(*at(twice, i, j)) * *at(once, j, i);
  free(once.allocated);
  free(twice.allocated);
  return sum;
}

int main(void) {
  double p[9], dp[9] = {0}, gates[10], dgates[10] = {0};
  for (int i = 0; i < 10; i++)
    gates[i] = i < 9 ? (p[i] = 0.1 * ((4 * i) % 9) - 0.2, 0.5 - 0.1 * i) : 0.9;
  __enzyme_autodiff((void *)circuit, enzyme_dup, p, dp, enzyme_const, gates, enzyme_const, (int64_t)3);
  __enzyme_autodiff((void *)circuit, enzyme_dup, p, dp, enzyme_dup, gates, dgates, enzyme_const, (int64_t)3);
  for (int i = 0; i < 9; i++)
    printf("%.15g %.15g\n", dp[i], dgates[i + 1]);
  return 0;
}
