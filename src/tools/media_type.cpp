#include "tools/media_type.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/ascii.hpp"
#include "tools/source_result.hpp"

namespace sluice::tools {
namespace {

bool begins(std::string_view text, std::string_view lower_case) noexcept {
  return text.size() >= lower_case.size() &&
         ascii::iequals(text.substr(0, lower_case.size()), lower_case);
}

bool ends(std::string_view text, std::string_view lower_case) noexcept {
  return text.size() >= lower_case.size() &&
         ascii::iequals(text.substr(text.size() - lower_case.size()), lower_case);
}

// Types outside text/ whose bytes are for reading.
constexpr std::array kTextTypes{
    std::string_view{"application/xml"},
    std::string_view{"application/javascript"},
    std::string_view{"application/ecmascript"},
    std::string_view{"application/x-javascript"},
    std::string_view{"application/yaml"},
    std::string_view{"application/x-yaml"},
    std::string_view{"application/toml"},
    std::string_view{"application/sql"},
    std::string_view{"application/graphql"},
    std::string_view{"application/x-ndjson"},
    std::string_view{"application/jsonl"},
    std::string_view{"application/json-seq"},
    std::string_view{"application/x-sh"},
    std::string_view{"application/x-www-form-urlencoded"},
};

using Ending = std::pair<std::string_view, std::string_view>;
constexpr std::array kEndings{
    Ending{"txt", "text/plain"},
    Ending{"text", "text/plain"},
    Ending{"log", "text/plain"},
    Ending{"conf", "text/plain"},
    Ending{"ini", "text/plain"},
    Ending{"md", "text/markdown"},
    Ending{"markdown", "text/markdown"},
    Ending{"rst", "text/x-rst"},
    Ending{"csv", "text/csv"},
    Ending{"tsv", "text/tab-separated-values"},
    Ending{"html", "text/html"},
    Ending{"htm", "text/html"},
    Ending{"css", "text/css"},
    Ending{"ics", "text/calendar"},
    Ending{"diff", "text/x-diff"},
    Ending{"patch", "text/x-diff"},
    Ending{"c", "text/x-c"},
    Ending{"h", "text/x-c"},
    Ending{"cc", "text/x-c++"},
    Ending{"cpp", "text/x-c++"},
    Ending{"hpp", "text/x-c++"},
    Ending{"py", "text/x-python"},
    Ending{"rs", "text/x-rust"},
    Ending{"go", "text/x-go"},
    Ending{"java", "text/x-java"},
    Ending{"ts", "text/x-typescript"},
    Ending{"tex", "text/x-tex"},
    Ending{"js", "text/javascript"},
    Ending{"mjs", "text/javascript"},
    Ending{"json", "application/json"},
    Ending{"geojson", "application/geo+json"},
    Ending{"jsonl", "application/x-ndjson"},
    Ending{"ndjson", "application/x-ndjson"},
    Ending{"xml", "application/xml"},
    Ending{"yaml", "application/yaml"},
    Ending{"yml", "application/yaml"},
    Ending{"toml", "application/toml"},
    Ending{"sql", "application/sql"},
    Ending{"sh", "application/x-sh"},
    Ending{"pdf", "application/pdf"},
    Ending{"zip", "application/zip"},
    Ending{"gz", "application/gzip"},
    Ending{"tar", "application/x-tar"},
    Ending{"docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"},
    Ending{"xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"},
    Ending{"pptx", "application/vnd.openxmlformats-officedocument.presentationml.presentation"},
    Ending{"parquet", "application/vnd.apache.parquet"},
    Ending{"sqlite", "application/vnd.sqlite3"},
    Ending{"wasm", "application/wasm"},
    Ending{"png", "image/png"},
    Ending{"jpg", "image/jpeg"},
    Ending{"jpeg", "image/jpeg"},
    Ending{"gif", "image/gif"},
    Ending{"webp", "image/webp"},
    Ending{"avif", "image/avif"},
    Ending{"bmp", "image/bmp"},
    Ending{"tif", "image/tiff"},
    Ending{"tiff", "image/tiff"},
    Ending{"svg", "image/svg+xml"},
    Ending{"ico", "image/vnd.microsoft.icon"},
    Ending{"mp3", "audio/mpeg"},
    Ending{"wav", "audio/wav"},
    Ending{"ogg", "audio/ogg"},
    Ending{"opus", "audio/ogg"},
    Ending{"flac", "audio/flac"},
    Ending{"m4a", "audio/mp4"},
    Ending{"mp4", "video/mp4"},
    Ending{"webm", "video/webm"},
};

}  // namespace

std::string_view media_essence(std::string_view media_type) noexcept {
  media_type = media_type.substr(0, media_type.find(';'));
  const auto first = media_type.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return media_type.substr(first, media_type.find_last_not_of(" \t") - first + 1);
}

MediaClass media_class(std::string_view media_type) noexcept {
  const std::string_view type = media_essence(media_type);
  if (type.empty()) return MediaClass::text;
  if (ascii::iequals(type, "application/json") || ascii::iequals(type, "text/json") ||
      ends(type, "+json")) {
    return MediaClass::json;
  }
  if (begins(type, "image/")) return MediaClass::image;
  if (begins(type, "audio/")) return MediaClass::audio;
  if (begins(type, "text/") || ends(type, "+xml") || ends(type, "+yaml")) return MediaClass::text;
  const auto is_type = [type](std::string_view t) { return ascii::iequals(type, t); };
  if (std::any_of(kTextTypes.begin(), kTextTypes.end(), is_type)) return MediaClass::text;
  return MediaClass::other;
}

std::string_view media_type_of(std::string_view file_name) noexcept {
  const auto slash = file_name.rfind('/');
  if (slash != std::string_view::npos) file_name.remove_prefix(slash + 1);
  const auto dot = file_name.rfind('.');
  if (dot != std::string_view::npos && dot > 0) {
    const std::string_view ending = file_name.substr(dot + 1);
    for (const auto& [name, type] : kEndings) {
      if (ascii::iequals(ending, name)) return type;
    }
  }
  return "application/octet-stream";
}

}  // namespace sluice::tools
