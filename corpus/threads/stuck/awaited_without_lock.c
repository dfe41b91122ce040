// A condition is awaited with a mutex that the thread does not hold.
#include <pthread.h>
#include <stdio.h>

int main(void) {
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
  pthread_cond_wait(&changed, &lock); //~ library
  printf("done\n");
  return 0;
}
