#include "json/select.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/check.hpp"

namespace sluice::json {

// The side of what is put out, and what is not yet known to be.

Selector::Selector(std::shared_ptr<const SelectPlan> plan)
    : Selector(std::move(plan), Limits(), simd()) {}

Selector::Selector(std::shared_ptr<const SelectPlan> plan, Limits limits, Simd with)
    : plan_(std::move(plan)),
      limits_(limits),
      structure_(with),
      target_(plan_->root()),
      put_out_(plan_->outer_levels()) {}

Result<Step> Selector::step(std::string_view in, std::span<char> out) noexcept {
  Step done;
  while (true) {
    if (is_held_ready_) write_held(out, done);
    if (is_held_ready_) return done;
    if (state_ == State::closing) write_closing(out, done);
    if (state_ == State::done) return Step{in.size(), done.written};
    if (state_ == State::failed) return failure_.code;

    // No more than there is room for, so that what is copied always fits.
    size_ = std::min({Structure::kPiece, in.size() - done.read, out.size() - done.written});
    if (size_ == 0) return done;
    text_ = in.data() + done.read;
    out_ = out.data() + done.written;
    room_ = out.size() - done.written;
    const std::size_t room = room_;
    structure_.index(text_, size_);
    const std::size_t at = walk();
    end_piece(at);
    done.read += at;
    done.written += room - room_;
    base_ += at;
    if (state_ == State::failed && done.written > 0) return done;
  }
}

Result<void> Selector::finish() noexcept {
  SLUICE_DCHECK(!is_held_ready_ && state_ != State::closing);
  if (state_ == State::scalar && levels_.empty()) state_ = State::end;
  if (state_ == State::end || state_ == State::done) return {};
  if (state_ != State::failed) fail(Errc::not_json, 0, "the text ends before the value does");
  return failure_.code;
}

bool Selector::fail(Errc code, std::size_t at, const char* what) noexcept {
  state_ = State::failed;
  failure_ = {code, base_ + at, what};
  return false;
}

/// What is copied, up to `to`.
void Selector::put(std::size_t to) noexcept {
  const std::size_t n = to - range_;
  if (n > 0) std::memcpy(out_, text_ + range_, n);
  out_ += n;
  room_ -= n;
  written_ += n;
  range_ = to;
}

void Selector::begin_header(std::size_t at) noexcept {
  is_undecided_ = true;
  header_ = at;
  header_mark_ = held_.size();
}

void Selector::drop_header() noexcept {
  if (is_copying_) {
    put(header_);
    is_copying_ = false;
  }
  held_.resize(header_mark_);
  is_undecided_ = false;
}

/// Moves what is undecided up to `to` where it outlives the piece.
bool Selector::hold(std::size_t to) noexcept {
  const std::size_t n = to - header_;
  if (n > limits_.window - std::min(limits_.window, held_.size()))
    return fail(
        Errc::result_too_large, to,
        "more bytes than limits.shaping_window stand before it is known whether they are wanted");
  if (is_copying_) put(header_);
  is_copying_ = false;
  held_.append(text_ + header_, n);
  header_ = to;
  return true;
}

/// What is undecided, up to `to`, is wanted, and with it the containers around. Where there is no
/// room for the rest of the piece too, what is behind `to` waits.
void Selector::keep(std::size_t to) noexcept {
  has_match_ = true;
  is_undecided_ = false;
  if (is_copying_) {
    // It follows on what was copied.
    if (!levels_.empty()) levels_.back().has_items = true;
    return;
  }
  is_copying_ = true;
  mark_levels();
  if (held_.size() + (size_ - header_) > room_) {
    held_.append(text_ + header_, to - header_);
    is_held_ready_ = must_pause_ = true;
    range_ = to;
    return;
  }
  if (!held_.empty()) std::memcpy(out_, held_.data(), held_.size());
  out_ += held_.size();
  room_ -= held_.size();
  written_ += held_.size();
  held_.clear();
  range_ = header_;
}

/// All that is open is put out, and has something in it.
void Selector::mark_levels() noexcept {
  const std::size_t outer = plan_->outer_levels();
  for (std::size_t i = put_out_ > outer ? put_out_ - 1 : outer; i < levels_.size(); ++i)
    levels_[i].has_items = true;
  put_out_ = levels_.size();
}

void Selector::end_piece(std::size_t at) noexcept {
  if (is_undecided_ && state_ != State::failed) {
    if (state_ == State::in_name && !is_name_held_) {
      name_ = held_.size() + (name_ - header_);
      is_name_held_ = true;
    }
    if (hold(at)) header_ = 0;
  }
  if (is_copying_) put(is_undecided_ ? header_ : at);
  range_ = 0;
}

void Selector::write_held(std::span<char> out, Step& done) noexcept {
  const std::size_t n = std::min(held_.size() - held_written_, out.size() - done.written);
  if (n > 0) std::memcpy(out.data() + done.written, held_.data() + held_written_, n);
  done.written += n;
  written_ += n;
  held_written_ += n;
  if (held_written_ < held_.size()) return;
  held_.clear();
  held_written_ = 0;
  is_held_ready_ = false;
}

void Selector::write_closing(std::span<char> out, Step& done) noexcept {
  while (put_out_ > plan_->outer_levels()) {
    if (done.written == out.size()) return;
    --put_out_;
    out[done.written++] = levels_[put_out_].is_object ? '}' : ']';
    ++written_;
  }
  state_ = State::done;
}

}  // namespace sluice::json
