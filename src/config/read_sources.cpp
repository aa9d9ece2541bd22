#include "config/files.hpp"
#include "config/json_text.hpp"
#include "config/names.hpp"
#include "config/sections.hpp"

namespace sluice::config {
namespace {

void read_tls(const Field& field, Tls& out) {
  const Section section(field, keys::tls);
  section.boolean("verify", out.verify);
  const auto file = [&](std::string_view key, std::string& path) {
    const auto value = section.find(key);
    if (value && !(value->is_scalar() && value->node().value.empty()))
      path = readable_file(*value).value_or("");
  };
  file("ca_file", out.ca_file);
  file("cert_file", out.cert_file);
  file("key_file", out.key_file);
  if (section.has("cert_file") != section.has("key_file"))
    field.complain("cert_file and key_file go together");
}

void read_headers(const Field& field, HttpSource& out) {
  for (const auto& member : field.members()) {
    if (const auto wrong = wrong_header_name(member.key); !wrong.empty())
      field.context().complaints.add(member.spot, member.value.name() + ": " + wrong);
    auto value = member.value.secret();
    if (!value) continue;
    if (const auto wrong = wrong_header_value(*value); !wrong.empty()) member.value.complain(wrong);
    out.headers.emplace_back(member.key, *std::move(value));
  }
}

HttpSource read_http_source(const Field& field, const std::string& name) {
  HttpSource out;
  out.name = name;
  out.place = field.place();
  const Section section(field, keys::source);
  static constexpr std::pair<std::string_view, bool> kTypes[] = {{"http", true}};
  bool is_http = false;
  if (!section.has("type")) field.complain("\"type: http\" is missing");
  section.choice("type", is_http, kTypes);
  if (const auto url = section.find("base_url")) {
    if (auto text = url->text()) {
      if (const auto wrong = wrong_base_url(*text); !wrong.empty()) url->complain(wrong);
      out.base_url = *std::move(text);
    }
  } else {
    field.complain("base_url is missing");
  }
  if (const auto headers = section.find("headers")) read_headers(*headers, out);
  section.duration("timeout", out.timeout);
  section.duration("connect_timeout", out.connect_timeout);
  section.duration("idle_timeout", out.idle_timeout, 0ms);
  section.integer("connections", out.connections, 1, 65'536);
  section.integer("redirects", out.redirects, 0, 100);
  section.bytes("error_body", out.error_body, 0);
  if (const auto tls = section.find("tls")) read_tls(*tls, out.tls);
  return out;
}

}  // namespace

void read_sources(const Field& field, std::vector<HttpSource>& out) {
  for (const auto& member : field.members())
    out.push_back(read_http_source(member.value, member.key));
}

void read_plugins(const Field& field, std::vector<Plugin>& out) {
  for (const auto& element : field.elements()) {
    Plugin plugin;
    plugin.place = element.place();
    if (element.is_mapping()) {
      const Section section(element, keys::plugin);
      if (const auto path = section.find("path"))
        plugin.path = readable_file(*path).value_or("");
      else
        element.complain("path is missing");
      if (const auto settings = section.find("settings"))
        plugin.settings = to_json_object(*settings).value_or("{}");
      if (const auto results = section.find("results"))
        for (const auto& member : results->members())
          plugin.results.push_back(read_results(member.key, Section(member.value, keys::shaping)));
    } else {
      plugin.path = readable_file(element).value_or("");
    }
    out.push_back(std::move(plugin));
  }
}

}  // namespace sluice::config
