// Tiles of an array that meet and do not overlap.
#include <pthread.h>
#include <stdio.h>

#define TILE 8
static int image[4 * TILE + 1];

struct tile {
  int from, to;
};

static void *brighten(void *argument) {
  const struct tile *tile = argument;
  for (int i = tile->from; i < tile->to; i++)
    image[i] += 10;
  return NULL;
}

int main(void) {
  pthread_t threads[4];
  struct tile tiles[4];
  for (int i = 0; i < 4; i++) {
    tiles[i].from = i * TILE;
    tiles[i].to = (i + 1) * TILE;
    pthread_create(&threads[i], NULL, brighten, &tiles[i]);
  }
  for (int i = 0; i < 4; i++)
    pthread_join(threads[i], NULL);
  printf("%d %d\n", image[0], image[4 * TILE - 1]);
  return 0;
}
