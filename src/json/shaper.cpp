#include "json/shaper.hpp"

#include <utility>

#include "base/check.hpp"

namespace sluice::json {

Shaper::Shaper(Shape shape, Simd with) {
  SLUICE_CHECK(!shape.is_nothing());
  if (shape.select) {
    selector_.emplace(std::move(shape.select), shape.select_limits, with);
    add(Kind::select);
  }
  if (shape.max_bytes) {
    limiter_.emplace(JsonLimiter::Limits{*shape.max_bytes, shape.limit_depth, shape.limit_window},
                     with);
    add(Kind::limit);
  }
  if (shape.table) {
    table_.emplace(std::move(*shape.table), with);
    add(Kind::table);
  }
}

void Shaper::add(Kind kind) {
  if (count_ > 0) stages_[count_ - 1].window = std::make_unique<char[]>(kWindow);
  stages_[count_++].kind = kind;
}

Result<Step> Shaper::step(std::string_view in, std::span<char> out) noexcept {
  Step done;
  while (true) {
    bool has_moved = false;
    // From the last one on, so that each finds room behind it.
    for (std::size_t at = count_; at-- > 0;) {
      const Result<void> moved = move(at, in, out, done, has_moved);
      if (!moved && done.written > 0) return done;
      if (!moved) return moved.error();
    }
    if (!has_moved) break;
  }
  if (is_done_) done.read = in.size();
  return done;
}

/// Takes what there is for one of them through it. Something may have come of it.
Result<void> Shaper::move(std::size_t at, std::string_view in, std::span<char> out, Step& done,
                          bool& has_moved) noexcept {
  Stage& stage = stages_[at];
  const bool is_last = at + 1 == count_;
  if (stage.is_over || (!is_last && stage.from != stage.to)) return {};
  Stage* const before = at == 0 ? nullptr : &stages_[at - 1];
  const std::string_view input =
      before == nullptr
          ? in.substr(done.read)
          : std::string_view(before->window.get() + before->from, before->to - before->from);
  const std::span<char> room =
      is_last ? out.subspan(done.written) : std::span<char>(stage.window.get(), kWindow);
  if (room.empty()) return {};
  const Result<Step> step = step_one(stage.kind, input, room);
  if (!step) return step.error();
  if (before == nullptr) {
    done.read += step->read;
  } else {
    before->from += step->read;
  }
  if (is_last) {
    done.written += step->written;
  } else {
    stage.from = 0;
    stage.to = step->written;
  }
  has_moved = has_moved || step->read > 0 || step->written > 0;
  if (step->written == room.size() || step->read < input.size()) return {};
  // Nothing is left in it, or to come.
  if (stage.is_finished || is_done_one(stage.kind)) {
    // Nor do those in front have anything to do: what they would still find is not wanted.
    for (std::size_t i = 0; i <= at; ++i) stages_[i].is_over = true;
    is_done_ = has_moved = true;
    return {};
  }
  if (before == nullptr ? !is_input_over_ : !before->is_over) return {};
  if (stage.kind != Kind::select && selector_ && !selector_->has_match()) {
    stage.is_over = has_moved = true;
    return {};
  }
  const Result<void> end = finish_one(stage.kind);
  if (!end) return end.error();
  stage.is_finished = has_moved = true;
  return {};
}

Result<Step> Shaper::step_one(Kind kind, std::string_view in, std::span<char> out) noexcept {
  switch (kind) {
    case Kind::select:
      return selector_->step(in, out);
    case Kind::limit:
      return limiter_->step(in, out);
    default:
      return table_->step(in, out);
  }
}

Result<void> Shaper::finish_one(Kind kind) noexcept {
  switch (kind) {
    case Kind::select:
      return selector_->finish();
    case Kind::limit:
      return limiter_->finish();
    default:
      return table_->finish();
  }
}

bool Shaper::is_done_one(Kind kind) const noexcept {
  switch (kind) {
    case Kind::select:
      return selector_->is_done();
    case Kind::limit:
      return limiter_->is_done();
    default:
      return false;
  }
}

std::string Shaper::problem() const {
  const StepFailure* found = nullptr;
  const char* of = "";
  if (selector_ && selector_->failure().code != Errc::ok) {
    found = &selector_->failure();
  } else if (limiter_ && limiter_->failure().code != Errc::ok) {
    found = &limiter_->failure();
    if (selector_) of = " of what was selected";
  } else if (table_) {
    found = &table_->failure();
    if (selector_ || limiter_) of = " of what was selected";
  }
  if (found == nullptr || found->what == nullptr) return "nothing went wrong";
  return std::string(found->what) + ", at byte " + std::to_string(found->offset) + of;
}

}  // namespace sluice::json
