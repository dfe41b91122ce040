// Tasks of lambdas that hold vectors, in orders of all kinds: `mutexinoutset`, `inoutset`, an iterator, a dependence of
// a task that is executed at once, and an object that stands for a dependence.
// adj-flags: -fopenmp
#include "differences.h"
#include <numeric>
#include <omp.h>
#include <vector>

template <typename F>
static void later(double &what, const F &work) {
#pragma omp task depend(mutexinoutset : what) firstprivate(work) shared(what)
  work(what);
}

static double f(const double *x, int n) {
  double sum = x[0], product = 1, parts[4] = {0, 0, 0, 0}, out = 0;
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < n; i++) {
      std::vector<double> row(x, x + i + 1);
      later(sum, [row](double &s) { s += std::accumulate(row.begin(), row.end(), 0.0); });
    }
#pragma omp task depend(in : sum) depend(out : product) shared(sum, product)
    product = sum * x[1];
    for (int k = 0; k < 4; k++) {
#pragma omp task depend(in : product) depend(inoutset : parts[0]) shared(parts, product)
      parts[k] = product * x[k % n] + k;
    }
    omp_depend_t handle;
#pragma omp depobj(handle) depend(inout : parts[0])
#pragma omp task depend(depobj : handle) shared(parts)
    for (int k = 1; k < 4; k++) parts[k] *= parts[k - 1];
#pragma omp depobj(handle) destroy
#pragma omp task if (0) depend(iterator(k = 0 : 4), in : parts[k]) shared(out, parts)
    out = parts[3] - parts[1];
  }
  return out + product;
}

int main() {
  const int n = 4;
  double x[n], dx[n];
  start(x, dx, n);
  __enzyme_autodiff<void>((void *)f, enzyme_dup, x, dx, enzyme_const, n);
  return differing(f, x, dx, n);
}
