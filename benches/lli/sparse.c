// A sparse matrix by rows times a vector, repeatedly: the power method.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
enum { N = 500, ROW = 5 };
static int start[N + 1], column[N * ROW];
static double value[N * ROW], x[N], y[N];
int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 1;
  for (int i = 0; i < N; i++) {
    start[i + 1] = start[i] + ROW;
    for (int k = 0; k < ROW; k++) {
      column[i * ROW + k] = (i * 13 + k * 89) % N;
      value[i * ROW + k] = 1.0 / (1 + k) + 0.001 * i;
    }
    x[i] = 1;
  }
  double norm = 0;
  for (int r = 0; r < rounds; r++) {
    norm = 0;
    for (int i = 0; i < N; i++) {
      double sum = 0;
      for (int k = start[i]; k < start[i + 1]; k++)
        sum += value[k] * x[column[k]];
      y[i] = sum;
      norm += sum * sum;
    }
    norm = sqrt(norm);
    for (int i = 0; i < N; i++)
      x[i] = y[i] / norm;
  }
  printf("%.17g\n", norm);
  return 0;
}
