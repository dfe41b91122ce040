// Bit-fields in the same word as padding, structures copied whole, and a number picked by the tag.
#include "adj.h"

struct sample {
  signed level : 5;
  unsigned valid : 1;
  unsigned : 0;
  short channel;
  double reading;
};

static struct sample calibrated(struct sample s, const double *gain) {
  s.reading = s.reading * gain[s.channel] + s.level;
  s.valid = s.reading > 0.0;
  return s;
}

static double mean(const struct sample *in, int n, const double *gain) {
  struct sample kept[8];
  int count = 0;
  for (int i = 0; i < n; i++) {
    struct sample s = calibrated(in[i], gain);
    if (s.valid) kept[count++] = s;
  }
  double sum = 0.0;
  for (int i = 0; i < count; i++) sum += kept[i].reading * kept[i].reading;
  return count ? sum / count : 0.0;
}

int main(void) {
  struct sample in[4] = {{3, 0, 0, 0.5}, {-2, 0, 1, 4.0}, {-8, 1, 1, 0.25}, {1, 0, 0, 1.5}}, din[4] = {{0}};
  double gain[2] = {1.25, 0.75}, dgain[2] = {0};
  __enzyme_autodiff((void *)mean, enzyme_dup, in, din, enzyme_const, 4, enzyme_dup, gain, dgain);
  return dgain[0] != 0.0 ? 0 : 1;
}
