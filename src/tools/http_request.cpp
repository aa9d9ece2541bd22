#include "tools/http_request.hpp"

#include <utility>

#include "http/upstream_url.hpp"
#include "json/document.hpp"
#include "tools/template.hpp"

namespace sluice::tools {
namespace {

using config::ParameterIn;
using Parameters = std::span<const config::Parameter>;

std::string_view sent_name(const config::Parameter& parameter) noexcept {
  return parameter.as.empty() ? parameter.name : parameter.as;
}

std::string quoted(std::string_view name) {
  std::string out(1, '"');
  out.append(name).append(1, '"');
  return out;
}

std::string_view accept_for(config::ResultKind kind) noexcept {
  switch (kind) {
    case config::ResultKind::text:
      return "text/*, */*;q=0.5";
    case config::ResultKind::json:
      return "application/json, */*;q=0.5";
    case config::ResultKind::image:
      return "image/*, */*;q=0.5";
    case config::ResultKind::audio:
      return "audio/*, */*;q=0.5";
    case config::ResultKind::blob:
    case config::ResultKind::automatic:
      break;
  }
  return "*/*";
}

/// Puts a target together, watching what arguments make of each path segment.
class TargetBuilder {
 public:
  explicit TargetBuilder(std::string& refusal) : refusal_(refusal) {}

  /// What the operator wrote; only what a target cannot hold is encoded.
  [[nodiscard]] bool add_literal(std::string_view text) {
    for (const char c : text) {
      if (!in_query_ && (c == '/' || c == '?')) {
        if (!end_segment()) return false;
        in_query_ = c == '?';
      }
      if (c > ' ' && c < '\x7f') {
        target_ += c;
      } else {
        http::append_encoded(target_, {&c, 1});
      }
      if (!in_query_ && c == '/') segment_ = target_.size();
    }
    return true;
  }

  [[nodiscard]] bool add_argument(std::string_view name, std::optional<std::string_view> value) {
    if (!value) return refuse(name, "has no value, but the path needs it.");
    if (!in_query_ && value->empty())
      return refuse(name, "is empty, but it is a part of the path.");
    http::append_encoded(target_, *value);
    argument_ = name;
    return true;
  }

  [[nodiscard]] bool end_path() { return in_query_ || end_segment(); }

  void add_query(std::string_view name, std::string_view value) {
    target_ += in_query_ ? (target_.back() == '?' ? "" : "&") : "?";
    in_query_ = true;
    http::append_encoded(target_, name);
    target_ += '=';
    http::append_encoded(target_, value);
  }

  [[nodiscard]] std::string take() && { return std::move(target_); }

 private:
  [[nodiscard]] bool end_segment() {
    const std::string_view segment = std::string_view(target_).substr(segment_);
    const bool is_dots = segment == "." || segment == "..";
    if (is_dots && !argument_.empty()) {
      return refuse(argument_,
                    "makes a path segment of dots alone, which would lead to another place.");
    }
    argument_ = {};
    return true;
  }

  [[nodiscard]] bool refuse(std::string_view name, std::string_view why) {
    refusal_ = "The parameter " + quoted(name) + ' ' + std::string(why);
    return false;
  }

