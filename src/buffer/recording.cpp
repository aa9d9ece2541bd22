#include "buffer/recording.hpp"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <cstring>
#include <new>
#include <utility>

#include "base/check.hpp"

namespace sluice {

namespace asio = boost::asio;

Recording::Recording(asio::any_io_executor executor, std::shared_ptr<RecordingBudget> budget,
                     std::chrono::milliseconds patience)
    : executor_(std::move(executor)), budget_(std::move(budget)), patience_(patience) {}

Recording::~Recording() {
  while (!blocks_.empty()) pop_block();
  if (budget_) budget_->give(encoded_.bytes());
}

void Recording::keep_encoded(const EncodedForms::Key& key,
                             std::shared_ptr<const EncodedForm> form) const {
  if (form && budget_ && !budget_->take_spare(form->bytes.size())) form = nullptr;
  encoded_.put(key, std::move(form));
}

void Recording::pop_block() noexcept {
  if (blocks_.front().in_budget && budget_) budget_->give(blocks_.front().size);
  held_ -= blocks_.front().size;
  blocks_.pop_front();
  ++first_block_;
}

bool Recording::open_block() {
  std::size_t size = kFirstBlockBytes;
  if (!blocks_.empty()) size = std::min(kBlockBytes, 2 * blocks_.back().size);
  const bool in_budget = !budget_ || budget_->take(size);
  if (!in_budget) {
    keeps_ = false;
    drop_passed();
    if (held_ + size > kHeldBack * kBlockBytes) {
      visible_ = true;
      return false;
    }
  }
  blocks_.push_back({std::make_shared_for_overwrite<char[]>(size), size, 0, in_budget});
  held_ += size;
  if (held_ > kHeldBack * kBlockBytes) visible_ = true;
  return true;
}

std::span<char> Recording::room() {
  const std::lock_guard lock(mutex_);
  SLUICE_DCHECK(end_ == End::open);
  if (blocks_.empty() || blocks_.back().size - blocks_.back().used < kMinRoom) {
    if (!open_block()) {
      tell_readers();
      producer_waits_ = true;
      return {};
    }
  }
  Block& block = blocks_.back();
  return {block.data.get() + block.used, block.size - block.used};
}

void Recording::commit(std::size_t n) noexcept {
  const std::lock_guard lock(mutex_);
  SLUICE_DCHECK(n <= blocks_.back().size - blocks_.back().used);
  blocks_.back().used += n;
  if (visible_) tell_readers();
}

void Recording::put(std::string_view bytes) noexcept {
  const std::lock_guard lock(mutex_);
  Block& block = blocks_.back();
  SLUICE_CHECK(bytes.size() <= block.size - block.used);
  std::memcpy(block.data.get() + block.used, bytes.data(), bytes.size());
  block.used += bytes.size();
  if (visible_) tell_readers();
}

Awaitable<Result<>> Recording::wait_room() {
  auto end = std::chrono::steady_clock::now() + patience_;
  for (;;) {
    if (!room().empty()) co_return Result<>{};
    bool deserted = false;
    {
      const std::lock_guard lock(mutex_);
      deserted = readers_.empty();
    }
    if (deserted) co_return Errc::cancelled;
    if (!signal_) signal_.emplace(executor_);
    co_await signal_->wait_until(end);
    if (std::chrono::steady_clock::now() < end) continue;
    end = std::chrono::steady_clock::now() + patience_;
    const std::lock_guard lock(mutex_);
    leave_slowest_behind();
  }
}

void Recording::line_break() {
  const std::lock_guard lock(mutex_);
  breaks_.push_back({first_block_ + blocks_.size() - 1, blocks_.back().used});
}

BodySink::Mark Recording::mark() noexcept {
  const std::lock_guard lock(mutex_);
  return {blocks_.size(), blocks_.empty() ? 0 : blocks_.back().used, breaks_.size()};
}

std::optional<std::string> Recording::copy_since(const Mark& mark) {
  const std::lock_guard lock(mutex_);
  if (visible_ || mark.frames == 0) return std::nullopt;
  std::string out;
  for (std::size_t i = mark.frames - 1; i < blocks_.size(); ++i) {
    const std::size_t from = i + 1 == mark.frames ? mark.end : 0;
    out.append(blocks_[i].data.get() + from, blocks_[i].used - from);
  }
  return out;
}

bool Recording::rollback(const Mark& mark) noexcept {
  const std::lock_guard lock(mutex_);
  if (visible_ || mark.frames == 0) return false;
  while (blocks_.size() > mark.frames) {
    if (blocks_.back().in_budget && budget_) budget_->give(blocks_.back().size);
    held_ -= blocks_.back().size;
    blocks_.pop_back();
  }
  blocks_.back().used = mark.end;
  breaks_.resize(mark.breaks);
  return true;
}

void Recording::finish(End end) {
  signal_.reset();
  abandoned_ = nullptr;
  const std::lock_guard lock(mutex_);
  SLUICE_CHECK(end_ == End::open && end != End::open);
  end_ = end;
  visible_ = true;
  if (keeps_ && end != End::broken) {
    try {
      make_pieces();
    } catch (const std::bad_alloc&) {
      pieces_.clear();
      keeps_ = false;
    }
  }
  tell_readers();
}

void Recording::make_pieces() {
  bool breaks_line = false;
  const auto add = [&](const Block& block, std::size_t from, std::size_t to) {
    if (to == from) return;
    pieces_.push_back({{block.data.get() + from, to - from}, std::exchange(breaks_line, false)});
  };
  auto next = breaks_.begin();
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    std::size_t from = 0;
    for (; next != breaks_.end() && next->block == i; ++next) {
      add(blocks_[i], from, next->offset);
      from = next->offset;
      breaks_line = true;
    }
    add(blocks_[i], from, blocks_[i].used);
  }
}

