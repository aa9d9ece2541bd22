#pragma once

#include <string>
#include <string_view>

#include <sluice/result_writer.hpp>

#include "mcp/revision.hpp"

/// Content blocks that are made as one text, for messages that are held in memory.
namespace sluice::mcp {

/// {"type":...}: `content` escaped or as base64, as the kind of the block asks for.
/// REQUIRES: it is not structured.
void append_content(std::string& out, const Block& block, std::string_view content,
                    const Revision& revision);
/// {"type":"resource_link",...}; a text block that names the resource where the revision has no
/// links.
void append_link(std::string& out, const ResourceLink& link, const Revision& revision);

/// `bytes` as a JSON string in base64.
void append_base64(std::string& out, std::string_view bytes);

}  // namespace sluice::mcp
