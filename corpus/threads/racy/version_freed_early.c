// Readers take the present version of a table through an atomic pointer; the writer frees the old one at once.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

struct table {
  int version, value;
};
static _Atomic(struct table *) present;

static void *read_often(void *result) {
  int *sum = result;
  for (int i = 0; i < 10; i++) {
    struct table *table = atomic_load(&present);
    *sum += table->value; //~ race
  }
  return NULL;
}

static struct table *make(int version) {
  struct table *table = malloc(sizeof *table);
  table->version = version;
  table->value = version * 10;
  return table;
}

int main(void) {
  pthread_t reader;
  int sum = 0;
  atomic_store(&present, make(1));
  pthread_create(&reader, NULL, read_often, &sum);
  for (int version = 2; version < 8; version++)
    free(atomic_exchange(&present, make(version))); //~ race
  pthread_join(reader, NULL);
  free(atomic_load(&present));
  printf("%d\n", sum > 0);
  return 0;
}
