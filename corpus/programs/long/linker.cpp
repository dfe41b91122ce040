// A linker for a toy machine: an assembler for object files in text, archives, symbol resolution with weak, local and common symbols, layout of
// sections, relocations, dead-section removal, a map file, and a machine that runs the linked image.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <iomanip>
#include <iostream>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

// ---- errors ----

class LinkError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

class AssemblyError : public LinkError {
public:
    AssemblyError(const std::string &file, int line, const std::string &what) : LinkError(file + ":" + std::to_string(line) + ": " + what) {}
};

// ---- objects ----

enum class Binding { Local, Global, Weak };
enum class RelocationKind { Absolute, Relative };

struct Relocation {
    size_t offset; // of the word in its section
    RelocationKind kind;
    std::string symbol;
    int64_t addend;
};

struct Section {
    std::string name;
    std::vector<int64_t> words;
    std::vector<Relocation> relocations;
    bool kept = false;
    uint64_t address = 0;
};

struct Symbol {
    std::string name;
    Binding binding = Binding::Local;
    Section *section = nullptr; // null if undefined or common
    size_t offset = 0;
    size_t common = 0; // size of a common symbol
    bool defined() const { return section || common; }
};

struct Object {
    std::string name;
    std::list<Section> sections; // addresses of sections stay
    std::map<std::string, Symbol> symbols;
};

using Archive = std::vector<std::string>; // texts of objects
// ---- the machine's instructions: an opcode word, and for some an operand word ----

enum Op : int64_t { HALT, PUSH, LOAD, STORE, ADD, SUB, MUL, LESS, JUMP, BRANCH, CALL, RET, PRINT, DUP, SWAP, OPS };

static const std::unordered_map<std::string, std::pair<Op, bool>> &mnemonics() {
    static const std::unordered_map<std::string, std::pair<Op, bool>> table{
        {"halt", {HALT, false}}, {"push", {PUSH, true}}, {"load", {LOAD, true}},   {"store", {STORE, true}}, {"add", {ADD, false}},
        {"sub", {SUB, false}},   {"mul", {MUL, false}},  {"less", {LESS, false}},  {"jump", {JUMP, true}},   {"branch", {BRANCH, true}},
        {"call", {CALL, true}},  {"ret", {RET, false}},  {"print", {PRINT, false}}, {"dup", {DUP, false}},    {"swap", {SWAP, false}}};
    return table;
}

// ---- assembler ----

class Assembler {
public:
    explicit Assembler(std::string name) { object.name = std::move(name); }

    Object assemble(const std::string &text) {
        std::istringstream lines(text);
        std::string line;
        while (std::getline(lines, line)) {
            number++;
            if (size_t comment = line.find(';'); comment != std::string::npos)
                line.erase(comment);
            std::istringstream words(line);
            std::string word;
            if (!(words >> word))
                continue;
            if (word.back() == ':') {
                define(word.substr(0, word.size() - 1));
                if (!(words >> word))
                    continue;
            }
            if (word[0] == '.')
                directive(word, words);
            else
                instruction(word, words);
            if (words >> word)
                fail("unexpected " + word);
        }
        for (auto &[symbol, binding] : declared) {
            Symbol &s = object.symbols[symbol];
            s.name = symbol;
            s.binding = binding;
        }
        return std::move(object);
    }

private:
    Object object;
    Section *current = nullptr;
    int number = 0;
    std::map<std::string, Binding> declared;

    [[noreturn]] void fail(const std::string &what) const { throw AssemblyError(object.name, number, what); }

