// A mutex is locked after it has been destroyed.
#include <pthread.h>
#include <stdio.h>

int main(void) {
  pthread_mutex_t lock;
  pthread_mutex_init(&lock, NULL);
  pthread_mutex_destroy(&lock);
  pthread_mutex_lock(&lock); //~ library
  printf("done\n");
  return 0;
}
