// Threads of POSIX, which get a structure each.
// adj-flags: -pthread
#include <math.h>
#include <pthread.h>
#include <stdio.h>

extern int enzyme_dup, enzyme_const;
extern void __enzyme_autodiff(void *, ...);

enum { N = 12, THREADS = 3 };

struct work {
  const double *x;
  int from, to;
  double sum;
};

static void *part(void *argument) {
  struct work *work = argument;
  for (int i = work->from; i < work->to; i++)
    work->sum += work->x[i] * work->x[i] * work->x[0];
  return NULL;
}

static double f(const double *x, int n) {
  pthread_t threads[THREADS];
  struct work work[THREADS];
  for (int k = 0; k < THREADS; k++) {
    work[k] = (struct work){x, k * n / THREADS, (k + 1) * n / THREADS, 0};
    pthread_create(&threads[k], NULL, part, &work[k]);
  }
  double product = 1;
  for (int k = 0; k < THREADS; k++) {
    pthread_join(threads[k], NULL);
    product *= work[k].sum;
  }
  return product;
}

int main(void) {
  double x[N], dx[N];
  for (int i = 0; i < N; i++) {
    x[i] = 0.4 + 0.13 * i;
    dx[i] = 0;
  }
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  int wrong = 0;
  for (int i = 0; i < N; i++) {
    const double h = 1e-5, at = x[i];
    x[i] = at + h;
    const double above = f(x, N);
    x[i] = at - h;
    const double below = f(x, N);
    x[i] = at;
    const double slope = (above - below) / (2 * h);
    if (!(fabs(slope - dx[i]) <= 1e-6 * (1 + fabs(slope)))) {
      printf("dx[%d] = %.12g, but the slope is %.12g\n", i, dx[i], slope);
      wrong = 1;
    }
  }
  return wrong;
}
