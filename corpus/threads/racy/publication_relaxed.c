// The data is published by a relaxed store: atomic, but it orders nothing.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static double message[2];
static atomic_int ready;

static void *send(void *unused) {
  message[0] = 1.5; //~ race
  message[1] = 2.5; //~ race
  atomic_store_explicit(&ready, 1, memory_order_relaxed);
  return unused;
}

static void *receive(void *unused) {
  while (!atomic_load_explicit(&ready, memory_order_relaxed))
    ;
  printf("%g\n", message[0] + message[1]); //~ race
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
