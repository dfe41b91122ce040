// Readers take the present version of a table through an atomic pointer; the writer keeps old ones until the readers are gone.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

struct table {
  int version, value;
  struct table *older;
};
static _Atomic(struct table *) present;

static void *read_often(void *result) {
  int *wrong = result;
  for (int i = 0; i < 10; i++) {
    struct table *table = atomic_load_explicit(&present, memory_order_acquire);
    *wrong += table->value != table->version * 10;
  }
  return NULL;
}

static struct table *make(int version, struct table *older) {
  struct table *table = malloc(sizeof *table);
  table->version = version;
  table->value = version * 10;
  table->older = older;
  return table;
}

int main(void) {
  pthread_t readers[2];
  int wrong[2] = {0, 0};
  struct table *newest = make(1, NULL);
  atomic_store(&present, newest);
  for (int i = 0; i < 2; i++)
    pthread_create(&readers[i], NULL, read_often, &wrong[i]);
  for (int version = 2; version < 8; version++) {
    newest = make(version, newest);
    atomic_store_explicit(&present, newest, memory_order_release);
  }
  for (int i = 0; i < 2; i++)
    pthread_join(readers[i], NULL);
  printf("%d %d\n", wrong[0] + wrong[1], newest->version);
  while (newest != NULL) {
    struct table *older = newest->older;
    free(newest);
    newest = older;
  }
  return 0;
}
