// Product of two matrices, three loops.
#include <stdio.h>
#include <stdlib.h>
enum { N = 40 };
static double a[N][N], b[N][N], c[N][N];
int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 1;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      a[i][j] = 1.0 / (1 + i + j);
      b[i][j] = i - 0.5 * j;
    }
  for (int r = 0; r < rounds; r++)
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++) {
        double sum = 0.125 * c[j][i];
        for (int k = 0; k < N; k++)
          sum += a[i][k] * b[k][j];
        c[i][j] = sum;
      }
  double trace = 0;
  for (int i = 0; i < N; i++)
    trace += c[i][i];
  printf("%.17g\n", trace);
  return 0;
}
