// What each charge would do to itself is computed with the rest, stored in memory of every kind, and not read: it is
// beyond all that a format holds, and has no part in the gradient.
#include "adj.h"
#include <cmath>
#include <cstdio>
#include <memory>
#include <vector>

constexpr int N = 7;
static double table[N][N];

static double nearness(const double *x, int i, int j, double itself) {
  return 1 / (i == j ? itself : std::fabs(x[i] - x[j]));
}

static double in_a_vector(const double *x, const double *q, int n, double itself) {
  std::vector<double> energy(n * n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) energy[i * n + j] = q[i] * q[j] * nearness(x, i, j, itself);
  double sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (i != j) sum += energy[i * n + j];
  return sum;
}

static double in_an_owned_array(const double *x, const double *q, int n, double itself) {
  std::unique_ptr<double[]> energy(new double[n * n]);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) energy[i * n + j] = q[i] * q[j] * nearness(x, i, j, itself);
  double sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) sum += energy[i * n + j] + energy[j * n + i];
  return sum;
}

static double in_a_table(const double *x, const double *q, int n, double itself) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) table[i][j] = q[i] * q[j] * nearness(x, i, j, itself);
  double sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (i != j) sum += table[i][j];
  return sum;
}

/* Without the first: a quotient at the origin of a grid, which the sum leaves out. */
static double on_a_grid(const double *x, const double *q, int n, double itself) {
  double energy[N];
  for (int i = 0; i < n; i++) energy[i] = q[i] * x[i] / (i == 0 ? itself : i);
  double sum = 0;
  for (int i = 1; i < n; i++) sum += energy[i];
  return sum;
}

int main(int argc, char **argv) {
  double x[N] = {0.25, 1, 2.5, 4, 4.5, 6, 9}, q[N] = {1, -1, 2, 0.5, -0.75, 1.5, -2};
  double dx[3][N] = {}, dq[3][N] = {}, dgrid[2][N] = {}, itself = argc > 1 ? 1 : 1e-310;
  __enzyme_autodiff<void>((void *)in_a_vector, x, dx[0], q, dq[0], N, itself);
  __enzyme_autodiff<void>((void *)in_an_owned_array, x, dx[1], q, dq[1], N, itself);
  __enzyme_autodiff<void>((void *)in_a_table, x, dx[2], q, dq[2], N, itself);
  __enzyme_autodiff<void>((void *)on_a_grid, x, dgrid[0], q, dgrid[1], N, itself);
  for (int i = 0; i < N; i++) {
    double of_x = 0, of_q = 0;
    for (int j = 0; j < N; j++)
      if (i != j) {
        double apart = x[i] - x[j];
        of_x -= 2 * q[i] * q[j] / (apart * std::fabs(apart));
        of_q += 2 * q[j] / std::fabs(apart);
      }
    for (int k = 0; k < 3; k++)
      if (!(std::fabs(dx[k][i] - of_x) < 1e-12) || !(std::fabs(dq[k][i] - of_q) < 1e-12))
        return std::printf("memory %d, charge %d: %g %g\n", k, i, dx[k][i], dq[k][i]), 1;
    if (!(std::fabs(dgrid[0][i] - (i ? q[i] / i : 0)) < 1e-12) || !(std::fabs(dgrid[1][i] - (i ? x[i] / i : 0)) < 1e-12))
      return std::printf("grid, charge %d: %g %g\n", i, dgrid[0][i], dgrid[1][i]), 1;
  }
}
