// A spin lock: taken with acquire, given back with release.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_flag taken = ATOMIC_FLAG_INIT;
static long total;

static void *add(void *unused) {
  for (int i = 0; i < 10; i++) {
    while (atomic_flag_test_and_set_explicit(&taken, memory_order_acquire))
      ;
    total += i;
    atomic_flag_clear_explicit(&taken, memory_order_release);
  }
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, add, NULL);
  pthread_create(&second, NULL, add, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  printf("%ld\n", total);
  return 0;
}
