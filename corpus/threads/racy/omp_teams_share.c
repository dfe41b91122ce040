// The teams of a league do not wait for each other: both add to one number.
// adj-flags: -fopenmp
#include <omp.h>
#include <stdio.h>

int main(void) {
  int sum = 0, rows[2] = {0, 0};
#pragma omp teams num_teams(2)
  {
    int team = omp_get_team_num();
    for (int i = 0; i < 4; i++)
      rows[team] += i;
    sum += rows[team]; //~ race
  }
  printf("%d\n", sum > 0);
  return 0;
}
