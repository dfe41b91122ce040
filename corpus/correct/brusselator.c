// One right-hand side of the Brusselator on a periodic grid, two fields in one structure.
#include "adj.h"
#include <stdio.h>

#define N 4

struct field {
  double u[N][N];
  double v[N][N];
};

static void brusselator(struct field *out, const struct field *in, const double *p, double t) {
  const double a = p[0], b = p[1], alpha = p[2] * N * N;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      int w = (i + N - 1) % N, e = (i + 1) % N, s = (j + N - 1) % N, n = (j + 1) % N;
      double x = (double)i / N, y = (double)j / N;
      double source = (x - 0.3) * (x - 0.3) + (y - 0.6) * (y - 0.6) <= 0.1 && t >= 1.1 ? 5.0 : 0.0;
      double u = in->u[i][j], v = in->v[i][j];
      double lu = in->u[w][j] + in->u[e][j] + in->u[i][s] + in->u[i][n] - 4.0 * u;
      double lv = in->v[w][j] + in->v[e][j] + in->v[i][s] + in->v[i][n] - 4.0 * v;
      out->u[i][j] = alpha * lu + b + u * u * v - (a + 1.0) * u + source;
      out->v[i][j] = alpha * lv + a * u - u * u * v;
    }
}

int main(void) {
  struct field in, din, out, dout;
  double p[3] = {3.4, 1.0, 0.1}, dp[3] = {0};
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      in.u[i][j] = 1.0 + 0.1 * i;
      in.v[i][j] = 2.0 - 0.2 * j;
      din.u[i][j] = din.v[i][j] = out.u[i][j] = out.v[i][j] = 0.0;
      dout.u[i][j] = 1.0;
      dout.v[i][j] = 0.5 * j;
    }
  __enzyme_autodiff((void *)brusselator, enzyme_dup, &out, &dout, enzyme_dup, &in, &din, enzyme_dup, p, dp,
                    enzyme_const, 1.5);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      printf("%.17g %.17g %.17g\n", out.u[i][j], din.u[i][j], din.v[i][j]);
  printf("%.17g %.17g %.17g\n", dp[0], dp[1], dp[2]);
  return 0;
}
