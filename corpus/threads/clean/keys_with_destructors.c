// Thread-specific data: each thread's block is freed by the key's destructor when the thread ends.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_key_t key;
static int freed;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void give_back(void *block) {
  pthread_mutex_lock(&lock);
  freed += *(int *)block;
  pthread_mutex_unlock(&lock);
  free(block);
}

static void *work(void *argument) {
  int *block = malloc(sizeof *block);
  *block = *(int *)argument;
  pthread_setspecific(key, block);
  *(int *)pthread_getspecific(key) *= 2;
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  int numbers[3] = {1, 10, 100};
  pthread_key_create(&key, give_back);
  for (int i = 0; i < 3; i++)
    pthread_create(&threads[i], NULL, work, &numbers[i]);
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], NULL);
  printf("%d\n", freed);
  pthread_key_delete(key);
  return 0;
}
