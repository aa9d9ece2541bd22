#include "mcp/request_params.hpp"

#include "json/document.hpp"

namespace sluice::mcp {

const Json& empty_object() {
  static json::Document document;
  static const Json root = *document.parse_copy("{}");
  return root;
}

}  // namespace sluice::mcp
