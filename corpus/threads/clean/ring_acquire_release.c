// A ring with one producer and one consumer: each index publishes what its owner has done.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

enum { SIZE = 4, ITEMS = 12 };
static int slots[SIZE];
static atomic_uint head, tail;

static void *produce(void *unused) {
  for (unsigned i = 0; i < ITEMS; i++) {
    while (i - atomic_load_explicit(&tail, memory_order_acquire) == SIZE)
      ;
    slots[i % SIZE] = (int)i * 3;
    atomic_store_explicit(&head, i + 1, memory_order_release);
  }
  return unused;
}

int main(void) {
  pthread_t producer;
  int sum = 0;
  pthread_create(&producer, NULL, produce, NULL);
  for (unsigned i = 0; i < ITEMS; i++) {
    while (atomic_load_explicit(&head, memory_order_acquire) == i)
      ;
    sum += slots[i % SIZE];
    atomic_store_explicit(&tail, i + 1, memory_order_release);
  }
  pthread_join(producer, NULL);
  printf("%d\n", sum);
  return 0;
}
