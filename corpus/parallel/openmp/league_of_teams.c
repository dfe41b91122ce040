// Teams on the processor, each with a row of its own, and a target region that is executed there: iterations are shared
// out among the teams, and by each among its threads.
// adj-flags: -fopenmp
#include "differences.h"
#include <omp.h>

enum { N = 14 };

static double f(const double *x, int n) {
  double sum = 0, rest = 0, y[N], by_team[2] = {0, 0}, rows[2][N] = {{0}}, weighed = 0;
#pragma omp teams num_teams(2) reduction(+ : sum)
  {
#pragma omp distribute parallel for reduction(+ : sum)
    for (int i = 0; i < n; i++) {
      y[i] = x[i] * x[(i + 1) % n];
      sum += y[i] * x[0];
    }
  }
#pragma omp teams num_teams(2)
  {
    double *row = rows[omp_get_team_num()];
#pragma omp parallel for
    for (int i = 0; i < n; i++)
      row[i] = x[i] * y[i];
  }
  for (int i = 0; i < n; i++)
    weighed += (rows[0][i] + 3 * rows[1][i]) * (i + 1);
#pragma omp teams num_teams(2)
#pragma omp distribute dist_schedule(static, 3)
  for (int i = 0; i < n; i++) {
#pragma omp atomic
    by_team[i % 2] += x[i] * y[i];
  }
#pragma omp target teams distribute parallel for reduction(+ : rest) map(to : x[0 : n], y) map(tofrom : rest)
  for (int i = 0; i < n; i++)
    rest += y[i] * y[i] * x[i];
  return sum * rest + by_team[0] * by_team[1] + weighed;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
