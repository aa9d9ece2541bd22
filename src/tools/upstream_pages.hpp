#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <sluice/result_writer.hpp>

#include "config/config.hpp"
#include "http/upstream_request.hpp"
#include "http/upstream_response.hpp"
#include "http/upstream_url.hpp"
#include "json/select.hpp"
#include "mcp/inner_call.hpp"

namespace sluice::tools {

/// Follows the pages that an upstream gives itself: asks for the one that the call's cursor names,
/// and finds what names the next one, in the head of the response or while its body passes.
///
/// A URL is followed below the source's base_url only.
///
/// Ownership: one per call; borrows all it is given.
/// Threads:   the call's loop.
/// Memory:    what json::Selector takes; of what it finds kMaxNext bytes.
class UpstreamPages {
 public:
  static constexpr std::size_t kMaxNext = 4096;

  UpstreamPages(mcp::InnerCall& call, const config::UpstreamPaging& paging,
                const http::UpstreamUrl& url);

  /// Makes the request that of the call's page. False, and `refusal` has a sentence for the caller,
  /// where its cursor is not good.
  [[nodiscard]] bool turn(http::UpstreamRequest& request, std::string& refusal);
  void read_head(const http::UpstreamHead& head);
  void read_body(std::string_view piece);
  /// Nothing that comes now is of use.
  [[nodiscard]] bool is_done() const noexcept { return !selector_ || selector_->is_done(); }
  /// The body is over: tells the model where the next page is, where there is one.
  [[nodiscard]] Awaitable<Result<>> tell_next(ResultWriter& out);

 private:
  /// What a cursor holds for it; empty where there is none, and `problem_` says why.
  [[nodiscard]] std::string place_of(std::string_view url);
  [[nodiscard]] std::string next_place();

  mcp::InnerCall& call_;
  const config::UpstreamPaging& paging_;
  const http::UpstreamUrl& url_;
  std::optional<json::Selector> selector_;  // of what names the next page
  std::string found_;                       // its JSON
  std::string target_;                      // that was asked for
  std::string place_;
  std::string problem_;
};

}  // namespace sluice::tools