bool Recording::is_over() const {
  const std::lock_guard lock(mutex_);
  return end_ != End::open;
}

bool Recording::has_kept_all() const {
  const std::lock_guard lock(mutex_);
  return keeps_ || abandoned_early_;
}

bool Recording::is_whole() const {
  const std::lock_guard lock(mutex_);
  return keeps_ && (end_ == End::good || end_ == End::failed);
}

std::uint64_t Recording::size() const noexcept {
  std::uint64_t bytes = 0;
  for (const BodyPiece& piece : pieces_) bytes += piece.bytes.size();
  return bytes;
}

bool Recording::is_worth_keeping() const {
  const std::lock_guard lock(mutex_);
  return keeps_ && end_ == End::good;
}

void Recording::drop_passed() {
  if (readers_.empty() || !visible_) return;
  std::size_t slowest = SIZE_MAX;
  for (const Reader* reader : readers_) slowest = std::min(slowest, reader->block_);
  while (!blocks_.empty() && first_block_ < slowest && blocks_.size() > 1) pop_block();
}

void Recording::leave_slowest_behind() {
  const auto is_behind = [this](const Reader* reader) { return reader->block_ == first_block_; };
  if (std::ranges::all_of(readers_, is_behind)) return;
  for (Reader* reader : readers_) {
    if (!is_behind(reader)) continue;
    reader->left_behind_ = true;
  }
  std::erase_if(readers_, is_behind);
  drop_passed();
}

void Recording::tell_readers() {
  for (Reader* reader : readers_)
    if (std::exchange(reader->waiting_, false))
      asio::post(reader->waiter_->executor,
                 [waiter = reader->waiter_] { waiter->signal.notify(); });
}

void Recording::tell_producer() {
  if (!std::exchange(producer_waits_, false)) return;
  asio::post(executor_, [self = shared_from_this()] {
    if (self->signal_) self->signal_->notify();
  });
}

std::unique_ptr<Recording::Reader> Recording::read(const asio::any_io_executor& executor) {
  auto reader = std::make_unique<Reader>(shared_from_this(), executor);
  const std::lock_guard lock(mutex_);
  if (!keeps_ || end_ == End::broken) return nullptr;
  readers_.push_back(reader.get());
  return reader;
}

Recording::Reader::Reader(std::shared_ptr<Recording> recording,
                          const asio::any_io_executor& executor)
    : recording_(std::move(recording)), waiter_(std::make_shared<Waiter>(executor)) {}

Recording::Reader::~Reader() {
  Recording& r = *recording_;
  const std::lock_guard lock(r.mutex_);
  if (std::erase(r.readers_, this) == 0 || r.end_ != End::open) return;
  if (!r.keeps_) r.drop_passed();
  r.tell_producer();
  if (!r.readers_.empty()) return;
  asio::post(r.executor_, [self = recording_] {
    // Whoever came since then keeps it going.
    {
      const std::lock_guard still(self->mutex_);
      if (!self->readers_.empty() || self->end_ != End::open) return;
      if (self->keeps_) self->abandoned_early_ = true;
      self->keeps_ = false;  // what is being stopped takes nobody in
    }
    if (self->abandoned_) self->abandoned_();
  });
}

BodyPiece Recording::Reader::next() {
  Recording& r = *recording_;
  const std::lock_guard lock(r.mutex_);
  if (left_behind_ || !r.visible_ || r.blocks_.empty()) return {};
  const Block* block = &r.blocks_[block_ - r.first_block_];
  if (offset_ == block->used && block_ + 1 < r.first_block_ + r.blocks_.size()) {
    ++block_;
    offset_ = 0;
    if (!r.keeps_) {
      r.drop_passed();
      r.tell_producer();
    }
    block = &r.blocks_[block_ - r.first_block_];
  }
  std::size_t to = block->used;
  bool breaks_line = false;
  for (; break_ < r.breaks_.size() && r.breaks_[break_].block <= block_; ++break_) {
    const Break& b = r.breaks_[break_];
    if (b.block == block_ && b.offset > offset_) {
      to = b.offset;
      break;
    }
    breaks_line = true;
  }
  if (to == offset_) {
    // A break at the end of what there is stays for the bytes that follow.
    if (breaks_line) --break_;
    return {};
  }
  const std::string_view bytes(block->data.get() + offset_, to - offset_);
  offset_ = to;
  data_ = block->data;
  return {bytes, breaks_line};
}

Recording::End Recording::Reader::end() const {
  const Recording& r = *recording_;
  const std::lock_guard lock(r.mutex_);
  if (left_behind_) return End::left_behind;
  const bool all = r.blocks_.empty() || (block_ + 1 == r.first_block_ + r.blocks_.size() &&
                                         offset_ == r.blocks_.back().used);
  return all ? r.end_ : End::open;
}

Awaitable<void> Recording::Reader::wait() {
  {
    Recording& r = *recording_;
    const std::lock_guard lock(r.mutex_);
    const bool more = !r.blocks_.empty() && (block_ + 1 < r.first_block_ + r.blocks_.size() ||
                                             offset_ < r.blocks_.back().used);
    if (left_behind_ || r.end_ != End::open || (r.visible_ && more)) co_return;
    waiting_ = true;
  }
  co_await waiter_->signal.wait();
}

}  // namespace sluice
