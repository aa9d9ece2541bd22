#include <sluice/error.hpp>

#include <string>

namespace sluice {
namespace {

const char* text_of(Errc e) noexcept {
  switch (e) {
    case Errc::ok:
      return "success";
    case Errc::parse_error:
      return "not a JSON text in UTF-8";
    case Errc::too_deep:
      return "nested deeper than limits.nesting allows";
    case Errc::too_many_values:
      return "holds more JSON values than limits.values allows";
    case Errc::invalid_request:
      return "not a JSON-RPC 2.0 message";
    case Errc::invalid_params:
      return "invalid params";
    case Errc::method_not_found:
      return "method not found";
    case Errc::body_too_large:
      return "larger than limits.request_body allows";
    case Errc::cancelled:
      return "cancelled";
    case Errc::deadline:
      return "the tool's timeout passed";
    case Errc::result_too_large:
      return "the result reached its size limit";
    case Errc::frames_exhausted:
      return "limits.frames is used up";
    case Errc::busy:
      return "too many calls in flight";
    case Errc::stalled:
      return "the client took nothing for timeouts.stall";
    case Errc::peer_gone:
      return "the client closed the connection";
    case Errc::shutting_down:
      return "the server is shutting down";
    case Errc::source_failed:
      return "the source of the tool failed";
    case Errc::not_json:
      return "the source did not give one JSON value";
    case Errc::misuse:
      return "the result writer was used out of order";
    case Errc::missing_capability:
      return "the client has not declared the capability that is needed to ask it";
    case Errc::cannot_ask:
      return "the client cannot be asked in the course of this call";
    case Errc::no_answer:
      return "there was no answer within timeouts.ask";
    case Errc::bad_answer:
      return "the client did not answer what it was asked";
    case Errc::too_many_questions:
      return "more questions at once than limits.questions allows";
    case Errc::state_too_large:
      return "the answers of all rounds are larger than limits.request_state allows";
    case Errc::input_required:
      return "the caller is asked first";
    case Errc::forged:
      return "not sealed by this server, or changed since";
    case Errc::expired:
      return "expired";
  }
  return "unknown error";
}

class Category final : public boost::system::error_category {
 public:
  const char* name() const noexcept override { return "sluice"; }
  std::string message(int value) const override { return text_of(static_cast<Errc>(value)); }
};

}  // namespace

const boost::system::error_category& error_category() noexcept {
  static const Category category;
  return category;
}

}  // namespace sluice
