#include "tools/page_cursor.hpp"

#include <new>

#include "base/base64url.hpp"
#include "base/digest.hpp"
#include "json/canonical.hpp"
#include "json/document.hpp"
#include "mcp/json_members.hpp"

namespace sluice::tools {
namespace {

/// Arguments have been parsed before; their depth had its limit then.
constexpr std::uint32_t kMaxNesting = 2000;

/// Who calls what, with which arguments but for the cursor.
std::string purpose_of(const mcp::InnerCall& call) {
  std::string others = "{";
  for (const auto& [name, value] : call.arguments().members()) {
    if (name == kCursor) continue;
    if (others.size() > 1) others += ',';
    json::append_string(others, name);
    others += ':';
    others += value.raw();
  }
  others += '}';
  json::Document document;
  const auto arguments = document.parse_copy(others, kMaxNesting);
  std::string binding = call.caller() + '\n';
  binding += call.tool();
  binding += '\n';
  binding += arguments ? json::canonical(*arguments) : others;
  std::string digest;
  if (!append_sha256(digest, binding)) throw std::bad_alloc();
  return "page " + base64url_encode(digest);
}

}  // namespace

std::string seal_cursor(const mcp::InnerCall& call, std::string_view place,
                        std::chrono::milliseconds ttl) {
  return call.sealer().seal(purpose_of(call), place,
                            Sealer::now() + std::chrono::ceil<std::chrono::seconds>(ttl));
}

Result<std::string> open_cursor(const mcp::InnerCall& call) {
  const Json cursor = call.argument(kCursor);
  if (!cursor || cursor.is(JsonKind::null)) return std::string();
  if (!cursor.is(JsonKind::string)) return Errc::forged;
  auto opened = call.sealer().open(purpose_of(call), *cursor.as_string(), Sealer::now());
  if (!opened) return opened.error();
  return std::move(opened->text);
}

std::string_view cursor_problem(boost::system::error_code why) noexcept {
  if (why == Errc::expired)
    return "The cursor has expired. Call the tool without it to begin anew.";
  return "The cursor is none that this tool gave for these arguments. Repeat the arguments of the "
         "first call, or call without a cursor to begin anew.";
}

std::string schema_with_cursor(std::string_view schema, std::string& problem) {
  constexpr std::string_view kProperty =
      R"("cursor":{"type":"string","description":"Where the next page begins: as the last page said. )"
      R"(Leave it out for the first page; give the other arguments as they were."})";
  json::Document document;
  const auto root = document.parse_copy(schema, kMaxNesting);
  if (!root || !root->is(JsonKind::object)) return std::string(schema);  // is refused elsewhere
  const Json properties = root->find("properties");
  if (properties.find(kCursor)) {
    problem = "has a parameter named cursor, which page adds itself";
    return {};
  }
  std::string out = "{";
  for (const auto& [name, value] : root->members()) {
    if (name == "properties") continue;
    json::append_string(out, name);
    out += ':';
    out += value.raw();
    out += ',';
  }
  out += R"("properties":{)";
  if (properties.is(JsonKind::object))
    for (const auto& [name, value] : properties.members()) {
      json::append_string(out, name);
      out += ':';
      out += value.raw();
      out += ',';
    }
  out += kProperty;
  return out + "}}";
}

}  // namespace sluice::tools
