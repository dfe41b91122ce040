// Two buffers in turn, with a barrier after every round. The reverse pass takes the numbers of a round from the
// buffers, where later rounds have overwritten them. Evidence: the factor is the value of the same cell two rounds
// later.
// adj-flags: -fopenmp
#include "adj.h"
#include <omp.h>
#include <stdio.h>

enum { THREADS = 3, ROUNDS = 3 };

static void rounds(double (*u)[THREADS]) {
#pragma omp parallel num_threads(THREADS)
  for (int k = 0; k < ROUNDS; k++) {
    int own = omp_get_thread_num(), next = (own + 1) % THREADS;
    u[(k + 1) % 2][own] = u[k % 2][own] * u[k % 2][next];
#pragma omp barrier
  }
}

static void rounds_reverse(double (*u)[THREADS], double (*du)[THREADS]) {
  rounds(u);
#pragma omp parallel num_threads(THREADS)
  for (int k = ROUNDS - 1; k >= 0; k--) {
    int own = omp_get_thread_num(), next = (own + 1) % THREADS;
    double adjoint = du[(k + 1) % 2][own];
    du[(k + 1) % 2][own] = 0.0;
    for (int side = 0; side < 2; side++) {
#pragma omp atomic
      du[k % 2][side ? next : own] += u[k % 2][side ? own : next] * adjoint; //~ wrong: cache
#pragma omp barrier
    }
  }
}

int main(void) {
  double u[2][THREADS] = {{0.5, 1.25, 2.0}, {0.0, 0.0, 0.0}}, du[2][THREADS] = {{0.5, 1.0, 1.5}, {1.0, 2.0, 3.0}};
  __adj_check_gradient((void *)rounds, (void *)rounds_reverse, u, du);
  printf("%g\n", u[1][0]);
  return 0;
}
