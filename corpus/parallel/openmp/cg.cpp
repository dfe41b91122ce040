// Conjugate gradients.
// adj-flags: -std=c++17 -fopenmp
#include <cmath>
#include <cstdio>
#include <vector>

extern int enzyme_dup, enzyme_const;
extern "C" void __enzyme_autodiff(void *, ...);
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

int main() {
  std::vector<double> x(N), dx(N, 0.0);
  for (int i = 0; i < N; i++) x[i] = 0.4 + 0.13 * i;
  __enzyme_autodiff((void *)f, enzyme_dup, x.data(), dx.data(), enzyme_const, N);
  int wrong = 0;
  for (int i = 0; i < N; i++) {
    const double h = 1e-5, at = x[i];
    x[i] = at + h;
    const double above = f(x.data(), N);
    x[i] = at - h;
    const double below = f(x.data(), N);
    x[i] = at;
    const double slope = (above - below) / (2 * h);
    if (!(std::fabs(slope - dx[i]) <= 2e-6 * (1 + std::fabs(slope)))) {
      printf("dx[%d] = %.12g, but the slope is %.12g\n", i, dx[i], slope);
      wrong = 1;
    }
  }
  return wrong;
}
