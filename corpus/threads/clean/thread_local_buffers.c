// Each thread formats into a buffer and a counter of its own.
#include <pthread.h>
#include <stdio.h>

static _Thread_local char buffer[32];
static _Thread_local int used;
static char results[3][32];

static const char *format(int number) {
  used += snprintf(buffer + used, sizeof buffer - used, "<%d>", number);
  return buffer;
}

static void *work(void *argument) {
  int number = *(int *)argument;
  format(number);
  snprintf(results[number], sizeof results[number], "%s", format(number * 10));
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  int numbers[3] = {0, 1, 2};
  for (int i = 0; i < 3; i++)
    pthread_create(&threads[i], NULL, work, &numbers[i]);
  for (int i = 0; i < 3; i++) {
    pthread_join(threads[i], NULL);
    printf("%s\n", results[i]);
  }
  printf("%d\n", used);
  return 0;
}
