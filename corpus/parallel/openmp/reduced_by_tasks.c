// Reductions in which tasks take part: of a group, of a loop of tasks, of a region; sums, a product, and an operation
// of the program's own.
// adj-flags: -fopenmp
#include "differences.h"

enum { N = 9 };

struct moments {
  double first, second;
};
#pragma omp declare reduction(both : struct moments : omp_out.first += omp_in.first, omp_out.second += omp_in.second) \
    initializer(omp_priv = (struct moments){0, 0})

static double f(const double *x, int n) {
  double sum = x[0], product = 1, squares = 0, cubes = 0.5;
  struct moments both = {x[1], 0};
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskgroup task_reduction(+ : sum) task_reduction(* : product)
    for (int i = 0; i < n; i++) {
#pragma omp task in_reduction(+ : sum) in_reduction(* : product) firstprivate(i)
      {
        sum += x[i] * x[i];
        product *= 1 + 0.1 * x[i];
      }
    }
#pragma omp taskloop reduction(both : both) grainsize(2)
    for (int i = 0; i < n; i++) {
      both.first += x[i];
      both.second += x[i] * x[i];
    }
#pragma omp taskloop reduction(+ : squares) num_tasks(3)
    for (int i = 0; i < n; i++)
      squares += x[i] * x[i] * sum;
  }
#pragma omp parallel reduction(task, + : cubes)
#pragma omp single
  for (int i = 0; i < n; i++)
#pragma omp task in_reduction(+ : cubes) firstprivate(i)
    cubes += x[i] * x[i] * x[i];
  return sum * product + both.first * both.second + squares * cubes;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
