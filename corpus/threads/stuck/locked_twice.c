// A function locks what its caller holds.
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int value;

static void bump(void) {
  pthread_mutex_lock(&lock); //~ deadlock
  value++;
  pthread_mutex_unlock(&lock);
}

int main(void) {
  pthread_mutex_lock(&lock);
  bump();
  pthread_mutex_unlock(&lock);
  printf("%d\n", value);
  return 0;
}
