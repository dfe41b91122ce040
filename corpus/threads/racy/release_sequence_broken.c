// A relaxed store of another thread ends the release sequence: who reads 2 knows nothing of what thread one wrote.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static int data;
static atomic_int stage;

static void *one(void *unused) {
  data = 7; //~ race
  atomic_store_explicit(&stage, 1, memory_order_release);
  return unused;
}

static void *two(void *unused) {
  while (atomic_load_explicit(&stage, memory_order_relaxed) != 1)
    ;
  atomic_store_explicit(&stage, 2, memory_order_relaxed);
  return unused;
}

static void *three(void *unused) {
  while (atomic_load_explicit(&stage, memory_order_acquire) != 2)
    ;
  printf("%d\n", data); //~ race
  return unused;
}

int main(void) {
  pthread_t threads[3];
  void *(*functions[3])(void *) = {one, two, three};
  for (int i = 0; i < 3; i++)
    pthread_create(&threads[i], NULL, functions[i], NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
