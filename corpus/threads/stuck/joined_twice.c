// A thread is joined a second time.
#include <pthread.h>
#include <stdio.h>

static void *work(void *unused) { return unused; }

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
  pthread_join(thread, NULL); //~ library
  printf("done\n");
  return 0;
}
