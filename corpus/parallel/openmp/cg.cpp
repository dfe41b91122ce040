// Conjugate gradients.
// adj-flags: -std=c++17 -fopenmp
#include "differences.h"
#include <vector>

constexpr int N = 8;

static double dot(const std::vector<double> &a, const std::vector<double> &b) {
  double s = 0;
#pragma omp parallel for reduction(+:s)
  for (size_t i = 0; i < a.size(); i++) s += a[i] * b[i];
  return s;
}
static void mul(const double *d, const std::vector<double> &v, std::vector<double> &out) {
  int n = v.size();
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
    double s = (3 + d[i]) * v[i];
    if (i > 0) s -= v[i - 1];
    if (i + 1 < n) s -= v[i + 1];
    out[i] = s;
  }
}
static double f(const double *x, int n) {
  std::vector<double> b(n, 1.0), u(n, 0.0), r(b), q(r), a(n);
  double rr = dot(r, r);
  for (int k = 0; k < 5; k++) {
    mul(x, q, a);
    double alpha = rr / dot(q, a);
#pragma omp parallel for
    for (int i = 0; i < n; i++) { u[i] += alpha * q[i]; r[i] -= alpha * a[i]; }
    double next = dot(r, r);
    double beta = next / rr;
    rr = next;
#pragma omp parallel for
    for (int i = 0; i < n; i++) q[i] = r[i] + beta * q[i];
  }
  return dot(u, u);
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff<void>((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