    void define(const std::string &symbol) {
        if (!current)
            fail("a label outside of sections");
        Symbol &s = object.symbols[symbol];
        if (s.defined())
            fail(symbol + " is defined twice");
        s.name = symbol;
        s.section = current;
        s.offset = current->words.size();
    }
    void directive(const std::string &word, std::istringstream &words) {
        std::string name;
        if (word == ".section") {
            if (!(words >> name))
                fail("a section needs a name");
            auto found = std::find_if(object.sections.begin(), object.sections.end(), [&](const Section &s) { return s.name == name; });
            if (found == object.sections.end())
                found = object.sections.insert(found, Section{name, {}, {}, false, 0});
            current = &*found;
        } else if (word == ".global" || word == ".weak") {
            while (words >> name)
                declared[name] = word == ".weak" ? Binding::Weak : Binding::Global;
        } else if (word == ".common") {
            size_t size = 0;
            if (!(words >> name >> size) || size == 0)
                fail("a common symbol needs a name and a size");
            object.symbols[name] = Symbol{name, Binding::Global, nullptr, 0, size};
            declared[name] = Binding::Global;
        } else if (word == ".word") {
            while (words >> name)
                operand(name, RelocationKind::Absolute);
        } else {
            fail("unknown directive " + word);
        }
    }
    void instruction(const std::string &word, std::istringstream &words) {
        auto found = mnemonics().find(word);
        if (found == mnemonics().end())
            fail("unknown instruction " + word);
        if (!current)
            fail("an instruction outside of sections");
        auto [op, has_operand] = found->second;
        current->words.push_back(op);
        std::string text;
        if (!has_operand)
            return;
        if (!(words >> text))
            fail(word + " needs an operand");
        operand(text, op == JUMP || op == BRANCH || op == CALL ? RelocationKind::Relative : RelocationKind::Absolute);
    }
    // A number, or a symbol with or without a distance, as in table+3.
    void operand(const std::string &text, RelocationKind kind) {
        if (!current)
            fail("data outside of sections");
        size_t used = 0;
        try {
            int64_t value = std::stoll(text, &used);
            if (used == text.size()) {
                current->words.push_back(value);
                return;
            }
            fail("a malformed number " + text);
        } catch (const std::invalid_argument &) {
        }
        size_t plus = text.find_first_of("+-", 1);
        int64_t addend = plus == std::string::npos ? 0 : std::stoll(text.substr(plus));
        current->relocations.push_back({current->words.size(), kind, text.substr(0, plus), addend});
        current->words.push_back(0);
    }
};

static Object assemble(const std::string &name, const std::string &text) { return Assembler(name).assemble(text); }

// ---- linker ----

struct Image {
    std::vector<int64_t> memory;
    uint64_t entry = 0;
    std::map<std::string, uint64_t> symbols;
    std::string map;
    size_t removed = 0;
};

class Linker {
public:
    void add(Object object) { objects.push_back(std::make_unique<Object>(std::move(object))); }
    void add_archive(const std::string &name, const Archive &archive) {
        std::vector<std::unique_ptr<Object>> members;
        for (size_t k = 0; k < archive.size(); k++)
            members.push_back(std::make_unique<Object>(assemble(name + "(" + std::to_string(k) + ")", archive[k])));
        // Members are taken while they define something that is wanted.
        resolve();
        for (bool changed = true; changed;) {
            changed = false;
            for (auto &member : members) {
                if (!member || !wanted(*member))
                    continue;
                objects.push_back(std::move(member));
                resolve();
                changed = true;
            }
        }
    }
    Image link(const std::string &entry) {
        resolve();
        place_commons();
        auto start = globals.find(entry);
        if (start == globals.end() || !start->second->defined())
            throw LinkError("no entry " + entry);
        mark(*start->second);
        Image image;
        lay_out(image);
        for (const auto &object : objects)
            for (Section &section : object->sections)
                if (section.kept)
                    relocate(*object, section, image);
        image.entry = address_of(*start->second);
        for (const auto &[name, symbol] : globals)
            if (symbol->section && symbol->section->kept)
                image.symbols[name] = address_of(*symbol);
        image.map = draw_map();
        return image;
    }

private:
    std::vector<std::unique_ptr<Object>> objects;
    std::map<std::string, Symbol *> globals;
    std::map<std::string, std::string> owners;
    static constexpr uint64_t base = 16;

