// Selecting, limiting and tables, beside memcpy, the look at the structure alone, the raw JSON
// checker, and a tree that is parsed, filtered and printed anew. `kept` is output by input.

#include <simdjson.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>

#include "base/simd.hpp"
#include "json/limit.hpp"
#include "json/raw_json.hpp"
#include "json/select.hpp"
#include "json/shaper.hpp"
#include "json/structure.hpp"
#include "json/table.hpp"
#include "micro.hpp"

namespace sluice::bench {
namespace {

/// Bytes of each text here: more than a processor keeps close to itself.
constexpr std::size_t kBytes = 10'000'000;

template <class Row>
std::string rows_of(std::string out, Row row, const char* end) {
  out.reserve(kBytes + 4096);
  for (int i = 0; out.size() < kBytes; ++i) {
    if (i != 0) out += ',';
    row(out, i);
  }
  return out + end;
}

std::string date(int i) {
  return "2026-" + std::to_string(i % 12 + 101).substr(1) + '-' +
         std::to_string(i % 28 + 101).substr(1);
}

std::string price(int i) { return std::to_string(i % 900) + '.' + std::to_string(i % 90 + 10); }

/// Rows of a date and three numbers.
const std::string& arrays() {
  static const std::string text = rows_of(
      R"({"columns":["date","open","high","close"],"rows":[)",
      [](std::string& out, int i) {
        out += "[\"" + date(i) + "\"," + price(i) + ',' + price(i + 5) + ',' + price(i + 3) + ']';
      },
      "]}");
  return text;
}

/// What an HTTP API gives: objects of 230 bytes with nested ones.
const std::string& objects() {
  static const std::string text = rows_of(
      R"({"total":5000,"rows":[)",
      [](std::string& out, int i) {
        out += R"({"id":)" + std::to_string(100000 + i) + R"(,"date":")" + date(i) +
               R"(","close":)" + price(i) + R"(,"tags":["new","on sale"],"open":true,"owner":)" +
               R"({"login":"someone","id":)" + std::to_string(i % 77) +
               R"(},"note":"a line of text that somebody wrote","debug":{"trace":[1,2,3],"ms":4}})";
      },
      R"(],"next":"abc"})");
  return text;
}

/// Objects of 1400 bytes, most of it text and numbers.
const std::string& wide() {
  static const std::string text = rows_of(
      R"({"rows":[)",
      [](std::string& out, int i) {
        out += R"({"id":)" + std::to_string(i) + R"(,"close":)" + price(i) + R"(,"text":")";
        for (int k = 0; k < 20; ++k) out += "a few words of it, and then some more. ";
        out += R"(","history":[)";
        for (int k = 0; k < 80; ++k) out += price(i + k) + ',';
        out.back() = ']';
        out += R"(,"owner":{"login":"someone","url":"https://example.com/someone"}})";
      },
      "]}");
  return text;
}

json::Selection selection(std::initializer_list<const char*> select,
                          std::initializer_list<const char*> drop) {
  json::Path::Problem problem;
  json::Selection out;
  for (const char* text : select) out.select.push_back(*json::Path::parse(text, problem));
  for (const char* text : drop) out.drop.push_back(*json::Path::parse(text, problem));
  return out;
}

std::shared_ptr<const json::SelectPlan> plan_of(const json::Selection& what) {
  std::string problem;
  return std::make_shared<const json::SelectPlan>(*json::SelectPlan::make(what, problem));
}

/// Takes `in`, and what comes of it, through the worker. Returns what it wrote.
template <class Worker>
std::size_t take(Worker& worker, std::string_view in, std::span<char> out) {
  std::size_t written = 0;
  while (true) {
    const auto step = worker.step(in, out);
    if (!step) std::abort();
    written += step->written;
    in.remove_prefix(step->read);
    if (in.empty() && step->written < out.size()) return written;
  }
}

