// Before `main`, a second thread comes and goes: from then on every access is watched for races.
#include <pthread.h>
static void *nothing(void *p) { return p; }
__attribute__((constructor)) static void second_thread(void) {
  pthread_t thread;
  if (pthread_create(&thread, 0, nothing, 0) == 0)
    pthread_join(thread, 0);
}
