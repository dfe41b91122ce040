// The bits in a slot of the thread, as a pointer.
#include "bits.h"
#include <pthread.h>
static void leave(const double *x, double *y, int n) {
  pthread_key_t key;
  if (pthread_key_create(&key, 0))
    return;
  for (int i = 0; i < n; i++) {
    pthread_setspecific(key, (void *)(uintptr_t)bits_of(x[i]));
    y[i] = number_of((uint64_t)(uintptr_t)pthread_getspecific(key));
  }
  pthread_key_delete(key);
}
#include "judge.h"