/// Takes the text through a new worker each time.
template <class Make>
void step_through(benchmark::State& state, const std::string& text, Make make) {
  using Worker = decltype(make());
  std::optional<Worker> worker;
  std::size_t at = 0;
  std::size_t written = 0;
  run(state, text, [&](std::string_view in, std::span<char> out) {
    if (at == 0) {
      worker.emplace(make());
      written = 0;
    }
    written += take(*worker, in, out);
    at += in.size();
    if (at == text.size()) {
      static_cast<void>(worker->finish());
      written += take(*worker, {}, out);
      at = 0;
    }
    return written;
  });
  state.counters["kept"] = static_cast<double>(written) / static_cast<double>(text.size());
}

void select(benchmark::State& state, Text text, const json::Selection& what, Simd with) {
  const auto plan = plan_of(what);
  step_through(state, text(), [&] { return json::Selector(plan, {}, with); });
}

void limit(benchmark::State& state, Text text, Simd with) {
  step_through(state, text(),
               [&] { return json::JsonLimiter({.max_bytes = text().size()}, with); });
}

void table_as(benchmark::State& state, Text text, json::TableFormat format, Simd with) {
  step_through(state, text(), [&] { return json::Table({.format = format}, with); });
}

/// All three.
void shape(benchmark::State& state, Text text, const json::Selection& what, Simd with) {
  const auto plan = plan_of(what);
  step_through(state, text(), [&] {
    json::Shape shape;
    shape.select = plan;
    shape.max_bytes = text().size();
    shape.table.emplace();
    return json::Shaper(std::move(shape), with);
  });
}

void copy(benchmark::State& state, Text text) {
  run(state, text(), [](std::string_view in, std::span<char> out) {
    std::memcpy(out.data(), in.data(), in.size());
    benchmark::DoNotOptimize(out.data());
    benchmark::ClobberMemory();
    return in.size();
  });
}

void structure(benchmark::State& state, Text text, Simd with) {
  json::Structure structure(with);
  run(state, text(), [&](std::string_view in, std::span<char>) {
    for (; !in.empty(); in.remove_prefix(std::min(in.size(), json::Structure::kPiece)))
      structure.index(in.data(), std::min(in.size(), json::Structure::kPiece));
    return structure.token(0);
  });
}

void check(benchmark::State& state, Text text, Simd with) {
  std::optional<json::RawJson> checker;
  const std::size_t size = text().size();
  run(state, text(), [&, at = std::size_t{0}](std::string_view in, std::span<char> out) mutable {
    if (at == 0) checker.emplace(64, with);
    at = at + in.size() == size ? 0 : at + in.size();
    return checker->step(in, out).value();
  });
}

// The same by a tree. simdjson takes what the processor has at best.

/// `filter(root, out)`.
template <class Filter>
void tree(benchmark::State& state, Text of, Filter filter) {
  const simdjson::padded_string text(of());
  simdjson::dom::parser parser;
  std::string out;
  for (auto _ : state) {
    out.clear();
    const simdjson::dom::element root = parser.parse(text);
    filter(root, out);
    benchmark::DoNotOptimize(out.data());
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) *
                          static_cast<std::int64_t>(text.size()));
  state.counters["kept"] = static_cast<double>(out.size()) / static_cast<double>(text.size());
}

void tree_parse(benchmark::State& state, Text text) {
  tree(state, text, [](simdjson::dom::element, std::string&) {});
}

void tree_all(benchmark::State& state, Text text) {
  tree(state, text, [](simdjson::dom::element root, std::string& out) {
    out += simdjson::minify(root["rows"]);
  });
}

void tree_every_100th(benchmark::State& state, Text text) {
  tree(state, text, [](simdjson::dom::element root, std::string& out) {
    out += '[';
    std::size_t i = 0;
    for (const simdjson::dom::element row : root["rows"]) {
      if (i++ % 100 == 0) out += simdjson::minify(row) + ',';
    }
    out.back() = ']';
  });
}

void tree_member(benchmark::State& state, Text text) {
  tree(state, text, [](simdjson::dom::element root, std::string& out) {
    out += '[';
    for (const simdjson::dom::element row : root["rows"])
      out += "{\"close\":" + simdjson::minify(row["close"]) + "},";
    out.back() = ']';
  });
}

