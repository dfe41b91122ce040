// A sequence lock whose data is atomic and relaxed, with fences (Boehm, "Can seqlocks get along with programming language memory models?").
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_uint sequence;
static atomic_int low, high;

static void *write_pairs(void *unused) {
  for (int i = 1; i <= 5; i++) {
    unsigned now = atomic_load_explicit(&sequence, memory_order_relaxed);
    atomic_store_explicit(&sequence, now + 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&low, i, memory_order_relaxed);
    atomic_store_explicit(&high, 10 * i, memory_order_relaxed);
    atomic_store_explicit(&sequence, now + 2, memory_order_release);
  }
  return unused;
}

static void *read_pairs(void *unused) {
  int good = 0;
  while (good < 3) {
    unsigned before = atomic_load_explicit(&sequence, memory_order_acquire);
    int a = atomic_load_explicit(&low, memory_order_relaxed);
    int b = atomic_load_explicit(&high, memory_order_relaxed);
    atomic_thread_fence(memory_order_acquire);
    unsigned after = atomic_load_explicit(&sequence, memory_order_relaxed);
    if (before == after && before % 2 == 0) {
      if (b != 10 * a)
        printf("torn\n");
      good++;
    }
  }
  printf("%d\n", good);
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, write_pairs, NULL);
  pthread_create(&second, NULL, read_pairs, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
