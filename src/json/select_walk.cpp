#include <cstring>

#include "json/select.hpp"
#include "json/unescape.hpp"

namespace sluice::json {

/// Up to the end of a value without anything to look for in it, and behind what follows it.
[[gnu::always_inline]] inline bool Selector::go_on_in_value(std::size_t& at) noexcept {
  if (state_ == State::string) {
    at = structure_.string_end(at);
    if (at < size_) value_is_over(++at);
  } else if (state_ == State::scalar) {
    at = structure_.scalar_end(at);
    if (at < size_) value_is_over(at);
  } else if (state_ == State::nested) {
    at = structure_.skip(at, nested_);
    if (nested_ == 0) value_is_over(at);
  }
  if (state_ != State::after) return true;
  at = structure_.token(at);
  if (at == size_) return true;
  const Level& level = levels_.back();
  const SelectPlan::State& state = plan_->state(level.state);
  if (level.is_object ? state.passes_members : state.passes_elements) at = pass(at);
  if (text_[at] == ',') {
    go_on_behind_comma(at);
  } else if (text_[at] != '}' && text_[at] != ']') {
    return fail(Errc::not_json, at, "a comma or a closing bracket must follow a value");
  } else if (!close(at)) {
    return false;
  }
  ++at;
  return true;
}

/// Goes through the piece, and returns where it stopped: at its end, or where all is done, wrong,
/// or has to wait for room.
std::size_t Selector::walk() noexcept {
  const std::size_t n = size_;
  std::size_t at = 0;
  while (at < n) {
    // What as a rule follows stands behind it, so that a processor need not guess where to go on.
    switch (state_) {
      case State::name:
        at = structure_.token(at);
        if (at == n) return n;
        if (!begin_name(at)) return at;
        ++at;
        [[fallthrough]];
      case State::in_name:
        at = structure_.string_end(at);
        if (at == n) {
          go_on_in_name();
          break;
        }
        if (!end_name(at)) return at;
        ++at;
        [[fallthrough]];
      case State::colon:
        at = structure_.token(at);
        if (at == n) return n;
        if (text_[at] != ':') {
          fail(Errc::not_json, at, "a colon must follow a name");
          return at;
        }
        state_ = State::value;
        ++at;
        [[fallthrough]];
      case State::value:
        at = structure_.token(at);
        if (at == n) return n;
        if (!begin_value(at, target_)) return at;
        ++at;
        break;
      case State::first_element:
      case State::first_name:
        at = structure_.token(at);
        if (at == n) return n;
        if (!begin_container(at)) return at;
        ++at;
        break;
      case State::element:
        at = structure_.token(at);
        if (at == n) return n;
        if (!begin_element(at)) return at;
        ++at;
        break;
      case State::alike: {
        at = structure_.bracket(at);
        if (at == n) return n;
        const bool is_open = text_[at] == '[' || text_[at] == '{';
        const auto& state = plan_->state(levels_.back().state);
        if (is_open ? !begin_value(at, state.runs[0].states[0]) : !close(at)) return at;
        ++at;
        break;
      }
      case State::long_name:
        at = structure_.string_end(at);
        if (at == n) return n;
        state_ = State::colon;
        ++at;
        break;
      case State::rest:
        at = structure_.skip(at, nested_);
        if (nested_ == 0 && !close(at - 1)) return at - 1;
        break;
      case State::string:
      case State::scalar:
      case State::nested:
      case State::after:
        break;
      case State::end:
        at = structure_.token(at);
        if (at < n) fail(Errc::not_json, at, "nothing may follow the value");
        return at;
      case State::closing:
      case State::done:
      case State::failed:
        return at;
    }
    if (must_pause_) {
      must_pause_ = false;
      if (at < n) structure_.go_on(state_ == State::string);
      return at;
    }
    if (!go_on_in_value(at)) return at;
  }
  return at;
}

/// The first token behind an opening bracket.
bool Selector::begin_container(std::size_t at) noexcept {
  if (is_undecided_) {
    // What announces the container, with the blanks in it, waits for something that is wanted.
    if (!hold(at)) return false;
    is_undecided_ = false;
  }
  const bool is_object = state_ == State::first_name;
  if (text_[at] == (is_object ? '}' : ']')) return close(at);
  return is_object ? begin_name(at) : begin_element(at);
}

bool Selector::begin_element(std::size_t at) noexcept {
  Level& level = levels_.back();
  std::uint32_t target = target_of_element(level);
  const std::uint64_t index = level.seen++;
  if (level.is_items) {
    items_ = level.seen;
    const Selection::Items& items = *plan_->items();
    if (index >= items.skip && index - items.skip >= items.max) {
      is_limit_reached_ = true;
      if (items.then == Selection::Items::Then::stop) {
        stop(at);
        return false;
      }
      target = SelectPlan::kDrop;
    }
    if (index < items.skip) target = SelectPlan::kDrop;
  }
  if (!is_undecided_) begin_header(at);
  return begin_value(at, target);
}

/// Of the one that comes next.
std::uint32_t Selector::target_of_element(Level& level) const noexcept {
  const SelectPlan::State& state = plan_->state(level.state);
  while (level.seen >= state.runs[level.run].to) ++level.run;
  const SelectPlan::Run& run = state.runs[level.run];
  std::size_t taking = 0;
  for (std::size_t i = 0; i < run.stepped.size(); ++i) {
    const SelectPlan::Run::Stepped& slice = run.stepped[i];
    taking |= std::size_t{(level.seen - slice.from) % slice.step == 0} << i;
  }
  return run.states[taking];
}

bool Selector::begin_name(std::size_t at) noexcept {
  if (text_[at] != '"') return fail(Errc::not_json, at, "a name must follow");
  if (!is_undecided_) begin_header(at);
  name_ = at;
  is_name_held_ = false;
  state_ = State::in_name;
  return true;
}

/// The piece ends in a name. One that is too long to be looked for is not held.
void Selector::go_on_in_name() noexcept {
  const std::size_t length = is_name_held_ ? held_.size() - name_ + size_ : size_ - name_;
  if (length <= plan_->longest_name() + 1) return;
  const std::uint32_t other = plan_->state(levels_.back().state).other;
  const SelectPlan::State& state = plan_->state(other);
  if (other == SelectPlan::kDrop) {
    drop_header();
  } else if (!state.keeps) {
    return;
  } else {
    keep(size_);
  }
  target_ = other;
  state_ = State::long_name;
}

bool Selector::end_name(std::size_t quote) noexcept {
  std::string_view raw;
  if (is_name_held_) {
    if (!hold(quote + 1)) return false;
    raw = std::string_view(held_).substr(name_ + 1);
    raw.remove_suffix(1);
  } else {
    raw = {text_ + name_ + 1, quote - name_ - 1};
  }
  target_ = target_of(raw);
  state_ = State::colon;
  return true;
}

std::uint32_t Selector::target_of(std::string_view name) noexcept {
  Level& level = levels_.back();
  const SelectPlan::State& state = plan_->state(level.state);
  if ((structure_.has_backslash() || is_name_held_) && name.size() <= plan_->longest_name() &&
      name.find('\\') != std::string_view::npos) {
    scratch_.resize(name.size());
    const char* end = unescape(name, scratch_.data());
    name = {scratch_.data(), static_cast<std::size_t>(end - scratch_.data())};
  }
  const SelectPlan::Name* found = find_name(state, name);
  if (found == nullptr) return state.other;
  if (state.names_only) {
    const std::uint64_t bit = std::uint64_t{1} << (found - state.names.data());
    if ((level.seen & bit) != 0) return SelectPlan::kDrop;
    level.seen |= bit;
  }
  return found->state;
}

bool Selector::begin_value(std::size_t at, std::uint32_t target) noexcept {
  const SelectPlan::State& state = plan_->state(target);
  const char c = text_[at];
  SelectPlan::Way way = state.scalar;
  if (c == '{') {
    way = state.object;
  } else if (c == '[') {
    way = state.array;
  } else if (!starts_scalar(c)) {
    return fail(Errc::not_json, at, "a value must follow");
  }
  if (levels_.size() <= plan_->outer_levels()) {
    // Nothing in front of it is put out.
    held_.clear();
    begin_header(at);
  }
  if (way == SelectPlan::Way::enter) return open(at, target);
  if (way == SelectPlan::Way::drop) {
    drop_header();
  } else {
    keep(at + 1);
  }
  if (c == '{' || c == '[') {
    nested_ = 1;
    state_ = State::nested;
  } else {
    state_ = c == '"' ? State::string : State::scalar;
  }
  return true;
}

bool Selector::open(std::size_t at, std::uint32_t target) noexcept {
  const SelectPlan::State& state = plan_->state(target);
  if (levels_.size() == limits_.max_depth)
    return fail(Errc::too_deep, at, "containers are nested deeper than limits.nesting allows");
  if (state.keeps) keep(at + 1);
  Level& level = levels_.emplace_back();
  level.state = target;
  level.is_object = text_[at] == '{';
  level.mark = static_cast<std::uint32_t>(header_mark_);
  if (!level.is_object && state.is_items && !has_items_) {
    has_items_ = level.is_items = true;
    items_ = 0;
  }
  if (state.keeps) {
    put_out_ = levels_.size();
  } else if (levels_.size() <= plan_->outer_levels()) {
    is_undecided_ = false;
  }
  if (level.is_object) {
    state_ = State::first_name;
  } else {
    state_ = state.elements_alike ? State::alike : State::first_element;
  }
  return true;
}

bool Selector::close(std::size_t at) noexcept {
  const Level& level = levels_.back();
  if (level.is_object != (text_[at] == '}'))
    return fail(Errc::not_json, at, "the bracket that closes is not of the kind that opened");
  if (level.is_items) is_items_total_ = state_ != State::rest;
  if (levels_.size() > plan_->outer_levels()) {
    if (put_out_ == levels_.size()) {
      if (!is_copying_) range_ = at;
      is_copying_ = true;
      --put_out_;
    } else {
      held_.resize(level.mark);
      is_copying_ = false;
    }
  }
  is_undecided_ = false;
  levels_.pop_back();
  value_is_over(at + 1);
  return true;
}

void Selector::value_is_over(std::size_t at) noexcept {
  state_ = levels_.empty() ? State::end : State::after;
  if (levels_.size() != plan_->outer_levels() || !is_copying_) return;
  put(at);
  is_copying_ = false;
  if (!levels_.empty()) stop(at);
}

void Selector::go_on_behind_comma(std::size_t at) noexcept {
  const Level& level = levels_.back();
  const SelectPlan::State& state = plan_->state(level.state);
  if (level.is_object) {
    if (state.names_only && is_exhausted(level)) return skip_rest(at);
    state_ = State::name;
  } else {
    if (level.is_items) {
      // They are counted though nothing more of them may be selected: where they are too many,
      // what is behind them is not wanted either.
      const Selection::Items& items = *plan_->items();
      if (items.then == Selection::Items::Then::stop && level.seen >= items.skip &&
          level.seen - items.skip >= items.max) {
        is_limit_reached_ = true;
        return stop(at);
      }
    } else if (level.seen >= state.last) {
      return skip_rest(at);
    }
    state_ = State::element;
    if (state.elements_alike) {
      state_ = State::alike;
      return;
    }
  }
  // The comma goes with what follows it, unless that is the first thing that is left.
  if (is_copying_ || level.has_items) begin_header(at);
}

void Selector::skip_rest(std::size_t at) noexcept {
  if (is_copying_) put(at);
  is_copying_ = false;
  state_ = State::rest;
  nested_ = 1;
  for (std::size_t i = levels_.size() - 1; i > 0; --i) {
    if (!is_exhausted(levels_[i - 1])) return;
  }
  stop(at);
}

/// Nothing more is wanted.
void Selector::stop(std::size_t at) noexcept {
  if (is_copying_) put(is_undecided_ ? header_ : at);
  is_copying_ = false;
  is_undecided_ = false;
  held_.clear();
  state_ = State::closing;
}

}  // namespace sluice::json