void tree_drop(benchmark::State& state, Text text) {
  tree(state, text, [](simdjson::dom::element root, std::string& out) {
    out += "{\"total\":5000,\"rows\":[";
    for (const simdjson::dom::element row : root["rows"]) {
      out += '{';
      for (const auto [name, value] : simdjson::dom::object(row)) {
        if (name == "debug") continue;
        out += '"';
        out += name;
        out += "\":" + simdjson::minify(value) + ',';
      }
      out.back() = '}';
      out += ',';
    }
    out.back() = ']';
    out += ",\"next\":\"abc\"}";
  });
}

void tree_csv(benchmark::State& state, Text text) {
  tree(state, text, [](simdjson::dom::element root, std::string& out) {
    out += "date,open,high,close\n";
    for (const simdjson::dom::array row : root["rows"]) {
      for (const simdjson::dom::element cell : row) {
        std::string_view characters;
        if (cell.get(characters) == simdjson::SUCCESS) {
          out += characters;
        } else {
          out += simdjson::minify(cell);
        }
        out += ',';
      }
      out.back() = '\n';
    }
  });
}

struct Case {
  const char* name;
  Text text;
  json::Selection what;
};

const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      // Little is kept.
      {"select/1 % of objects", objects, selection({"$.rows[::100]"}, {})},
      {"select/1 % of arrays", arrays, selection({"$.rows[::100]"}, {})},
      {"select/one member of wide objects", wide, selection({"$.rows[*].close"}, {})},
      {"select/one member of objects", objects, selection({"$.rows[*].close"}, {})},
      {"select/what is behind the rows", objects, selection({"$.next"}, {})},
      {"select/two members of objects", objects, selection({"$.rows[*]['date','close']"}, {})},
      {"select/one column of arrays", arrays, selection({"$.rows[*][3]"}, {})},
      {"select/a descendant of objects", objects, selection({"$..login"}, {})},
      // Most is.
      {"select/all objects", objects, selection({"$.rows[*]"}, {})},
      {"select/all arrays", arrays, selection({"$.rows[*]"}, {})},
      {"drop/one member of objects", objects, selection({}, {"$.rows[*].debug"})},
      {"drop/one member of wide objects", wide, selection({}, {"$.rows[*].owner"})},
      {"drop/a descendant of objects", objects, selection({}, {"$..debug"})},
      {"drop/a descendant of arrays", arrays, selection({}, {"$..debug"})},
      {"drop/nothing", objects, selection({}, {"$.none"})},
  };
  return all;
}

[[maybe_unused]] const bool registered = [] {
  const auto add = [](const std::string& name, auto... of) {
    benchmark::RegisterBenchmark(("shape/" + name).c_str(), of...);
  };
  add("memcpy/objects", copy, objects);
  add("tree/parse/objects", tree_parse, objects);
  add("tree/parse/arrays", tree_parse, arrays);
  add("tree/select/1 % of objects", tree_every_100th, objects);
  add("tree/select/1 % of arrays", tree_every_100th, arrays);
  add("tree/select/one member of wide objects", tree_member, wide);
  add("tree/select/one member of objects", tree_member, objects);
  add("tree/select/all objects", tree_all, objects);
  add("tree/drop/one member of objects", tree_drop, objects);
  add("tree/csv/arrays", tree_csv, arrays);
  for (const Simd simd : supported_simd()) {
    const std::string with = '/' + std::string(name_of(simd));
    add("structure/objects" + with, structure, objects, simd);
    add("check/objects" + with, check, objects, simd);
    for (const Case& c : cases()) add(c.name + with, select, c.text, c.what, simd);
    add("limit/objects" + with, limit, objects, simd);
    add("limit/arrays" + with, limit, arrays, simd);
    using json::TableFormat;
    add("csv/arrays" + with, table_as, arrays, TableFormat::csv, simd);
    add("csv/objects" + with, table_as, objects, TableFormat::csv, simd);
    add("markdown/arrays" + with, table_as, arrays, TableFormat::markdown, simd);
    add("lines/arrays" + with, table_as, arrays, TableFormat::lines, simd);
    add("all three/arrays" + with, shape, arrays, selection({"$.columns", "$.rows"}, {}), simd);
    add("all three/objects" + with, shape, objects, selection({"$.rows[*]['date','close']"}, {}),
        simd);
  }
  return true;
}();

}  // namespace
}  // namespace sluice::bench
