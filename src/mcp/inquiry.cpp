#include "mcp/inquiry.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "json/document.hpp"
#include "mcp/json_members.hpp"
#include "mcp/violations.hpp"

namespace sluice::mcp {
namespace {

/// JSON that a handler wrote, for a message of ours; nullopt where it is none of that kind.
std::optional<std::string> checked(std::string_view json, JsonKind kind) {
  json::Document document;
  const auto value = document.parse_copy(json);
  if (!value || !value->is(kind)) return std::nullopt;
  std::string out(value->raw());
  make_one_line(out);
  return out;
}

Result<Inquiry> misuse(std::string_view what) {
  spdlog::error("a handler asked what cannot be asked: {}", what);
  return Errc::misuse;
}

Result<Inquiry> make(const Form& form) {
  Inquiry out;
  out.kind = Inquiry::Kind::form;
  out.key = form.key;
  out.method = "elicitation/create";
  out.capability = "elicitation.form";
  const auto schema = checked(form.schema, JsonKind::object);
  if (!schema) return misuse("the form's schema is not a JSON object");
  schema::Schema::CompileError error;
  out.content = schema::Schema::compile(*schema, error);
  if (!out.content) return misuse("the form's schema" + error.pointer + ": " + error.message);
  // Without `mode`, which is new in 2025-11-25, and where it is missing a form.
  out.params = "{\"message\":";
  json::append_string(out.params, form.message);
  append_member(out.params, "requestedSchema", *schema);
  out.params += '}';
  return out;
}

Result<Inquiry> make(const Page& page) {
  Inquiry out;
  out.kind = Inquiry::Kind::page;
  out.key = page.key;
  out.method = "elicitation/create";
  out.capability = "elicitation.url";
  out.elicitation_id = page.id;
  if (page.url.empty()) return misuse("a page has a url");
  out.params = R"({"mode":"url","message":)";
  json::append_string(out.params, page.message);
  append_text(out.params, "url", page.url);
  out.params += '}';
  return out;
}

Result<Inquiry> make(const Sampling& sampling) {
  Inquiry out;
  out.kind = Inquiry::Kind::sampling;
  out.key = sampling.key;
  out.method = "sampling/createMessage";
  out.capability = "sampling";
  out.params = "{";
  if (sampling.messages.empty()) {
    append_member(out.params, "messages", R"([{"role":"user","content":{"type":"text","text":)");
    json::append_string(out.params, sampling.prompt);
    out.params += "}}]";
  } else {
    const auto messages = checked(sampling.messages, JsonKind::array);
    if (!messages) return misuse("the messages for a model are not a JSON array");
    append_member(out.params, "messages", *messages);
  }
  append_text(out.params, "systemPrompt", sampling.system_prompt);
  append_member(out.params, "maxTokens", std::to_string(sampling.max_tokens));
  if (!sampling.more.empty()) {
    json::Document document;
    const auto more = document.parse_copy(sampling.more);
    if (!more || !more->is(JsonKind::object))
      return misuse("`more` of a message for a model is not a JSON object");
    for (const auto member : more->members()) {
      if (member.name == "tools" || member.name == "toolChoice") out.capability = "sampling.tools";
      std::string value(member.value.raw());
      make_one_line(value);
      out.params += ',';
      json::append_string(out.params, member.name);
      out.params += ':';
      out.params += value;
    }
  }
  out.params += '}';
  return out;
}

Result<Inquiry> make(const Roots& roots) {
  Inquiry out;
  out.kind = Inquiry::Kind::roots;
  out.key = roots.key;
  out.method = "roots/list";
  out.capability = "roots";
  out.params = "{}";
  return out;
}

bool is_string(Json value) noexcept { return value.is(JsonKind::string); }

std::string check_elicited(const Inquiry& inquiry, Json answer, std::uint64_t max_schema_steps) {
  const Json action = answer.find("action");
  const auto word = is_string(action) ? *action.as_string() : std::string_view();
  if (word != "accept" && word != "decline" && word != "cancel")
    return "action must be accept, decline or cancel";
  if (word != "accept" || inquiry.kind != Inquiry::Kind::form) return {};
  // What asks for nothing may be answered with nothing.
  json::Document nothing;
  Json content = answer.find("content");
  if (!content) {
    const auto empty = nothing.parse_copy("{}");
    content = *empty;
  }
  if (!content.is(JsonKind::object)) return "content must be an object";
  const auto verdict = inquiry.content->validate(content, max_schema_steps);
  if (verdict.out_of_steps) return "checking content took more than limits.schema_steps allows";
  if (verdict.violations.empty()) return {};
  return describe("content does not fit the schema that was asked for:", verdict.violations);
}

std::string check_sampled(Json answer) {
  const Json content = answer.find("content");
  if (!content.is(JsonKind::object) && !content.is(JsonKind::array))
    return "content must be a block, or an array of them";
  if (!is_string(answer.find("role"))) return "role must be a string";
  return is_string(answer.find("model")) ? "" : "model must be a string";
}

std::string check_roots(Json answer) {
  const Json roots = answer.find("roots");
  if (!roots.is(JsonKind::array)) return "roots must be an array";
  const auto is_root = [](Json root) { return is_string(root.find("uri")); };
  for (const Json root : roots)
    if (!is_root(root)) return "a root must have a uri";
  return {};
}

std::string check(const Inquiry& inquiry, Json answer, std::uint64_t max_schema_steps) {
  if (!answer.is(JsonKind::object)) return "it must be an object";
  switch (inquiry.kind) {
    case Inquiry::Kind::form:
    case Inquiry::Kind::page:
      return check_elicited(inquiry, answer, max_schema_steps);
    case Inquiry::Kind::sampling:
      return check_sampled(answer);
    case Inquiry::Kind::roots:
      break;
  }
  return check_roots(answer);
}

}  // namespace

Result<Inquiry> make_inquiry(const Question& question) {
  return std::visit([](const auto& what) { return make(what); }, question);
}

Result<std::vector<Inquiry>> make_inquiries(std::span<const Question> questions, std::size_t most,
                                            const std::function<bool(std::string_view)>& has,
                                            std::vector<std::string>& missing) {
  missing.clear();
  if (questions.size() > most) return Errc::too_many_questions;
  std::vector<Inquiry> inquiries;
  inquiries.reserve(questions.size());
  for (const auto& question : questions) {
    auto inquiry = make_inquiry(question);
    if (!inquiry) return inquiry.error();
    if (!has(inquiry->capability)) missing.emplace_back(inquiry->capability);
    inquiries.push_back(std::move(*inquiry));
  }
  if (!missing.empty()) return Errc::missing_capability;
  return inquiries;
}

std::string members_of(const Inquiry& inquiry) {
  std::string out = "\"method\":\"";
  out += inquiry.method;
  out += "\",\"params\":";
  out += inquiry.params;
  return out;
}

Result<Answer> read_answer(const Inquiry& inquiry, std::string_view json,
                           std::uint64_t max_schema_steps, std::string& problem) {
  auto text = JsonText::parse(json);
  problem = text ? check(inquiry, text->root(), max_schema_steps) : text.error().message();
  if (!problem.empty()) return Errc::bad_answer;
  return Answer(std::move(*text));
}

}  // namespace sluice::mcp
