// Relaxed counters need no order among themselves; the join orders the final reads.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int all, even;
static _Atomic double sum;

static void *count(void *unused) {
  for (int i = 0; i < 20; i++) {
    atomic_fetch_add_explicit(&all, 1, memory_order_relaxed);
    if (i % 2 == 0)
      atomic_fetch_add_explicit(&even, 1, memory_order_relaxed);
    double old = atomic_load(&sum);
    while (!atomic_compare_exchange_weak(&sum, &old, old + 0.5))
      ;
  }
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, count, NULL);
  pthread_create(&second, NULL, count, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  printf("%d %d %g\n", all, even, sum);
  return 0;
}
