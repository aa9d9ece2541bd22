#include "mcp/response_log.hpp"

#include <utility>

#include "mcp/change_text.hpp"

namespace sluice::mcp {

void ResponseLog::begin_text() {
  if (stream_ == 0) {
    stream_ = inbox_->next_stream();
    inbox_->kept().begin(stream_, request_);
  }
  number_ = inbox_->next_message();
  const EventId id{inbox_->epoch(), EventId::Kind::response, stream_, number_,
                   std::string(request_)};
  text_ = "id: " + id.text() + '\n';
}

std::string_view ResponseLog::prime() {
  begin_text();
  append_priming(text_, retry_);
  return text_;
}

std::string_view ResponseLog::event(std::string_view json) {
  begin_text();
  std::string whole;
  append_event(whole, json, text_);
  inbox_->kept().add_event(stream_, number_, std::move(whole));
  return text_;
}

void ResponseLog::result(std::string_view bytes) { inbox_->kept().add_result(stream_, bytes); }

void ResponseLog::end(End end) { inbox_->kept().end(stream_, end == End::whole); }

}  // namespace sluice::mcp
