#include "config/variables.hpp"

#include <cstdlib>

namespace sluice::config {
namespace {

bool is_name(std::string_view text) {
  if (text.empty() || (text[0] >= '0' && text[0] <= '9')) return false;
  for (const char c : text)
    if (!((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'))
      return false;
  return true;
}

/// `inside` is what stands between `${` and `}`.
void replace(std::string_view inside, Expanded& out) {
  const auto colon = inside.find(':');
  const std::string name(inside.substr(0, colon));
  if (!is_name(name)) {
    out.faults.push_back("after \"${\" the name of an environment variable is expected");
    return;
  }
  const char* const value = std::getenv(name.c_str());
  if (colon == std::string_view::npos) {
    if (value != nullptr)
      out.segments.push_back({value, true});
    else
      out.faults.push_back("the environment variable " + name + " is not set");
    return;
  }
  const std::string_view rest = inside.substr(colon);
  const bool is_set = value != nullptr && *value != '\0';
  if (rest.starts_with(":-")) {
    // The first brace ends the placeholder, so a placeholder inside a default would be cut in two.
    if (rest.find("${") != std::string_view::npos)
      out.faults.push_back("the default of ${" + name + ":-...} cannot hold another \"${\"");
    else
      out.segments.push_back({is_set ? std::string(value) : std::string(rest.substr(2)), true});
  } else if (rest.starts_with(":?")) {
    if (is_set) {
      out.segments.push_back({value, true});
      return;
    }
    std::string fault = "the environment variable " + name + " is not set";
    if (rest.size() > 2) fault.append(": ").append(rest.substr(2));
    out.faults.push_back(std::move(fault));
  } else {
    out.faults.push_back("in ${" + name + ":...} a \"-\" or \"?\" is expected after the colon");
  }
}

}  // namespace

Expanded expand(std::string_view written) {
  Expanded out;
  const auto keep = [&](std::string_view text) {
    if (!text.empty()) out.segments.push_back({std::string(text), false});
  };
  while (true) {
    const auto open = written.find("${");
    if (open == std::string_view::npos) break;
    keep(written.substr(0, open));
    written.remove_prefix(open + 2);
    const auto close = written.find('}');
    if (close == std::string_view::npos) {
      out.faults.push_back("\"${\" without the \"}\" that ends it");
      return out;
    }
    replace(written.substr(0, close), out);
    written.remove_prefix(close + 1);
  }
  keep(written);
  return out;
}

}  // namespace sluice::config
