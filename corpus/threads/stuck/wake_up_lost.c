// The waiter looks at the flag before it takes the mutex, and does not look again: the signal may come in between.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int ready;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *wait_for_it(void *unused) {
  if (!atomic_load(&ready)) {
    pthread_mutex_lock(&lock);
    pthread_cond_wait(&changed, &lock); //~ deadlock
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

static void *tell(void *unused) {
  atomic_store(&ready, 1);
  pthread_mutex_lock(&lock);
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, wait_for_it, NULL);
  pthread_create(&second, NULL, tell, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  printf("done\n");
  return 0;
}
