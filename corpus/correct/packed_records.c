// Packed records: numbers at odd addresses, beside bit fields and characters, copied whole, changed in place and read again.
#include "adj.h"
#include <stdio.h>

#pragma pack(push, 1)
struct record {
    unsigned kind : 3, count : 13;
    double weight;
    char tag;
    float gain;
};
#pragma pack(pop)

static double total(struct record *r, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
        struct record copy = r[i];
        if (copy.kind == 2)
            copy.weight *= 2;
        sum += copy.weight * copy.gain * copy.count;
        r[i] = copy;
    }
    for (int i = 0; i < n; i++)
        sum += r[i].weight * r[0].weight;
    return sum;
}

int main(void) {
    struct record r[3] = {{1, 2, 1.5, 'a', 0.5f}, {2, 3, 2.5, 'b', 1.5f}, {3, 4, 3.5, 'c', 2.5f}}, d[3] = {0};
    __enzyme_autodiff(total, r, d, 3);
    for (int i = 0; i < 3; i++)
        printf("%g %g\n", d[i].weight, (double)d[i].gain);
    return 0;
}
