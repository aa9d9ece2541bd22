#include "buffer/encoded_forms.hpp"

#include <algorithm>
#include <new>

namespace sluice {
namespace {

constexpr std::size_t kStep = 64 * 1024;

/// Appends what `make` writes, until it says that this is all.
template <class Make>
bool append_all(std::string& out, Make make) {
  for (;;) {
    const std::size_t before = out.size();
    out.resize(before + kStep);
    const auto made = make(std::span<char>(out).subspan(before));
    if (!made) return false;
    out.resize(before + made->written);
    if (made->done) return true;
  }
}

bool append(std::string& out, ContentEncoder& encoder, std::string_view bytes) {
  return append_all(out, [&](std::span<char> room) -> Result<ContentEncoder::Rest> {
    const auto step = encoder.step(bytes, room);
    if (!step) return step.error();
    bytes.remove_prefix(step->read);
    return ContentEncoder::Rest{step->written, bytes.empty()};
  });
}

}  // namespace

std::shared_ptr<const EncodedForm> encode_form(std::string_view front,
                                               std::span<const BodyPiece> pieces, BodyForm form,
                                               ContentCoding coding) try {
  auto made = ContentEncoder::make(coding);
  if (!made) return nullptr;
  ContentEncoder& encoder = **made;
  auto out = std::make_shared<EncodedForm>();
  if (!append(out->bytes, encoder, front)) return nullptr;
  for (const BodyPiece& piece : pieces) {
    if (piece.breaks_line && form == BodyForm::event_stream &&
        !append(out->bytes, encoder, FrameWriter::kLineBreak))
      return nullptr;
    if (!append(out->bytes, encoder, piece.bytes)) return nullptr;
  }
  if (!append_all(out->bytes, [&](std::span<char> room) { return encoder.flush(room); }))
    return nullptr;
  out->bytes.shrink_to_fit();
  out->end = encoder.prefix_end();
  return out;
} catch (const std::bad_alloc&) {
  return nullptr;
}

EncodedForms::Found EncodedForms::find(const Key& key) {
  const std::lock_guard lock(mutex_);
  const auto entry = std::ranges::find(entries_, key, &Entry::key);
  if (entry != entries_.end()) return {entry->form, false};
  entries_.push_back({key, nullptr});
  return {nullptr, true};
}

void EncodedForms::put(const Key& key, std::shared_ptr<const EncodedForm> form) {
  const std::lock_guard lock(mutex_);
  const auto entry = std::ranges::find(entries_, key, &Entry::key);
  if (entry != entries_.end()) entry->form = std::move(form);
}

std::size_t EncodedForms::bytes() const {
  const std::lock_guard lock(mutex_);
  std::size_t bytes = 0;
  for (const Entry& entry : entries_)
    if (entry.form) bytes += entry.form->bytes.size();
  return bytes;
}

}  // namespace sluice
