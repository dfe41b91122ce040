// The reverse pass takes the locks of both ends of a bond, and gives up if it does not get the second one. Of a bond
// that ends where it begins it holds that lock already. Evidence: that end gets no contribution at all.
// adj-flags: -fopenmp
#include "adj.h"
#include <omp.h>
#include <stdio.h>

enum { BONDS = 3, ENDS = 5 };
static const int from[BONDS] = {0, 2, 4}, to[BONDS] = {1, 3, 4};

static double bonds(const double *x) {
  double sum = 0.0;
#pragma omp parallel for reduction(+ : sum) num_threads(3)
  for (int b = 0; b < BONDS; b++)
    sum += x[from[b]] * x[to[b]];
  return sum;
}

static void bonds_reverse(const double *x, double *dx, double seed) { //~ wrong: activity
  omp_lock_t locks[ENDS];
  for (int e = 0; e < ENDS; e++)
    omp_init_lock(&locks[e]);
#pragma omp parallel for num_threads(3)
  for (int b = 0; b < BONDS; b++) {
    omp_set_lock(&locks[from[b]]);
    if (omp_test_lock(&locks[to[b]])) {
      dx[from[b]] += x[to[b]] * seed;
      dx[to[b]] += x[from[b]] * seed;
      omp_unset_lock(&locks[to[b]]);
    }
    omp_unset_lock(&locks[from[b]]);
  }
  for (int e = 0; e < ENDS; e++)
    omp_destroy_lock(&locks[e]);
}

int main(void) {
  double x[ENDS] = {1.0, 2.0, 0.5, -1.5, 3.0}, dx[ENDS] = {0};
  __adj_check_gradient((void *)bonds, (void *)bonds_reverse, x, dx, 1.0);
  printf("%g\n", bonds(x));
  return 0;
}
