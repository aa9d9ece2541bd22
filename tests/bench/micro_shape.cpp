// Selecting, limiting and tables, beside memcpy, the look at the structure alone, the raw JSON
// checker, and a tree that is parsed, filtered and printed anew. `kept` is output by input.

#include <simdjson.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>

#include "base/simd.hpp"
#include "json/limit.hpp"
#include "json/raw_json.hpp"
#include "json/select.hpp"
#include "json/structure.hpp"
#include "json/table.hpp"
#include "micro.hpp"

namespace sluice::bench {
namespace {

/// What an HTTP API gives: objects of 200 bytes with nested ones.
const std::string& objects() {
  static const std::string text = [] {
    std::string out = R"({"total":5000,"rows":[)";
    for (int i = 0; out.size() < kInput; ++i) {
      if (i != 0) out += ',';
      out += R"({"id":)" + std::to_string(100000 + i) + R"(,"name":"item number )" +
             std::to_string(i * 7) + R"(","price":)" + std::to_string(i % 900) +
             R"(.50,"tags":["new","on sale"],"open":true,"owner":{"login":"someone","id":)" +
             std::to_string(i % 77) +
             R"(},"note":"a line of text that somebody wrote","debug":{"trace":[1,2,3],"ms":4}})";
    }
    return out + R"(],"next":"abc"})";
  }();
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
    at = at + in.size() == text.size() ? 0 : at + in.size();
    while (true) {
      const auto step = worker->step(in, out);
      if (!step) std::abort();
      written += step->written;
      in.remove_prefix(step->read);
      if (in.empty() && step->written < out.size()) return step->written;
    }
  });
  state.counters["kept"] = static_cast<double>(written) / static_cast<double>(text.size());
}

void select(benchmark::State& state, Text text, const json::Selection& what, Simd with) {
  std::string problem;
  const auto plan =
      std::make_shared<const json::SelectPlan>(*json::SelectPlan::make(what, problem));
  step_through(state, text(), [&] { return json::Selector(plan, {}, with); });
}

void limit(benchmark::State& state, Text text, Simd with) {
  step_through(state, text(),
               [&] { return json::JsonLimiter({.max_bytes = text().size() - 1}, with); });
}

void table_as(benchmark::State& state, Text text, json::TableFormat format, Simd with) {
  step_through(state, text(), [&] { return json::Table({.format = format}, with); });
}

void copy(benchmark::State& state) {
  run(state, objects(), [](std::string_view in, std::span<char> out) {
    std::memcpy(out.data(), in.data(), in.size());
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

void check(benchmark::State& state, Simd with) {
  std::optional<json::RawJson> checker;
  run(state, objects(), [&, at = std::size_t{0}](std::string_view in, std::span<char> out) mutable {
    if (at == 0) checker.emplace(64, with);
    at = at + in.size() == objects().size() ? 0 : at + in.size();
    return checker->step(in, out).value();
  });
}

/// One member of each row, by a tree.
void tree_member(benchmark::State& state) {
  const simdjson::padded_string text(objects());
  simdjson::dom::parser parser;
  std::string out;
  for (auto _ : state) {
    out = "[";
    const simdjson::dom::element root = parser.parse(text);
    for (const simdjson::dom::element row : root["rows"]) {
      if (out.size() > 1) out += ',';
      out += "{\"id\":" + simdjson::minify(row["id"]) + '}';
    }
    out += ']';
    benchmark::DoNotOptimize(out.data());
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) *
                          static_cast<std::int64_t>(objects().size()));
}

/// All but one member of each row, by a tree.
void tree_drop(benchmark::State& state) {
  const simdjson::padded_string text(objects());
  simdjson::dom::parser parser;
  std::string out;
  for (auto _ : state) {
    out = "{\"total\":5000,\"rows\":[";
    const simdjson::dom::element root = parser.parse(text);
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
    benchmark::DoNotOptimize(out.data());
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) *
                          static_cast<std::int64_t>(objects().size()));
}

[[maybe_unused]] const bool registered = [] {
  const auto name = [](std::string first, Simd simd) {
    return "shape/" + first + '/' + std::string(name_of(simd));
  };
  benchmark::RegisterBenchmark("shape/memcpy", copy);
  benchmark::RegisterBenchmark("shape/tree/one member", tree_member);
  benchmark::RegisterBenchmark("shape/tree/drop", tree_drop);
  struct Case {
    const char* name;
    Text text;
    json::Selection what;
  };
  static const Case cases[] = {
      {"select/behind the rows", objects, selection({"$.next"}, {})},
      {"select/every 100th row", objects, selection({"$.rows[::100]"}, {})},
      {"select/one member of rows", objects, selection({"$.rows[*].id"}, {})},
      {"select/three members of rows", objects, selection({"$.rows[*]['id','name','price']"}, {})},
      {"select/a descendant", objects, selection({"$..login"}, {})},
      {"select/all rows", objects, selection({"$.rows[*]"}, {})},
      {"select/one column of arrays", table, selection({"$.rows[*][1]"}, {})},
      {"select/every 100th array", table, selection({"$.rows[::100]"}, {})},
      {"drop/one member of rows", objects, selection({}, {"$.rows[*].debug"})},
      {"drop/a descendant", objects, selection({}, {"$..debug"})},
      {"drop/a descendant of arrays", table, selection({}, {"$..debug"})},
      {"drop/nothing", objects, selection({}, {"$.none"})},
  };
  for (const Simd simd : supported_simd()) {
    benchmark::RegisterBenchmark(name("structure", simd).c_str(), structure, objects, simd);
    benchmark::RegisterBenchmark(name("check", simd).c_str(), check, simd);
    for (const Case& c : cases)
      benchmark::RegisterBenchmark(name(c.name, simd).c_str(), select, c.text, c.what, simd);
    benchmark::RegisterBenchmark(name("limit", simd).c_str(), limit, objects, simd);
    using json::TableFormat;
    benchmark::RegisterBenchmark(name("csv/objects", simd).c_str(), table_as, objects,
                                 TableFormat::csv, simd);
    benchmark::RegisterBenchmark(name("csv/arrays", simd).c_str(), table_as, table,
                                 TableFormat::csv, simd);
    benchmark::RegisterBenchmark(name("markdown/arrays", simd).c_str(), table_as, table,
                                 TableFormat::markdown, simd);
    benchmark::RegisterBenchmark(name("lines/arrays", simd).c_str(), table_as, table,
                                 TableFormat::lines, simd);
  }
  return true;
}();

}  // namespace
}  // namespace sluice::bench
