// A sequence lock whose data is plain: the reader throws torn values away, but the reads race all the same.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_uint sequence;
static int low, high;

static void *write_pairs(void *unused) {
  for (int i = 1; i <= 5; i++) {
    unsigned now = atomic_load_explicit(&sequence, memory_order_relaxed);
    atomic_store_explicit(&sequence, now + 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    low = i; //~ race
    high = 10 * i; //~ race
    atomic_store_explicit(&sequence, now + 2, memory_order_release);
  }
  return unused;
}

static void *read_pairs(void *unused) {
  int good = 0;
  while (good < 3) {
    unsigned before = atomic_load_explicit(&sequence, memory_order_acquire);
    int a = low; //~ race
    int b = high; //~ race
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
