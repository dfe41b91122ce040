// What cannot be done at once, because the lock is taken, is done later.
#include <pthread.h>
#include <stdio.h>

static int total;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *add(void *unused) {
  int kept = 0;
  for (int i = 0; i < 10; i++) {
    kept += i;
    if (pthread_mutex_trylock(&lock) == 0) {
      total += kept;
      kept = 0;
      pthread_mutex_unlock(&lock);
    }
  }
  pthread_mutex_lock(&lock);
  total += kept;
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, add, NULL);
  pthread_create(&second, NULL, add, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  printf("%d\n", total);
  return 0;
}
