// std::map, std::set, std::list, std::unordered_map: insertion, erasure, iteration both ways, and the order of hashing.
#include <cstdio>
#include <list>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

static unsigned state = 12345;
static unsigned next_random(unsigned bound) {
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % bound;
}

static void trees() {
    std::map<int, double> ages;
    std::multiset<int> bag;
    for (int i = 0; i < 400; i++) {
        int key = (int)next_random(300);
        ages[key] += 0.5 * i;
        bag.insert((int)next_random(40));
        if (i % 3 == 0)
            ages.erase((int)next_random(300));
        if (i % 5 == 0) {
            auto it = bag.find((int)next_random(40));
            if (it != bag.end())
                bag.erase(it);
        }
    }
    double sum = 0;
    int order = 1, last = -1;
    for (const auto &entry : ages) {
        order &= entry.first > last;
        last = entry.first;
        sum += entry.first * entry.second;
    }
    printf("map: %zu entries, ordered %d, sum %.3f\n", ages.size(), order, sum);
    int shown = 0;
    for (auto it = ages.rbegin(); it != ages.rend() && shown < 5; ++it, ++shown)
        printf("  %d -> %.2f\n", it->first, it->second);
    auto low = ages.lower_bound(100), high = ages.upper_bound(200);
    int between = 0;
    for (auto it = low; it != high; ++it)
        between++;
    printf("between 100 and 200: %d\n", between);
    printf("multiset: %zu, of 7: %zu\n", bag.size(), bag.count(7));
    while (!ages.empty())
        ages.erase(ages.begin());
    std::set<long> squares;
    for (long i = 50; i > 0; i--)
        squares.insert(i * i % 101);
    auto it = squares.end();
    long back = 0;
    do {
        --it;
        back = back * 3 % 1000003 + *it;
    } while (it != squares.begin());
    printf("set: %zu, backwards %ld\n", squares.size(), back);
}

static void lists() {
    std::list<int> a, b;
    for (int i = 0; i < 20; i++) {
        a.push_back((int)next_random(50));
        b.push_front((int)next_random(50));
    }
    a.sort();
    b.sort();
    a.merge(b);
    a.reverse();
    a.remove_if([](int x) { return x % 3 == 0; });
    a.unique();
    b.splice(b.begin(), a, std::next(a.begin()), a.end());
    b.swap(a);
    for (int x : a)
        printf("%d ", x);
    printf("| %zu %zu\n", a.size(), b.size());
}

static void tables() {
    std::unordered_map<int, int> counts;
    for (int i = 0; i < 300; i++)
        counts[(int)next_random(90) * 7]++;
    printf("buckets %zu, entries %zu\n", counts.bucket_count(), counts.size());
    int shown = 0;
    for (const auto &entry : counts) {
        if (shown++ == 12)
            break;
        printf("%d:%d ", entry.first, entry.second);
    }
    printf("\n");
    std::unordered_set<unsigned long> seen;
    seen.reserve(1000);
    printf("reserved %zu\n", seen.bucket_count());
    for (unsigned long i = 1; i < 2000; i++)
        seen.insert(i * i % 997);
    printf("seen %zu in %zu\n", seen.size(), seen.bucket_count());
    seen.max_load_factor(0.25f);
    seen.insert(5000);
    seen.rehash(0);
    printf("load %.4f in %zu\n", (double)seen.load_factor(), seen.bucket_count());
}

int main() {
    trees();
    lists();
    tables();
    return 0;
}
