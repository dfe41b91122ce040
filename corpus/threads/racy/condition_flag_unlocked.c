// The waiter holds the mutex when it looks at the flag; the other thread sets the flag without it.
#include <pthread.h>
#include <stdio.h>

static int open_for_business;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *wait_for_opening(void *unused) {
  pthread_mutex_lock(&lock);
  while (!open_for_business) //~ race
    pthread_cond_wait(&changed, &lock);
  pthread_mutex_unlock(&lock);
  return unused;
}

static void *open_up(void *unused) {
  open_for_business = 1; //~ race
  pthread_mutex_lock(&lock);
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, wait_for_opening, NULL);
  pthread_create(&second, NULL, open_up, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  printf("done\n");
  return 0;
}
