// What trylock answers decides only whether the lock is given back, not whether the work is done.
#include <pthread.h>
#include <stdio.h>

static int total;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *add(void *unused) {
  for (int i = 0; i < 10; i++) {
    int busy = pthread_mutex_trylock(&lock);
    total += i; //~ race
    if (!busy)
      pthread_mutex_unlock(&lock);
  }
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, add, NULL);
  pthread_create(&second, NULL, add, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  printf("%d\n", total > 0);
  return 0;
}
