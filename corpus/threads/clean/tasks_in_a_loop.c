// Fork and join: a task for each row, detached in a loop and synced once a sweep; rows of the next sweep read their neighbours.
#define ADJ_TASKS
#include "adj.h"
#include <stdio.h>

enum { ROWS = 5, WIDTH = 6 };
static double grid[2][ROWS][WIDTH];

struct row {
  int sweep, at;
};

static void relax(void *data) {
  const struct row *row = data;
  double(*old)[WIDTH] = grid[row->sweep % 2], (*new)[WIDTH] = grid[(row->sweep + 1) % 2];
  for (int j = 0; j < WIDTH; j++) {
    int up = row->at > 0 ? row->at - 1 : row->at, down = row->at + 1 < ROWS ? row->at + 1 : row->at;
    new[row->at][j] = 0.5 * old[row->at][j] + 0.25 * (old[up][j] + old[down][j]);
  }
}

int main(void) {
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < WIDTH; j++)
      grid[0][i][j] = i * WIDTH + j;
  for (int sweep = 0; sweep < 4; sweep++) {
    struct adj_region region;
    struct row rows[ROWS];
    for (int i = 0; i < ROWS; i++) {
      rows[i] = (struct row){sweep, i};
      __adj_detach(&region, relax, &rows[i]);
    }
    __adj_sync(&region);
  }
  printf("%.17g %.17g\n", grid[0][0][0], grid[0][4][5]);
  return 0;
}