  std::string& refusal_;
  std::string target_;
  std::size_t segment_ = 0;    // where the open one begins
  std::string_view argument_;  // the last one in it
  bool in_query_ = false;
};

void add_query_value(TargetBuilder& target, std::string_view name, Json value) {
  if (!value || value.is(JsonKind::null)) return;
  if (value.is(JsonKind::array)) {
    for (const Json element : value) add_query_value(target, name, element);
    return;
  }
  target.add_query(name, value.is(JsonKind::string) ? value.node()->string : value.raw());
}

bool build_target(Parameters parameters, const config::HttpTool& http, Json arguments,
                  http::UpstreamRequest& out, std::string& refusal) {
  TargetBuilder target(refusal);
  for (const auto& part : http.path.parts) {
    const bool added = part.is_slot
                           ? target.add_argument(part.text, argument_text(arguments, part.text))
                           : target.add_literal(part.text);
    if (!added) return false;
  }
  if (!target.end_path()) return false;
  for (const auto& [name, text] : http.query) {
    if (text.is_one_slot()) {
      add_query_value(target, name, arguments.find(text.parts[0].text));
    } else if (const auto value = expand(text, arguments)) {
      target.add_query(name, *value);
    }
  }
  for (const auto& parameter : parameters) {
    if (parameter.in != ParameterIn::query) continue;
    add_query_value(target, sent_name(parameter), arguments.find(parameter.name));
  }
  out.target = std::move(target).take();
  return true;
}

bool build_fields(Parameters parameters, const config::HttpTool& http, Json arguments,
                  http::UpstreamRequest& out, std::string& refusal) {
  const auto is_safe = [&](std::string_view parameter) {
    const auto value = argument_text(arguments, parameter);
    if (!value || http::is_field_value(*value)) return true;
    refusal = "The parameter " + quoted(parameter) +
              " goes into a header and must not hold line breaks or other control characters.";
    return false;
  };
  for (const auto& [name, text] : http.headers) {
    for (const auto& part : text.parts) {
      if (part.is_slot && !is_safe(part.text)) return false;
    }
    if (const auto value = expand(text, arguments)) out.fields.set(name, *value);
  }
  for (const auto& parameter : parameters) {
    if (parameter.in != ParameterIn::header) continue;
    if (!is_safe(parameter.name)) return false;
    const auto value = argument_text(arguments, parameter.name);
    if (value) out.fields.set(sent_name(parameter), *value);
  }
  return true;
}

/// Members of the parameters that go into the body, behind those of the template.
void build_json_body(Parameters parameters, const config::HttpTool& http, Json arguments,
                     http::UpstreamRequest& out) {
  bool has_members = false;
  for (const auto& parameter : parameters) has_members |= parameter.in == ParameterIn::body;
  if (!http.body && !has_members) return;
  out.content_type = "application/json";
  if (http.body) out.body = expand(*http.body, arguments);
  if (has_members) {
    if (out.body.empty()) out.body = "{}";
    out.body.pop_back();
    for (const auto& parameter : parameters) {
      if (parameter.in != ParameterIn::body) continue;
      const Json value = arguments.find(parameter.name);
      if (!value) continue;
      if (out.body.back() != '{') out.body += ',';
      json::append_string(out.body, sent_name(parameter));
      out.body += ':';
      out.body += value.raw();
    }
    out.body += '}';
  }
  out.has_body = !out.body.empty();
}

}  // namespace

std::optional<http::UpstreamRequest> build_http_request(Parameters parameters,
                                                        const config::HttpTool& http,
                                                        Json arguments, std::string& refusal) {
  std::optional<http::UpstreamRequest> made;
  http::UpstreamRequest out;
  out.method = http.method;
  out.accept = accept_for(http.result);
  if (!build_target(parameters, http, arguments, out, refusal)) return made;
  if (!build_fields(parameters, http, arguments, out, refusal)) return made;
  if (http.body_text) {
    if (auto text = expand(*http.body_text, arguments)) {
      out.has_body = true;
      out.body = std::move(*text);
      out.content_type =
          http.content_type.empty() ? "text/plain; charset=utf-8" : http.content_type;
    }
  } else {
    build_json_body(parameters, http, arguments, out);
  }
  made = std::move(out);
  return made;
}

std::string http_request_problem(Parameters parameters, const config::HttpTool& http) {
  if (!http::is_field_name(http.method)) return quoted(http.method) + " is not an HTTP method";
  if (http.path.parts.empty() || http.path.parts[0].is_slot || http.path.parts[0].text.empty() ||
      http.path.parts[0].text[0] != '/') {
    return "the path of the request has to begin with /";
  }
  const auto field_problem = [](std::string_view name) -> std::string {
    if (!http::is_field_name(name)) return quoted(name) + " is not the name of a header field";
    if (http::is_own_field(name))
      return "the header field " + std::string(name) + " is set by sluice itself";
    return {};
  };
  std::string problem;
  for (const auto& [name, text] : http.headers) {
    if (problem.empty()) problem = field_problem(name);
    for (const auto& part : text.parts) {
      if (!http::is_field_value(part.text))
        problem = "the header field " + name + " holds a control character";
    }
  }
  for (const auto& parameter : parameters) {
    if (problem.empty() && parameter.in == ParameterIn::header)
      problem = field_problem(sent_name(parameter));
  }
  return problem;
}

}  // namespace sluice::tools
