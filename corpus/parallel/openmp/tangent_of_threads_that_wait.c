// In forward mode threads are threads: one tells another by a condition that its data are ready, what one returns is
// awaited, and two directions travel at once.
// adj-flags: -pthread
#include "adj.h"
#include <math.h>
#include <pthread.h>
#include <stdio.h>

enum { N = 3 };

struct box {
  pthread_mutex_t mutex;
  pthread_cond_t there;
  const double *in;
  double out, more[N];
  int full;
};

static void *fill(void *p) {
  struct box *box = p;
  pthread_mutex_lock(&box->mutex);
  while (!box->full)
    pthread_cond_wait(&box->there, &box->mutex);
  for (int i = 0; i < N; i++)
    box->more[i] = box->in[i] * box->out;
  pthread_mutex_unlock(&box->mutex);
  return &box->more[1];
}

static double f(const double *x) {
  struct box box = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, x, 0, {0}, 0};
  pthread_t thread;
  pthread_create(&thread, NULL, fill, &box);
  pthread_mutex_lock(&box.mutex);
  box.out = sin(x[0]) * x[2];
  box.full = 1;
  pthread_cond_signal(&box.there);
  pthread_mutex_unlock(&box.mutex);
  void *result;
  pthread_join(thread, &result);
  return *(double *)result * box.more[2];
}

static int differs(double tangent, const double *x, const double *v) {
  const double h = 1e-5;
  double above[N], below[N];
  for (int i = 0; i < N; i++)
    above[i] = x[i] + h * v[i], below[i] = x[i] - h * v[i];
  const double slope = (f(above) - f(below)) / (2 * h);
  printf("%.12g, differences %.12g\n", tangent, slope);
  return !(fabs(tangent - slope) <= 1e-6 * (1 + fabs(slope)));
}

typedef struct {
  double along[2];
} pair;
pair __enzyme_fwddiff_two(void *, ...);

int main(void) {
  double x[N] = {0.7, 1.1, -0.4}, v[N] = {1, -2, 0.5}, w[N] = {0.3, 0, 1};
  int wrong = differs(__enzyme_fwddiff((void *)f, enzyme_dup, x, v), x, v);
  pair both = __enzyme_fwddiff_two((void *)f, enzyme_width, 2, enzyme_dup, x, v, w);
  wrong += differs(both.along[0], x, v) + differs(both.along[1], x, w);
  return wrong;
}
