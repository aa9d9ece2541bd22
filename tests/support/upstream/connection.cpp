#include "connection.hpp"

#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace upstream {
namespace {

constexpr std::size_t kMaxHead = 65536;

}  // namespace

Connection::~Connection() {
  if (answer_ && answer_->is_data) ++counts_.abandoned;
  ::close(socket_);
}

std::uint32_t Connection::waits_for() const {
  switch (state_) {
    case State::requests:
      return EPOLLIN;
    case State::sending:
      return EPOLLOUT;
    case State::delay:
    case State::pause:
      return EPOLLRDHUP;
  }
  return 0;
}

bool Connection::go_on(std::uint32_t events) {
  if ((state_ == State::delay || state_ == State::pause) && events != 0) return false;
  if (state_ == State::delay) {
    due_.reset();
    state_ = State::sending;
  }
  if (state_ == State::requests && !receive()) return false;
  for (;;) {
    if (state_ == State::requests && !begin_next()) return true;
    if (state_ != State::sending) return true;
    if (!send()) return false;
    if (state_ == State::sending) return true;
  }
}

bool Connection::receive() {
  char bytes[4096];
  const auto n = ::recv(socket_, bytes, sizeof bytes, MSG_DONTWAIT);
  if (n < 0) return errno == EAGAIN || errno == EINTR;
  if (n == 0 || input_.size() > kMaxHead) return false;
  input_.append(bytes, static_cast<std::size_t>(n));
  return true;
}

/// Takes the next request, if it is all there. Requests have no body here.
bool Connection::begin_next() {
  const auto end = input_.find("\r\n\r\n");
  if (end == std::string::npos) return false;
  const auto line = std::string_view(input_).substr(0, input_.find("\r\n"));
  const auto target = line.substr(line.find(' ') + 1, line.rfind(' ') - line.find(' ') - 1);
  answer_ = target == "/stats" ? stats() : answers_.to(target);
  input_.erase(0, end + 4);
  if (answer_->is_data) ++counts_.requests;
  sent_ = 0;
  state_ = State::sending;
  if (answer_->delay.count() > 0) {
    due_ = Clock::now() + answer_->delay;
    state_ = State::delay;
  }
  return true;
}

bool Connection::send() {
  const auto& head = answer_->head;
  const auto all = head.size() + answer_->send;
  while (sent_ < all) {
    std::array<iovec, 2> parts{};
    std::size_t count = 0;
    if (sent_ < head.size())
      parts[count++] = {const_cast<char*>(head.data()) + sent_, head.size() - sent_};
    const auto body_sent = sent_ < head.size() ? 0 : sent_ - head.size();
    parts[count++] = {const_cast<char*>(answer_->body->data()) + body_sent,
                      answer_->send - body_sent};
    msghdr message{};
    message.msg_iov = parts.data();
    message.msg_iovlen = count;
    const auto n = ::sendmsg(socket_, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno == EAGAIN;
    sent_ += static_cast<std::size_t>(n);
  }
  return finish();
}

bool Connection::finish() {
  if (answer_->end == Answer::End::close) return false;
  if (answer_->end == Answer::End::pause) {
    state_ = State::pause;
    return true;
  }
  if (answer_->is_data) ++counts_.completed;
  answer_.reset();
  state_ = State::requests;
  return true;
}

std::shared_ptr<const Answer> Connection::stats() const {
  Answer answer;
  answer.body = std::make_shared<const std::string>(
      "{\"requests\":" + std::to_string(counts_.requests) +
      ",\"completed\":" + std::to_string(counts_.completed) +
      ",\"abandoned\":" + std::to_string(counts_.abandoned) + "}");
  answer.send = answer.body->size();
  answer.head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " +
                std::to_string(answer.send) + "\r\n\r\n";
  return std::make_shared<const Answer>(std::move(answer));
}

}  // namespace upstream
