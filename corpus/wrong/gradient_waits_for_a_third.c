// Deadlock: two threads reverse what two threads did, and their barrier was made for three.
// adj-flags: -pthread
#include "adj.h"
#include <pthread.h>
#include <stdio.h>

struct job {
  const double *x;
  double *dx, *y, *dy;
  pthread_barrier_t *barrier;
};

static void *forward(void *argument) {
  struct job *job = argument;
  *job->y = *job->x * *job->x;
  return NULL;
}

static void *backward(void *argument) {
  struct job *job = argument;
  pthread_barrier_wait(job->barrier); //~ ub-in-gradient: deadlock
  *job->dx += 2.0 * *job->x * *job->dy;
  *job->dy = 0.0;
  return NULL;
}

static void both(void *(*work)(void *), const double *x, double *dx, double *y, double *dy, unsigned parties) {
  pthread_barrier_t barrier;
  pthread_t beside;
  pthread_barrier_init(&barrier, NULL, parties);
  struct job jobs[2] = {{x, dx, y, dy, &barrier}, {x + 1, dx + 1, y + 1, dy + 1, &barrier}};
  pthread_create(&beside, NULL, work, &jobs[1]);
  work(&jobs[0]);
  pthread_join(beside, NULL);
  pthread_barrier_destroy(&barrier);
}

static void squares(const double *x, double *y) { both(forward, x, y, y, y, 2); }

static void squares_reverse(const double *x, double *dx, double *y, double *dy) {
  squares(x, y);
  both(backward, x, dx, y, dy, 3);
}

int main(void) {
  double x[2] = {1.5, 2.5}, dx[2] = {0}, y[2], dy[2] = {1.0, 1.0};
  __adj_check_gradient((void *)squares, (void *)squares_reverse, x, dx, y, dy);
  printf("%g\n", y[0]);
  return 0;
}
