// What a thread gets is a structure of pointers, and the reverse pass fills in the shadow of the first factor for the
// second one, too. Evidence: what one object lacks another has too much.
// adj-flags: -pthread
#include "adj.h"
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 2 };
struct job {
  const double *a, *b;
  double *product, *da, *db, seed;
};

static void *multiply(void *argument) {
  struct job *job = argument;
  *job->product = *job->a * *job->b;
  return NULL;
}

static void *multiply_reverse(void *argument) {
  struct job *job = argument;
  const double *other[2] = {job->b, job->a};
  double *shadow[2] = {job->da, job->db};
  for (int k = 0; k < 2; k++)
    *shadow[k] += *other[k] * job->seed; //~ wrong: alias
  return NULL;
}

static void team(void *(*work)(void *), struct job jobs[THREADS]) {
  pthread_t threads[THREADS];
  for (int t = 0; t < THREADS; t++)
    pthread_create(&threads[t], NULL, work, &jobs[t]);
  for (int t = 0; t < THREADS; t++)
    pthread_join(threads[t], NULL);
}

static double dot(const double *a, const double *b) {
  double product[THREADS];
  struct job jobs[THREADS];
  for (int t = 0; t < THREADS; t++)
    jobs[t] = (struct job){a + t, b + t, product + t, NULL, NULL, 0.0};
  team(multiply, jobs);
  return product[0] + product[1];
}

static void dot_reverse(const double *a, double *da, const double *b, double *db, double seed) {
  (void)db;
  struct job jobs[THREADS];
  for (int t = 0; t < THREADS; t++)
    jobs[t] = (struct job){a + t, b + t, NULL, da + t, da + t, seed};
  team(multiply_reverse, jobs);
}

int main(void) {
  double a[THREADS] = {1.0, 2.5}, da[THREADS] = {0}, b[THREADS] = {0.5, 4.0}, db[THREADS] = {0};
  __adj_check_gradient((void *)dot, (void *)dot_reverse, a, da, b, db, 1.0);
  printf("%g\n", dot(a, b));
  return 0;
}
