/* The energy with which a ligand binds to a protein, for many poses of the ligand.
 *
 * A pose is three angles, with which the ligand is turned, and a translation. For each pair of an atom of the ligand
 * and one of the protein the energy is the sum of three terms, as in the empirical free-energy force fields of
 * virtual screening (McIntosh-Smith et al., "High performance in silico virtual drug screening on many-core
 * processors", 2015): steric repulsion, linear within the sum of both radii; electrostatics, damped linearly to zero
 * at a cut-off; and desolvation, constant in contact and damped linearly to zero at a cut-off. */
#ifndef DOCKING_H
#define DOCKING_H

#define THREADS_STEP 1e-7
#include "adj.h"
#include "threads.h"

#define CHARGE_CUTOFF 4.0
#define SOLVATION_CUTOFF 5.5
#define COULOMB 45.0
#define HARDNESS 38.0

enum { KINDS = 8, COORDINATES = 6 };

struct atom {
  double x, y, z;
  int kind;
};

struct kind {
  double radius, hardness, hydrophobicity, charge;
};

struct molecules {
  int protein_atoms, ligand_atoms;
  struct atom *protein, *ligand;
  struct kind *kinds;
};

static double pair_energy(const struct kind *p, const struct kind *l, double distance) {
  const double contact = p->radius + l->radius;
  const double gap = distance - contact;
  double energy = 0.0;
  if (gap < 0.0) energy += (1.0 - distance / contact) * (HARDNESS + p->hardness + l->hardness);
  if (gap < CHARGE_CUTOFF) {
    const double damping = gap < 0.0 ? 1.0 : 1.0 - gap / CHARGE_CUTOFF;
    energy += COULOMB * p->charge * l->charge * damping;
  }
  if (gap < SOLVATION_CUTOFF) {
    const double damping = gap < 0.0 ? 1.0 : 1.0 - gap / SOLVATION_CUTOFF;
    energy += (p->hydrophobicity + l->hydrophobicity) * damping;
  }
  return energy;
}

static double pose_energy(const struct molecules *m, const double *pose) {
  const double sx = sin(pose[0]), cx = cos(pose[0]);
  const double sy = sin(pose[1]), cy = cos(pose[1]);
  const double sz = sin(pose[2]), cz = cos(pose[2]);
  const double turn[3][3] = {
      {cy * cz, sx * sy * cz - cx * sz, cx * sy * cz + sx * sz},
      {cy * sz, sx * sy * sz + cx * cz, cx * sy * sz - sx * cz},
      {-sy, sx * cy, cx * cy},
  };
  double energy = 0.0;
  for (int l = 0; l < m->ligand_atoms; l++) {
    const struct atom a = m->ligand[l];
    const double x = turn[0][0] * a.x + turn[0][1] * a.y + turn[0][2] * a.z + pose[3];
    const double y = turn[1][0] * a.x + turn[1][1] * a.y + turn[1][2] * a.z + pose[4];
    const double z = turn[2][0] * a.x + turn[2][1] * a.y + turn[2][2] * a.z + pose[5];
    for (int p = 0; p < m->protein_atoms; p++) {
      const struct atom b = m->protein[p];
      const double dx = x - b.x, dy = y - b.y, dz = z - b.z;
      energy += pair_energy(&m->kinds[b.kind], &m->kinds[a.kind], sqrt(dx * dx + dy * dy + dz * dz));
    }
  }
  return 0.5 * energy;
}

static void dock(const struct molecules *m, const double *poses, double *energies, int n);

/* As many atoms as a small test system has; the size is the number of poses. */
static struct molecules molecules;
static int poses_count;
static double *poses, *dposes, *energies, *denergies;

static struct atom *atoms(int n, double extent) {
  struct atom *a = (struct atom *)threads_array(n, sizeof *a);
  for (int i = 0; i < n; i++) {
    a[i].x = extent * threads_uniform();
    a[i].y = extent * threads_uniform();
    a[i].z = extent * threads_uniform();
    a[i].kind = (int)(4.0 * (threads_uniform() + 1.0));
  }
  return a;
}

static void threads_setup(long size) {
  const int small = size < 16;
  molecules.protein_atoms = small ? 12 : 384;
  molecules.ligand_atoms = small ? 4 : 26;
  molecules.protein = atoms(molecules.protein_atoms, small ? 4.0 : 16.0);
  molecules.ligand = atoms(molecules.ligand_atoms, small ? 2.0 : 4.0);
  molecules.kinds = (struct kind *)threads_array(KINDS, sizeof(struct kind));
  for (int k = 0; k < KINDS; k++) {
    molecules.kinds[k].radius = 1.6 + 0.4 * threads_uniform();
    molecules.kinds[k].hardness = 4.0 * threads_uniform();
    molecules.kinds[k].hydrophobicity = 2.0 * threads_uniform();
    molecules.kinds[k].charge = 0.4 * threads_uniform();
  }
  poses_count = (int)size;
  poses = (double *)threads_array(COORDINATES * size, sizeof(double));
  dposes = (double *)threads_array(COORDINATES * size, sizeof(double));
  energies = (double *)threads_array(size, sizeof(double));
  denergies = (double *)threads_array(size, sizeof(double));
  for (long i = 0; i < COORDINATES * size; i++) poses[i] = (i % COORDINATES < 3 ? 3.1 : 6.0) * threads_uniform();
}

static double threads_primal(void) {
  double sum = 0.0;
  dock(&molecules, poses, energies, poses_count);
  for (int i = 0; i < poses_count; i++) sum += energies[i];
  return sum;
}

static void threads_gradient(void) {
  memset(dposes, 0, sizeof(double) * (size_t)(COORDINATES * poses_count));
  for (int i = 0; i < poses_count; i++) denergies[i] = 1.0;
#ifdef __cplusplus
  __enzyme_autodiff<void>((void *)dock, enzyme_const, &molecules, enzyme_dup, poses, dposes, enzyme_dup, energies,
                          denergies, enzyme_const, poses_count);
#else
  __enzyme_autodiff((void *)dock, enzyme_const, &molecules, enzyme_dup, poses, dposes, enzyme_dup, energies, denergies,
                    enzyme_const, poses_count);
#endif
}

static long threads_length(void) { return (long)COORDINATES * poses_count; }
static double *threads_input(long i) { return &poses[i]; }
static double threads_scale(long i) { return i < 0 ? 0.0 : 1.0; }
static const double *threads_result(long i) { return &dposes[i]; }

#endif
