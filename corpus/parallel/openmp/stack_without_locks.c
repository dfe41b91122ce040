// Threads push nodes on one stack, by exchanging the address of its top (Treiber, 1986).
// adj-flags: -pthread
#include "adj.h"
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
  double value;
  struct node *next;
};

struct work {
  _Atomic(struct node *) *top;
  const double *x;
  int first, n;
};

static void *push(void *given) {
  struct work *work = given;
  for (int i = work->first; i < work->n; i += 2) {
    struct node *node = malloc(sizeof *node);
    node->value = sin(work->x[i]);
    node->next = atomic_load(work->top);
    while (!atomic_compare_exchange_weak(work->top, &node->next, node)) {
    }
  }
  return NULL;
}

static double energy(const double *x, int n) {
  _Atomic(struct node *) top = NULL;
  pthread_t threads[2];
  struct work work[2];
  for (int t = 0; t < 2; t++) {
    work[t] = (struct work){&top, x, t, n};
    pthread_create(&threads[t], NULL, push, &work[t]);
  }
  for (int t = 0; t < 2; t++) pthread_join(threads[t], NULL);
  double sum = 0;
  struct node *node = atomic_load(&top);
  while (node) {
    struct node *next = node->next;
    sum += node->value * node->value;
    free(node);
    node = next;
  }
  return sum;
}

int main(void) {
  double x[5] = {0.3, -0.8, 1.1, 0.6, 2.0}, dx[5] = {0};
  __enzyme_autodiff((void *)energy, enzyme_dup, x, dx, enzyme_const, 5);
  for (int i = 0; i < 5; i++)
    if (fabs(dx[i] - sin(2 * x[i])) > 1e-12) return 1;
  return 0;
}
