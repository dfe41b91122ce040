// Tasks that exclude each other, tasks that depend on all elements of an array, and a task that waits for one other.
// adj-flags: -fopenmp
#include "differences.h"

enum { N = 6 };

static double f(const double *x, int n) {
  double sum = 0, product = 1, squares[N], first = 0, second = 0;
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < n; i++) {
#pragma omp task depend(mutexinoutset : product) firstprivate(i)
      product *= 1 + 0.2 * x[i];
#pragma omp task depend(out : squares[i]) firstprivate(i)
      squares[i] = x[i] * x[i];
    }
#pragma omp task depend(iterator(k = 0 : n), in : squares[k])
    for (int i = 0; i < n; i++)
      sum += squares[i] * x[n - 1 - i];
#pragma omp task depend(out : first)
    first = x[0] * x[1];
#pragma omp task depend(out : second)
    second = x[2] * x[3];
#pragma omp taskwait depend(in : first)
    first *= first;
#pragma omp taskwait
  }
  return sum * product + first * second;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