    void resolve() {
        globals.clear();
        owners.clear();
        for (const auto &object : objects)
            for (auto &[name, symbol] : object->symbols) {
                if (symbol.binding == Binding::Local)
                    continue;
                auto [entry, fresh] = globals.emplace(name, &symbol);
                if (fresh || !symbol.defined()) {
                    if (symbol.defined())
                        owners[name] = object->name;
                    continue;
                }
                Symbol *old = entry->second;
                bool stronger = !old->defined() || (old->common && symbol.section) || (old->common && symbol.common > old->common) ||
                                (old->binding == Binding::Weak && symbol.binding == Binding::Global);
                bool clash = old->section && symbol.section && old->binding == Binding::Global && symbol.binding == Binding::Global;
                if (clash)
                    throw LinkError(name + " is defined in " + owners[name] + " and in " + object->name);
                if (stronger) {
                    entry->second = &symbol;
                    owners[name] = object->name;
                }
            }
    }
    // An undefined weak symbol does not ask for members of archives, but an undefined global one does.
    bool wanted(const Object &member) const {
        std::set<std::string> missing;
        for (const auto &object : objects)
            for (const Section &section : object->sections)
                for (const Relocation &r : section.relocations) {
                    auto own = object->symbols.find(r.symbol);
                    if (own != object->symbols.end() && (own->second.defined() || own->second.binding == Binding::Weak))
                        continue;
                    auto known = globals.find(r.symbol);
                    if (known == globals.end() || !known->second->defined())
                        missing.insert(r.symbol);
                }
        return std::any_of(member.symbols.begin(), member.symbols.end(), [&](const auto &entry) {
            return entry.second.binding != Binding::Local && entry.second.defined() && missing.count(entry.first);
        });
    }
    void place_commons() {
        auto pool = std::make_unique<Object>();
        pool->name = "common";
        pool->sections.push_back(Section{"bss", {}, {}, false, 0});
        Section &section = pool->sections.back();
        for (auto &[name, symbol] : globals)
            if (symbol->common && !symbol->section) {
                symbol->section = &section;
                symbol->offset = section.words.size();
                section.words.resize(section.words.size() + symbol->common);
            }
        objects.push_back(std::move(pool));
    }
    const Symbol *lookup(const Object &object, const Relocation &r, const Section &section) const {
        auto own = object.symbols.find(r.symbol);
        if (own != object.symbols.end() && own->second.binding == Binding::Local && own->second.defined())
            return &own->second;
        auto global = globals.find(r.symbol);
        if (global != globals.end() && global->second->section)
            return global->second;
        if (own != object.symbols.end() && own->second.binding == Binding::Weak)
            return nullptr; // an undefined weak symbol is zero
        throw LinkError(object.name + "(" + section.name + "+" + std::to_string(r.offset) + "): " + r.symbol + " is undefined");
    }
    const Object &owner(const Section &section) const {
        for (const auto &object : objects)
            for (const Section &s : object->sections)
                if (&s == &section)
                    return *object;
        throw std::logic_error("a section of no object");
    }
    // Sections that can be reached from the entry, breadth first.
    void mark(const Symbol &entry) {
        std::deque<Section *> queue{entry.section};
        entry.section->kept = true;
        while (!queue.empty()) {
            Section *section = queue.front();
            queue.pop_front();
            const Object &object = owner(*section);
            for (const Relocation &r : section->relocations) {
                const Symbol *symbol = lookup(object, r, *section);
                if (symbol && !symbol->section->kept) {
                    symbol->section->kept = true;
                    queue.push_back(symbol->section);
                }
            }
        }
    }
    static int rank(const std::string &section) {
        return section.rfind("text", 0) == 0 ? 0 : section.rfind("data", 0) == 0 ? 1 : 2;
    }
    void lay_out(Image &image) {
        std::vector<Section *> order;
        for (const auto &object : objects)
            for (Section &section : object->sections) {
                if (section.kept)
                    order.push_back(&section);
                else
                    image.removed++;
            }
        std::stable_sort(order.begin(), order.end(), [](const Section *a, const Section *b) { return rank(a->name) < rank(b->name); });
        uint64_t at = base;
        for (Section *section : order) {
            section->address = at;
            at += section->words.size();
        }
        image.memory.assign(at, 0);
        for (const Section *section : order)
            std::copy(section->words.begin(), section->words.end(), image.memory.begin() + static_cast<long>(section->address));
    }
    static uint64_t address_of(const Symbol &s) { return s.section->address + s.offset; }
    void relocate(const Object &object, const Section &section, Image &image) {
        for (const Relocation &r : section.relocations) {
            const Symbol *symbol = lookup(object, r, section);
            uint64_t place = section.address + r.offset;
            int64_t value = (symbol ? static_cast<int64_t>(address_of(*symbol)) : 0) + r.addend;
            if (r.kind == RelocationKind::Relative && symbol)
                value -= static_cast<int64_t>(place) + 1;
            image.memory.at(place) = value;
        }
    }
    std::string draw_map() const {
        std::ostringstream out;
        for (const auto &object : objects)
            for (const Section &section : object->sections) {
                if (!section.kept)
                    continue;
                out << std::setw(5) << section.address << std::setw(5) << section.words.size() << "  " << object->name << '(' << section.name << ")\n";
            }
        return out.str();
    }
};

