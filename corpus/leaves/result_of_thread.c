// The bits as the result of a thread.
#include "bits.h"
#include <pthread.h>
static void *work(void *bits) { return bits; }
static void leave(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++) {
    pthread_t thread;
    void *result = 0;
    if (pthread_create(&thread, 0, work, (void *)(uintptr_t)bits_of(x[i])))
      return;
    pthread_join(thread, &result);
    y[i] = number_of((uint64_t)(uintptr_t)result);
  }
}
#include "judge.h"
