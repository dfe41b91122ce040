// The release fence stands behind the store that it should stand before.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static int data;
static atomic_int ready;

static void *send(void *unused) {
  data = 42; //~ race
  atomic_store_explicit(&ready, 1, memory_order_relaxed);
  atomic_thread_fence(memory_order_release);
  return unused;
}

static void *receive(void *unused) {
  while (!atomic_load_explicit(&ready, memory_order_relaxed))
    ;
  atomic_thread_fence(memory_order_acquire);
  printf("%d\n", data); //~ race
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, send, NULL);
  pthread_create(&second, NULL, receive, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
