#include "tools/upstream_pages.hpp"

#include <array>
#include <memory>
#include <span>
#include <utility>

#include "http/link_header.hpp"
#include "json/document.hpp"
#include "json/path.hpp"
#include "tools/notice.hpp"
#include "tools/page_cursor.hpp"

namespace sluice::tools {
namespace {

// What a cursor names begins with one of these.
constexpr char kToken = 't';
constexpr char kTarget = 'u';

/// Gives a parameter of the query another value, or adds it.
std::string with_parameter(std::string_view target, std::string_view name, std::string_view value) {
  std::string pair;
  http::append_encoded(pair, name);
  pair += '=';
  const std::string start = pair;
  http::append_encoded(pair, value);
  const auto question = target.find('?');
  std::string out(target.substr(0, question));
  char separator = '?';
  std::string_view query =
      question == std::string_view::npos ? std::string_view() : target.substr(question + 1);
  while (!query.empty()) {
    const auto end = std::min(query.find('&'), query.size());
    const auto one = query.substr(0, end);
    query.remove_prefix(std::min(end + 1, query.size()));
    if (one.starts_with(start) || one.empty()) continue;
    out += std::exchange(separator, '&');
    out += one;
  }
  out += separator;
  return out + pair;
}

}  // namespace

UpstreamPages::UpstreamPages(mcp::InnerCall& call, const config::UpstreamPaging& paging,
                             const http::UpstreamUrl& url)
    : call_(call), paging_(paging), url_(url) {
  if (paging.next.empty()) return;
  json::Path::Problem unreadable;
  json::Selection selection;
  if (auto path = json::Path::parse(paging.next, unreadable))
    selection.select.push_back(*std::move(path));
  std::string problem;
  if (auto plan = json::SelectPlan::make(selection, problem))
    selector_.emplace(std::make_shared<const json::SelectPlan>(*std::move(plan)),
                      json::Selector::Limits{.max_depth = call.max_nesting()});
}

bool UpstreamPages::turn(http::UpstreamRequest& request, std::string& refusal) {
  const auto place = open_cursor(call_);
  if (!place) {
    refusal = cursor_problem(place.error());
    return false;
  }
  const std::string_view next = *place;
  if (next.starts_with(kTarget))
    request.target = next.substr(1);
  else if (next.starts_with(kToken))
    request.target = with_parameter(request.target, paging_.parameter, next.substr(1));
  target_ = url_.prefix + request.target;
  return true;
}

std::string UpstreamPages::place_of(std::string_view url) {
  using Kind = http::RedirectTarget::Kind;
  const auto to = http::resolve_redirect(url_, target_, url);
  std::string_view below = to.target;
  const bool is_below = to.kind == Kind::same_origin && below.starts_with(url_.prefix);
  if (is_below) below.remove_prefix(url_.prefix.size());
  if (is_below && below.starts_with('/')) return std::string(1, kTarget).append(below);
  problem_ = "There is more, but the source says that it is " +
             (to.shown.empty() ? "at what is no URL" : "at " + to.shown) +
             ", which is not below its base_url and is not followed.";
  return {};
}

void UpstreamPages::read_head(const http::UpstreamHead& head) {
  if (!paging_.next.empty()) return;
  const auto next = http::next_link(head.link);
  if (!next.empty()) place_ = place_of(next);
}

void UpstreamPages::read_body(std::string_view piece) {
  std::array<char, 512> room;
  while (selector_ && !selector_->is_done()) {
    const auto step = selector_->step(piece, room);
    if (!step) {
      problem_ = "Whether there is more is not known: the result is no JSON.";
      selector_.reset();
      return;
    }
    piece.remove_prefix(step->read);
    found_.append(room.data(), step->written);
    if (found_.size() > kMaxNext) {
      problem_ = "There is more, but what " + paging_.next + " says of it is too long.";
      found_.clear();
      selector_.reset();
      return;
    }
    if (piece.empty() && step->written < room.size()) return;
  }
}

std::string UpstreamPages::next_place() {
  if (!place_.empty() || found_.empty()) return place_;
  json::Document document;
  const auto next = document.parse_copy(found_);
  if (!next) return {};
  if (const auto text = next->as_string()) {
    if (text->empty()) return {};
    return paging_.parameter.empty() ? place_of(*text) : std::string(1, kToken).append(*text);
  }
  if (next->is(JsonKind::number) && !paging_.parameter.empty())
    return std::string(1, kToken).append(next->raw());
  if (!next->is(JsonKind::null) && next->as_bool() != false)
    problem_ = "Whether there is more is not known: " + paging_.next +
               (next->is(JsonKind::number) ? " is a number, which needs page.parameter."
                                           : " is neither text nor a number.");
  return {};
}

Awaitable<Result<>> UpstreamPages::tell_next(ResultWriter& out) {
  const std::string place = next_place();
  std::string notice = problem_;
  if (!place.empty())
    append_sentence(
        notice,
        "There is more. Call the tool again with the same arguments and this cursor for the next "
        "page: " +
            seal_cursor(call_, place, paging_.ttl));
  if (notice.empty()) co_return Result<>();
  const auto told = co_await tell(out, notice);
  co_return told;
}

}  // namespace sluice::tools
