// Two teams, each with a row of its own; iterations shared out among them, in blocks and in chunks.
// adj-flags: -fopenmp
#include <omp.h>
#include <stdio.h>

enum { ROW = 8 };

int main(void) {
  int rows[2][ROW] = {{0}}, owner[ROW], teams = 0, alone = 0;
#pragma omp teams num_teams(2) reduction(+ : alone)
  {
    int *row = rows[omp_get_team_num()];
    alone += omp_get_num_threads() == 1 && omp_get_thread_num() == 0 && !omp_in_parallel();
    if (omp_get_team_num() == 0)
      teams = omp_get_num_teams();
#pragma omp parallel for num_threads(2)
    for (int i = 0; i < ROW; i++)
      row[i] = 10 * omp_get_team_num() + i;
  }
#pragma omp teams num_teams(2)
#pragma omp distribute dist_schedule(static, 3)
  for (int i = 0; i < ROW; i++)
    owner[i] = omp_get_team_num();
  printf("%d %d\n", teams, alone);
  for (int i = 0; i < ROW; i++)
    printf("%d %d %d\n", rows[0][i], rows[1][i], owner[i]);
  return 0;
}