// ---- the machine ----

static std::string run(const Image &image, int64_t argument) {
    std::vector<int64_t> memory = image.memory, stack{argument}, calls;
    std::ostringstream out;
    size_t pc = image.entry;
    auto pop = [&] {
        if (stack.empty())
            throw std::runtime_error("the stack is empty");
        int64_t value = stack.back();
        stack.pop_back();
        return value;
    };
    for (int steps = 0; steps < 20000; steps++) {
        int64_t op = memory.at(pc++);
        if (op < 0 || op >= OPS)
            throw std::runtime_error("a word that is no instruction at " + std::to_string(pc - 1));
        int64_t operand = 0;
        if (op == PUSH || op == LOAD || op == STORE || op == JUMP || op == BRANCH || op == CALL)
            operand = memory.at(pc++);
        switch (static_cast<Op>(op)) {
        case HALT: return out.str();
        case PUSH: stack.push_back(operand); break;
        case LOAD: stack.push_back(memory.at(static_cast<size_t>(operand + pop()))); break;
        case STORE: {
            int64_t index = pop();
            memory.at(static_cast<size_t>(operand + index)) = pop();
            break;
        }
        case ADD: { int64_t b = pop(); stack.push_back(pop() + b); break; }
        case SUB: { int64_t b = pop(); stack.push_back(pop() - b); break; }
        case MUL: { int64_t b = pop(); stack.push_back(pop() * b); break; }
        case LESS: { int64_t b = pop(); stack.push_back(pop() < b); break; }
        case JUMP: pc += static_cast<size_t>(operand); break;
        case BRANCH: if (pop()) pc += static_cast<size_t>(operand); break;
        case CALL: calls.push_back(static_cast<int64_t>(pc)); pc += static_cast<size_t>(operand); break;
        case RET:
            if (calls.empty())
                throw std::runtime_error("a return without a call");
            pc = static_cast<size_t>(calls.back());
            calls.pop_back();
            break;
        case PRINT: out << pop() << ' '; break;
        case DUP: stack.push_back(stack.back()); break;
        case SWAP: std::swap(stack.at(stack.size() - 1), stack.at(stack.size() - 2)); break;
        case OPS: break;
        }
    }
    throw std::runtime_error("the program does not end");
}

// ---- the program ----

static const char *const main_text = R"(
.global start factorial square hook report
.weak hook
.section text
start:  dup
        call factorial
        call report
        call square
        call report
        push hook       ; zero unless somebody defines it
        branch called
        jump done
called: call hook
done:   push 0
        load counter
        print
        halt
.section data
.global counter
counter: .word 0
table:  .word table counter+1 -5
)";

static const char *const report_text = R"(
.global report counter
.section text
report: print
        push 0
        load counter
        push 1
        add
        push 0
        store counter
        ret
)";

static const Archive library{
    ".global factorial\n.section text.factorial\nfactorial: dup\n push 2\n less\n branch one\n dup\n push 1\n sub\n call factorial\n mul\n ret\n"
    "one: push 0\n mul\n push 1\n add\n ret\n",
    ".global square scratch\n.common scratch 4\n.section text.square\nsquare: dup\n mul\n dup\n push 2\n store scratch\n ret\n"
    ".section text.unused\nunused: call factorial\n ret\n",
    ".global never\n.section text\nnever: halt\n",
};

