// Threads of POSIX meet at a barrier between their own part and that of a neighbour. The reverse pass has a barrier
// too, but at its end, after both parts.
// adj-flags: -pthread
#include "adj.h"
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 3 };
struct job {
  int own;
  const double *x;
  double *part, *y, *dx, *dpart, *dy;
  pthread_barrier_t *barrier;
};

static void *forward(void *argument) {
  struct job *j = argument;
  j->part[j->own] = j->x[j->own] * j->x[j->own];
  pthread_barrier_wait(j->barrier);
  j->y[j->own] = 0.5 * j->part[(j->own + 1) % THREADS];
  return NULL;
}

static inline __attribute__((always_inline)) void pass(const double *from, double *to, double factor) {
  *to += factor * *from; //~ race
}

static void *backward(void *argument) {
  struct job *j = argument;
  pass(&j->dy[j->own], &j->dpart[(j->own + 1) % THREADS], 0.5);
  pass(&j->dpart[j->own], &j->dx[j->own], 2.0 * j->x[j->own]);
  pthread_barrier_wait(j->barrier);
  j->dpart[j->own] = j->dy[j->own] = 0.0;
  return NULL;
}

static void team(void *(*work)(void *), struct job job) {
  pthread_barrier_t barrier;
  pthread_t threads[THREADS];
  struct job jobs[THREADS];
  pthread_barrier_init(&barrier, NULL, THREADS);
  for (int t = 0; t < THREADS; t++) {
    jobs[t] = job;
    jobs[t].own = t;
    jobs[t].barrier = &barrier;
    pthread_create(&threads[t], NULL, work, &jobs[t]);
  }
  for (int t = 0; t < THREADS; t++)
    pthread_join(threads[t], NULL);
  pthread_barrier_destroy(&barrier);
}

static void ring(const double *x, double *y) {
  double part[THREADS];
  team(forward, (struct job){0, x, part, y, NULL, NULL, NULL, NULL});
}

static void ring_reverse(const double *x, double *dx, double *y, double *dy) {
  double dpart[THREADS] = {0.0};
  ring(x, y);
  team(backward, (struct job){0, x, NULL, y, dx, dpart, dy, NULL});
}

int main(void) {
  double x[THREADS] = {1.0, 2.0, 3.0}, dx[THREADS] = {0}, y[THREADS], dy[THREADS] = {1.0, 1.0, 1.0};
  __adj_check_gradient((void *)ring, (void *)ring_reverse, x, dx, y, dy);
  printf("%g\n", y[0]);
  return 0;
}
