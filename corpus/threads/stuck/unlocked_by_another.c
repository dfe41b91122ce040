// One thread locks, another one unlocks.
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *unlock(void *unused) {
  pthread_mutex_unlock(&lock); //~ library
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_mutex_lock(&lock);
  pthread_create(&thread, NULL, unlock, NULL);
  pthread_join(thread, NULL);
  printf("done\n");
  return 0;
}
