// A table is read by two threads and changed by a third, under a read-write lock.
#include <pthread.h>
#include <stdio.h>

static int table[8];
static int good[2];
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *change(void *unused) {
  for (int step = 1; step <= 5; step++) {
    pthread_rwlock_wrlock(&lock);
    for (int i = 0; i < 8; i++)
      table[i] = step;
    pthread_rwlock_unlock(&lock);
  }
  return unused;
}

static void *read_all(void *which) {
  int uniform = 1;
  for (int round = 0; round < 5; round++) {
    pthread_rwlock_rdlock(&lock);
    for (int i = 1; i < 8; i++)
      uniform &= table[i] == table[0];
    pthread_rwlock_unlock(&lock);
  }
  *(int *)which = uniform;
  return NULL;
}

int main(void) {
  pthread_t writer, readers[2];
  pthread_create(&writer, NULL, change, NULL);
  for (int i = 0; i < 2; i++)
    pthread_create(&readers[i], NULL, read_all, &good[i]);
  pthread_join(writer, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(readers[i], NULL);
  printf("%d %d %d\n", good[0], good[1], table[3]);
  pthread_rwlock_destroy(&lock);
  return 0;
}
