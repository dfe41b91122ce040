// A sum is divided until little is left of it; one half is another thread's.
// adj-flags: -pthread
#include "differences.h"
#include <pthread.h>

enum { N = 8 };

struct part {
  const double *x;
  int from, to;
  double sum;
};

static void *add(void *arg) {
  struct part *part = (struct part *)arg;
  if (part->to - part->from <= 2) {
    for (int i = part->from; i < part->to; i++)
      part->sum += part->x[i] * part->x[i];
    return NULL;
  }
  int middle = (part->from + part->to) / 2;
  struct part low = {part->x, part->from, middle, 0}, high = {part->x, middle, part->to, 0};
  pthread_t thread;
  pthread_create(&thread, NULL, add, &low);
  add(&high);
  pthread_join(thread, NULL);
  part->sum = low.sum * high.sum + low.sum;
  return NULL;
}

static double f(const double *x, int n) {
  struct part all = {x, 0, n, 0};
  add(&all);
  return all.sum;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, (int)N);
  return differing(f, x, dx, N);
}
