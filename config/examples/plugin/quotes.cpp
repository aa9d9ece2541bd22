#include "quotes.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <sluice/json_text.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

namespace {

using sluice::Awaitable;
using sluice::Call;
using sluice::PromptWriter;
using sluice::Result;
using sluice::ResultWriter;

struct Settings {
  std::string currency = "TWD";
  std::chrono::milliseconds lookup{5};
};

Settings read_settings(std::string_view text) {
  const auto json = sluice::JsonText::parse(text);
  if (!json) throw std::runtime_error("the settings are not JSON");
  Settings settings;
  for (const auto [name, value] : json->root().members()) {
    if (name == "currency" && value.as_string()) {
      settings.currency = *value.as_string();
    } else if (name == "lookup_ms" && value.as_int().value_or(-1) >= 0) {
      settings.lookup = std::chrono::milliseconds(*value.as_int());
    } else {
      throw std::runtime_error("settings: " + std::string(name) +
                               " is unknown, or not what it should be");
    }
  }
  return settings;
}

/// The price at the close of a day, in hundredths: a walk that needs no memory.
std::int64_t close_of(std::int64_t code, std::int64_t day) {
  return 10'000 + code % 977 * 10 + day * day % 613 - day % 89 * 7;
}

std::string decimal(std::int64_t hundredths) {
  const auto rest = std::to_string(100 + hundredths % 100);
  return std::to_string(hundredths / 100) + "." + rest.substr(1);
}

std::int64_t code_of(const Call& call) {
  return std::stoll(std::string(*call.argument("code").as_string()));
}
std::int64_t int_of(const Call& call, std::string_view name) {
  return *call.argument(name).as_int();
}

/// Stands for a library that blocks, such as the driver of a database.
std::int64_t look_up(const Settings& settings, std::int64_t code) {
  std::this_thread::sleep_for(settings.lookup);
  return close_of(code, 0);
}

// Work that blocks, and a structured value. Clients of revisions without structured content get the
// text alone.
Awaitable<Result<>> quote(std::shared_ptr<const Settings> settings, Call& call, ResultWriter& out) {
  const auto code = code_of(call);
  const auto close = co_await call.offload([&settings, code] { return look_up(*settings, code); });
  const std::string json = R"({"code":")" + std::to_string(code) + R"(","close":)" +
                           decimal(close) + R"(,"currency":")" + settings->currency + R"("})";
  const auto written = co_await out.text(json);
  if (!written || !out.takes_structured('{')) co_return written;
  const auto structured = co_await out.structured(json);
  co_return structured;
}

// Text in pieces: what is written leaves while the rest is still being made, so the table may be of
// any length.
Awaitable<Result<>> history(Call& call, ResultWriter& out) {
  const auto code = code_of(call);
  const auto days = int_of(call, "days");
  std::string lines = "day,close\n";
  for (std::int64_t day = 0; day < days; ++day) {
    lines += std::to_string(day) + "," + decimal(close_of(code, day)) + "\n";
    if (lines.size() < 8192 && day + 1 < days) continue;
    const auto written = co_await out.write(lines);
    if (!written) co_return written;  // the client is gone, or a limit is reached
    lines.clear();
  }
  co_return Result<>{};
}

// An image, also in pieces; sluice makes base64 of the bytes.
Awaitable<Result<>> chart(Call& call, ResultWriter& out) {
  const auto code = code_of(call);
  const auto days = int_of(call, "days");
  const auto begun =
      co_await out.begin({.kind = sluice::BlockKind::image, .mime_type = "image/svg+xml"});
  if (!begun) co_return begun;
  const std::string head = R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 )" +
                           std::to_string(days) +
                           R"( 300"><polyline fill="none" stroke="black" points=")";
  const auto opened = co_await out.write(head);
  if (!opened) co_return opened;
  for (std::int64_t day = 0; day < days; ++day) {
    const std::string point =
        std::to_string(day) + "," + decimal(30'000 - close_of(code, day)) + " ";
    const auto written = co_await out.write(point);
    if (!written) co_return written;
  }
  const auto closed = co_await out.write(R"("/></svg>)");
  co_return closed;
}

// Takes its time, tells how far it is, and ends when the client goes away or cancels: sleep() then
// returns at once and the next co_await throws. What is to be tidied up belongs in destructors.
Awaitable<Result<>> watch(Call& call, ResultWriter& out) {
  const auto code = code_of(call);
  const auto ticks = int_of(call, "ticks");
  const std::chrono::milliseconds interval(int_of(call, "interval_ms"));
  const std::string begins = "watching " + std::to_string(code);
  const auto logged = co_await call.log(sluice::LogLevel::info, begins);
  if (!logged) co_return logged;
  std::string seen;
  for (std::int64_t tick = 1; tick <= ticks; ++tick) {
    co_await call.sleep(interval);
    const std::string price = decimal(close_of(code, tick));
    seen += price + "\n";
    const auto told =
        co_await call.progress(static_cast<double>(tick), static_cast<double>(ticks), price);
    if (!told) co_return told;
  }
  const auto written = co_await out.text(seen);
  co_return written;
}

constexpr const char* kCode = R"({
  "type": "object",
  "properties": { "code": { "type": "string", "pattern": "^[0-9]{4}$", "description": "Of the share." } },
  "required": ["code"]
})";
constexpr const char* kCodeAndDays = R"({
  "type": "object",
  "properties": {
    "code": { "type": "string", "pattern": "^[0-9]{4}$", "description": "Of the share." },
    "days": { "type": "integer", "minimum": 1, "maximum": 10000000, "default": 30 }
  },
  "required": ["code"]
})";
constexpr const char* kWatch = R"({
  "type": "object",
  "properties": {
    "code": { "type": "string", "pattern": "^[0-9]{4}$", "description": "Of the share." },
    "ticks": { "type": "integer", "minimum": 1, "maximum": 1000, "default": 5 },
    "interval_ms": { "type": "integer", "minimum": 0, "maximum": 60000, "default": 1000 }
  },
  "required": ["code"]
})";
constexpr const char* kQuote = R"({
  "type": "object",
  "properties": {
    "code": { "type": "string" },
    "close": { "type": "number" },
    "currency": { "type": "string" }
  },
  "required": ["code", "close", "currency"]
})";

