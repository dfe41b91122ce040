// A number behind eight pointers, each in a structure of its own: no depth at which the types are given up.
#include "adj.h"
#include <math.h>
#include <stdio.h>

struct cell { double x, y; };
struct row { struct cell *in; double weight; };
struct block { struct row *in; long uses; };
struct grid { double shift; struct block *in; };
struct level { struct grid *in; };
struct mesh { long id; struct level *in; };
struct domain { struct mesh *in; float scale; };
struct model { struct domain *in; };

static double deep(struct model *model, int rounds) {
  double sum = 0.0;
  for (int i = 0; i < rounds; i++) {
    struct domain *domain = model->in;
    struct grid *grid = domain->in->in->in;
    struct row *row = grid->in->in;
    struct cell *cell = row->in;
    sum += sin(cell->x * row->weight) * cell->y + domain->scale * grid->shift;
    cell->y = 0.5 * sum + cell->x;
    grid->in->uses++;
  }
  return sum;
}

struct world {
  struct cell cell;
  struct row row;
  struct block block;
  struct grid grid;
  struct level level;
  struct mesh mesh;
  struct domain domain;
  struct model model;
};

static struct model *build(struct world *w, double by) {
  w->cell = (struct cell){0.3 * by, 1.2 * by};
  w->row = (struct row){&w->cell, 1.7 * by};
  w->block = (struct block){&w->row, 0};
  w->grid = (struct grid){0.4 * by, &w->block};
  w->level = (struct level){&w->grid};
  w->mesh = (struct mesh){7, &w->level};
  w->domain = (struct domain){&w->mesh, (float)(0.75 * by)};
  w->model = (struct model){&w->domain};
  return &w->model;
}

int main(void) {
  struct world w, dw;
  struct model *model = build(&w, 1.0), *dmodel = build(&dw, 0.0);
  __enzyme_autodiff((void *)deep, enzyme_dup, model, dmodel, enzyme_const, 3);
  printf("%.13g %.13g %.13g %.13g %.6g %ld\n", dw.cell.x, dw.cell.y, dw.row.weight, dw.grid.shift, dw.domain.scale, w.block.uses);
  return 0;
}
