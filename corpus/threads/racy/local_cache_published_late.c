// Each thread collects in a cache of its own and adds it to the total at the end, without the lock that guards the total.
#include <pthread.h>
#include <stdio.h>

static _Thread_local int cache[4];
static int total[4];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *count(void *argument) {
  int from = *(int *)argument;
  for (int i = 0; i < 10; i++)
    cache[(from + i) % 4]++;
  pthread_mutex_lock(&lock);
  total[0] += cache[0];
  pthread_mutex_unlock(&lock);
  for (int k = 1; k < 4; k++)
    total[k] += cache[k]; //~ race
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  int from[3] = {0, 1, 2};
  for (int i = 0; i < 3; i++)
    pthread_create(&threads[i], NULL, count, &from[i]);
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], NULL);
  printf("%d\n", total[0]);
  return 0;
}