sluice::Tool tool(std::string name, std::string description, const char* input_schema) {
  sluice::Tool out;
  out.name = std::move(name);
  out.description = std::move(description);
  out.input_schema = input_schema;
  out.annotations.read_only = true;
  return out;
}

/// A question about two shares, with their last prices in it.
Awaitable<Result<>> compare(Call& call, PromptWriter& out) {
  std::string question = "Compare two shares in one paragraph.";
  for (const std::string_view name : {"first", "second"}) {
    const std::string code(*call.argument(name).as_string());  // it is required, and a string
    if (code.size() != 4 || code.find_first_not_of("0123456789") != std::string::npos)
      co_return out.refuse(std::string(name) + " is not the code of a share: four digits");
    question +=
        "\nThe last price of " + code + " is " + decimal(close_of(std::stoll(code), 0)) + ".";
  }
  co_return out.text(sluice::Role::user, question);
}

sluice::Prompt compare_prompt() {
  const auto codes = sluice::complete_from({"2303", "2317", "2330", "2412", "2454"});
  sluice::Prompt out;
  out.name = "compare";
  out.description = "Asks for a comparison of two shares.";
  out.arguments = {{.name = "first", .required = true, .completer = codes},
                   {.name = "second", .required = true, .completer = codes}};
  return out;
}

}  // namespace

void add_quotes(sluice::Registry& registry) {
  const auto settings = std::make_shared<const Settings>(read_settings(registry.settings()));
  auto quote_tool = tool("quote", "The last price of one share.", kCode);
  quote_tool.output_schema = kQuote;
  registry.add(std::move(quote_tool), [settings](Call& call, ResultWriter& out) {
    return quote(settings, call,
                 out);  // no coroutine itself, so that the capture may die before the call ends
  });
  registry.add(
      tool("history", "The prices of one share at the close of each day, as CSV.", kCodeAndDays),
      history);
  registry.add(tool("chart", "The prices of one share as a line.", kCodeAndDays), chart);
  registry.add(tool("watch", "Watches the price of one share for a while.", kWatch), watch);
  registry.add(compare_prompt(), compare);
}
