// Threads of POSIX keep the states of their own maps on tapes. In the reverse pass each reads the tape of the thread
// beside it. Evidence: the factors are states of another thread's map.
// adj-flags: -pthread
#include "adj.h"
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 3, STEPS = 4 };
struct job {
  double *x, *dx, *tape, *beside;
};

static void *forward(void *argument) {
  struct job *job = argument;
  for (int k = 0; k < STEPS; k++) {
    job->tape[k] = *job->x;
    *job->x *= 3.1 * (1.0 - *job->x);
  }
  return NULL;
}

static void *backward(void *argument) {
  struct job *job = argument;
  for (int k = STEPS - 1; k >= 0; k--)
    *job->dx *= 3.1 * (1.0 - 2.0 * job->beside[k]); //~ wrong: cache
  return NULL;
}

static void team(void *(*work)(void *), double *x, double *dx, double tape[THREADS][STEPS]) {
  pthread_t threads[THREADS];
  struct job jobs[THREADS];
  for (int t = 0; t < THREADS; t++) {
    jobs[t] = (struct job){x + t, dx + t, tape[t], tape[(t + 1) % THREADS]};
    pthread_create(&threads[t], NULL, work, &jobs[t]);
  }
  for (int t = 0; t < THREADS; t++)
    pthread_join(threads[t], NULL);
}

static void maps(double *x) {
  double tape[THREADS][STEPS];
  team(forward, x, x, tape);
}

static void maps_reverse(double *x, double *dx) {
  double tape[THREADS][STEPS];
  team(forward, x, dx, tape);
  team(backward, x, dx, tape);
}

int main(void) {
  double x[THREADS] = {0.2, 0.35, 0.6}, dx[THREADS] = {1.0, 1.0, 1.0};
  __adj_check_gradient((void *)maps, (void *)maps_reverse, x, dx);
  printf("%g\n", x[0]);
  return 0;
}