static int failures = 0;
static void expect(bool holds, const std::string &what) {
    std::cout << (holds ? "ok      " : "FAILED  ") << what << '\n';
    failures += !holds;
}

static void expect_error(const std::string &phrase, const std::vector<std::string> &texts) {
    std::string message = "nothing";
    try {
        Linker linker;
        for (size_t k = 0; k < texts.size(); k++)
            linker.add(assemble("file" + std::to_string(k), texts[k]));
        run(linker.link("start"), 1);
    } catch (const std::runtime_error &error) {
        message = error.what();
    }
    expect(message.find(phrase) != std::string::npos, "refused: " + message);
}

int main() {
    Linker linker;
    linker.add(assemble("main.o", main_text));
    linker.add(assemble("report.o", report_text));
    linker.add_archive("lib.a", library);
    Image image = linker.link("start");
    std::cout << image.map;
    for (const auto &[name, address] : image.symbols)
        std::cout << "  " << name << " = " << address << '\n';
    std::string output = run(image, 6);
    std::cout << "output: " << output << '\n';
    expect(output == "720 36 2 ", "the program computes 6!, a square, and counts");
    expect(image.map.find("lib.a(2)") == std::string::npos, "what nobody wants is not taken from the archive");
    expect(image.removed == 1, "a section that nobody reaches is removed");
    uint64_t counter = image.symbols.at("counter");
    expect(image.memory.at(counter + 1) == static_cast<int64_t>(counter) + 1 && image.memory.at(counter + 2) == static_cast<int64_t>(counter) + 1 &&
               image.memory.at(counter + 3) == -5,
           "data refer to symbols");

    Linker hooked;
    hooked.add(assemble("main.o", main_text));
    hooked.add(assemble("hook.o", ".global hook\n.section text\nhook: push 99\n print\n ret\n"));
    hooked.add(assemble("report.o", report_text));
    hooked.add_archive("lib.a", library);
    output = run(hooked.link("start"), 3);
    expect(output == "6 9 99 2 ", "a weak symbol is called where it is defined: " + output);

    Linker weak;
    weak.add(assemble("weak.o", ".weak answer\n.section text.w\nanswer: push 1\n print\n ret\n"));
    weak.add(assemble("start.o", ".global start answer\n.section text\nstart: call answer\n halt\n"));
    weak.add(assemble("strong.o", ".global answer\n.section text.s\nanswer: push 2\n print\n ret\n"));
    expect(run(weak.link("start"), 0) == "2 ", "a global definition wins over a weak one");

    Linker common;
    common.add(assemble("a.o", ".global start\n.common pool 2\n.section text\nstart: push 7\n push 4\n store pool\n push 4\n load pool\n print\n halt\n"));
    common.add(assemble("b.o", ".common pool 5\n"));
    expect(run(common.link("start"), 0) == "7 ", "the larger common symbol is taken");

    const std::string start = ".global start\n.section text\nstart: ";
    expect_error("missing is undefined", {start + "call missing\n halt\n"});
    expect_error("twice is defined in file0 and in file1", {start + "halt\n.global twice\ntwice: ret\n", ".global twice\n.section text\ntwice: ret\n"});
    expect_error("no entry start", {".section text\nstart: halt\n"});
    expect_error("file0:3: unknown instruction jmp", {start + "jmp 3\n"});
    expect_error("file0:4: start is defined twice", {start + "halt\nstart: halt\n"});
    expect_error("file0:1: a label outside of sections", {"x: halt\n"});
    expect_error("push needs an operand", {start + "push\n"});
    expect_error("a malformed number 12x", {start + "push 12x\n"});
    expect_error("unexpected 4", {start + "push 3 4\n"});
    expect_error("unknown directive .align", {".align 4\n"});
    expect_error("the stack is empty", {start + "add\n add\n"});
    expect_error("no instruction", {start + "jump data\n.section data\ndata: .word 77\n"});
    expect_error("does not end", {start + "jump start\n"});
    expect_error("a return without a call", {start + "ret\n"});
    std::cout << failures << " failures\n";
    return failures != 0;
}
