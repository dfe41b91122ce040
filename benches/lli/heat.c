// Diffusion on a grid of two dimensions: a stencil of five points, two buffers in turn.
#include <stdio.h>
#include <stdlib.h>
enum { N = 48 };
static void step(const double *from, double *to) {
  for (int i = 1; i < N - 1; i++)
    for (int j = 1; j < N - 1; j++)
      to[i * N + j] = from[i * N + j] + 0.2 * (from[(i - 1) * N + j] + from[(i + 1) * N + j] + from[i * N + j - 1] +
                                               from[i * N + j + 1] - 4.0 * from[i * N + j]);
}
int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 1;
  double *u = calloc(N * N, sizeof *u), *v = calloc(N * N, sizeof *v);
  u[N * N / 2 + N / 2] = 1000;
  u[5 * N + 7] = -250;
  for (int r = 0; r < rounds; r++) {
    step(u, v);
    step(v, u);
  }
  double sum = 0;
  for (int i = 0; i < N * N; i++)
    sum += u[i] * (i % 7);
  printf("%.17g\n", sum);
  free(u);
  free(v);
  return 0;
}
