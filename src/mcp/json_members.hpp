#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <sluice/icon.hpp>
#include <sluice/result_writer.hpp>

/// Objects of the protocol as text, member by member. `out` ends inside an object: behind its brace
/// or behind a member. Names are constants of ours; values are escaped unless they are JSON.
namespace sluice::mcp {

/// `"name":json`, with a comma where one is due.
void append_member(std::string& out, std::string_view name, std::string_view json);
/// A string; nothing where it is empty.
void append_text(std::string& out, std::string_view name, std::string_view text);
void append_flag(std::string& out, std::string_view name, const std::optional<bool>& flag);
/// `icons`; nothing where there are none.
void append_icons(std::string& out, std::span<const Icon> icons);
/// `annotations` of content and resources; nothing where nothing is set.
void append_annotations(std::string& out, const Annotations* annotations);

/// JSON that others wrote may hold line breaks, which a `data:` line cannot; inside its strings
/// there are none.
void make_one_line(std::string& json);

}  // namespace sluice::mcp
