#include "mcp/errors.hpp"

#include "json/document.hpp"
#include "mcp/client_capabilities.hpp"

namespace sluice::mcp {

Failure failure_of(boost::system::error_code ec) {
  Failure f;
  f.message = ec.message();
  if (ec.category() != error_category()) return f;
  switch (static_cast<Errc>(ec.value())) {
    case Errc::parse_error:
      f.code = rpc::kParseError;
      f.status = 400;
      break;
    case Errc::too_deep:
    case Errc::too_many_values:
    case Errc::invalid_request:
      f.code = rpc::kInvalidRequest;
      f.status = 400;
      break;
    case Errc::invalid_params:
    case Errc::forged:
    case Errc::expired:
      f.code = rpc::kInvalidParams;
      break;
    case Errc::method_not_found:
      f.code = rpc::kMethodNotFound;
      break;
    case Errc::body_too_large:
      f.code = rpc::kInvalidRequest;
      f.status = 413;
      break;
    case Errc::frames_exhausted:
    case Errc::busy:
    case Errc::shutting_down:
      f.code = rpc::kOverloaded;
      f.status = 503;
      break;
    case Errc::missing_capability:
      f.code = rpc::kMissingCapability;
      f.status = 400;
      break;
    case Errc::ok:
    case Errc::cancelled:
    case Errc::deadline:
    case Errc::result_too_large:
    case Errc::stalled:
    case Errc::peer_gone:
    case Errc::source_failed:
    case Errc::not_json:
    case Errc::misuse:
    case Errc::cannot_ask:
    case Errc::no_answer:
    case Errc::bad_answer:
    case Errc::too_many_questions:
    case Errc::state_too_large:
    case Errc::input_required:
      break;
  }
  return f;
}

Failure missing_capability(std::span<const std::string> names, const Revision& revision) {
  Failure f{rpc::kMissingCapability, 400, "Client capabilities are needed that are not declared",
            R"({"requiredCapabilities":)" + required_capabilities(names) + "}"};
  if (!revision.is_modern) {
    f.code = rpc::kInvalidRequest;  // the code is of 2026-07-28
    f.status = 200;
  }
  return f;
}

std::string render(const Failure& failure, std::string_view id) {
  std::string out = R"({"jsonrpc":"2.0",)";
  if (!id.empty()) {
    out += R"("id":)";
    out += id;
    out += ',';
  }
  out += R"("error":{"code":)";
  out += std::to_string(failure.code);
  out += R"(,"message":)";
  json::append_string(out, failure.message);
  if (!failure.data.empty()) {
    out += R"(,"data":)";
    out += failure.data;
  }
  out += "}}";
  return out;
}

std::string render_result(std::string_view id, std::string_view result) {
  std::string out;
  out.reserve(id.size() + result.size() + 40);
  out += R"({"jsonrpc":"2.0","id":)";
  out += id;
  out += R"(,"result":)";
  out += result;
  out += '}';
  return out;
}

}  // namespace sluice::mcp
