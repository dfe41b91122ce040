// std::string: growth, editing, searching, comparison, conversion, and the exceptions of positions out of range.
#include <algorithm>
#include <cstdio>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

static void show(const char *what, const std::string &s) {
    printf("%s: \"%s\" %zu of %zu\n", what, s.c_str(), s.size(), s.capacity());
}

static std::string join(const std::vector<std::string> &words, const std::string &between) {
    std::string out;
    for (size_t i = 0; i < words.size(); i++) {
        if (i)
            out += between;
        out += words[i];
    }
    return out;
}

static std::vector<std::string> split(const std::string &text, char at) {
    std::vector<std::string> out;
    size_t from = 0;
    for (;;) {
        size_t to = text.find(at, from);
        out.push_back(text.substr(from, to - from));
        if (to == std::string::npos)
            return out;
        from = to + 1;
    }
}

int main() {
    std::string a = "hello", b("world"), c = a + " " + b;
    show("sum", c);
    for (int i = 0; i < 40; i++)
        c.push_back((char)('a' + i % 26));
    show("grown", c);
    c.erase(5, 30).insert(2, "<>").replace(0, 1, "HHH");
    show("edited", c);
    c.append(3, '!').append("tail", 2).append(a, 1, 3);
    show("appended", c);
    std::string d = c.substr(3, 8), e(5, 'e'), f;
    f.assign(d, 2, 4);
    f.resize(9, '.');
    f.pop_back();
    show("part", f);
    std::swap(d, e);
    d.swap(c);
    show("swapped", c);
    show("swapped", d);
    std::string moved = std::move(d);
    moved.reserve(200);
    show("moved", moved);
    moved.clear();
    moved.insert(moved.begin(), 'k');
    show("cleared", moved);
    const std::string text = "the quick brown fox jumps over the lazy dog";
    printf("%zu %zu %zu %zu\n", text.find("the", 1), text.rfind("the"), text.find('q'), text.find("cat") + 1);
    printf("%zu %zu %zu %zu\n", text.find_first_of("xyz"), text.find_last_of("aeiou"), text.find_first_not_of("the "), text.find_last_not_of("dog"));
    printf("%d %d %d %d\n", a < b, a == "hello", a.compare("help") < 0, text.compare(4, 5, "quick"));
    std::vector<std::string> words = split(text, ' ');
    std::sort(words.begin(), words.end());
    words.erase(std::unique(words.begin(), words.end()), words.end());
    printf("%s\n", join(words, ", ").c_str());
    std::map<std::string, int> lengths;
    for (const std::string &word : words)
        lengths[word] += (int)word.size();
    for (const auto &entry : lengths)
        printf("%s=%d ", entry.first.c_str(), entry.second);
    printf("\n");
    std::string numbers = std::to_string(42) + "/" + std::to_string(-7L) + "/" + std::to_string(2.5);
    printf("%s %d %ld %g\n", numbers.c_str(), std::stoi("17"), std::stol("-99"), std::stod("6.25e2"));
    for (const char *bad : {"x", "99999999999"}) {
        try {
            printf("%d\n", std::stoi(bad));
        } catch (const std::exception &why) {
            printf("%s: %s\n", bad, why.what());
        }
    }
    try {
        printf("%s\n", a.substr(9).c_str());
    } catch (const std::out_of_range &why) {
        printf("%s\n", why.what());
    }
    try {
        a.at(5) = 'x';
    } catch (const std::out_of_range &why) {
        printf("%s\n", why.what());
    }
    std::string reversed(text.rbegin(), text.rend());
    std::transform(reversed.begin(), reversed.end(), reversed.begin(), [](char ch) { return ch == ' ' ? '_' : ch; });
    printf("%s\n", reversed.c_str());
    return 0;
}
