// A lock for each account protects its adjoint and its list of transfers. The reverse pass releases the lock when it
// has taken a transfer from the list, and adds to the adjoint when it no longer holds it.
// adj-flags: -fopenmp
#include "adj.h"
#include <omp.h>
#include <stdio.h>

enum { ACCOUNTS = 2, TRANSFERS = 4 };

static double interest(const double *rate, const double *amount) {
  double sum = 0.0;
#pragma omp parallel for reduction(+ : sum) num_threads(4) collapse(2)
  for (int a = 0; a < ACCOUNTS; a++)
    for (int i = 0; i < TRANSFERS; i++)
      sum += rate[a] * amount[i] * amount[i];
  return sum;
}

static void interest_reverse(const double *rate, double *drate, const double *amount, double *damount, double seed) {
  omp_lock_t locks[ACCOUNTS];
  int left[ACCOUNTS] = {TRANSFERS, TRANSFERS};
  for (int a = 0; a < ACCOUNTS; a++)
    omp_init_lock(&locks[a]);
#pragma omp parallel for num_threads(4) collapse(2)
  for (int a = 0; a < ACCOUNTS; a++)
    for (int k = 0; k < TRANSFERS; k++) {
      omp_set_lock(&locks[a]);
      int i = --left[a];
      omp_unset_lock(&locks[a]);
      drate[a] += amount[i] * amount[i] * seed; //~ race
#pragma omp atomic
      damount[i] += 2.0 * rate[a] * amount[i] * seed;
    }
  for (int a = 0; a < ACCOUNTS; a++)
    omp_destroy_lock(&locks[a]);
}

int main(void) {
  double rate[ACCOUNTS] = {0.02, 0.05}, drate[ACCOUNTS] = {0};
  double amount[TRANSFERS] = {10, 20, 30, 40}, damount[TRANSFERS] = {0};
  __adj_check_gradient((void *)interest, (void *)interest_reverse, rate, drate, amount, damount, 1.0);
  printf("%g\n", interest(rate, amount));
  return 0;
}
