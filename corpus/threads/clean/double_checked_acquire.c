// Double-checked initialisation: the first look is an acquire load, the pointer is stored with release.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static _Atomic(int *) table;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int *get(void) {
  int *found = atomic_load_explicit(&table, memory_order_acquire);
  if (!found) {
    pthread_mutex_lock(&lock);
    found = atomic_load_explicit(&table, memory_order_relaxed);
    if (!found) {
      found = malloc(4 * sizeof *found);
      for (int i = 0; i < 4; i++)
        found[i] = i * i;
      atomic_store_explicit(&table, found, memory_order_release);
    }
    pthread_mutex_unlock(&lock);
  }
  return found;
}

static void *use(void *sum) {
  for (int i = 0; i < 4; i++)
    *(int *)sum += get()[i];
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  int sums[3] = {0, 0, 0};
  for (int i = 0; i < 3; i++)
    pthread_create(&threads[i], NULL, use, &sums[i]);
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], NULL);
  printf("%d %d %d\n", sums[0], sums[1], sums[2]);
  free(table);
  return 0;
}
