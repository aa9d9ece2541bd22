#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "buffer/body_sink.hpp"
#include "buffer/content_encoder.hpp"
#include "buffer/frame_writer.hpp"

namespace sluice {

/// A body, compressed but for its tail: see write_tail().
struct EncodedForm {
  std::string bytes;
  PrefixEnd end;
};

/// Compresses `front` and then `pieces`, lines of events broken where they may be. Null where there
/// is no memory. Takes as long as the bytes are many: for the worker pool.
[[nodiscard]] std::shared_ptr<const EncodedForm> encode_form(std::string_view front,
                                                             std::span<const BodyPiece> pieces,
                                                             BodyForm form, ContentCoding coding);

/// The compressed forms of a body that many share, each made when it is first asked for.
///
/// Threads: any.
class EncodedForms {
 public:
  struct Key {
    ContentCoding coding = ContentCoding::identity;
    BodyForm form = BodyForm::undecided;
    std::uint8_t variant = 0;  ///< Of the front, for the caller to tell apart.
    bool operator==(const Key&) const = default;
  };
  struct Found {
    std::shared_ptr<const EncodedForm> form;  ///< Null: it is being made, or cannot be had.
    bool is_new = false;                      ///< The caller has to make it and to put() it.
  };
  [[nodiscard]] Found find(const Key& key);
  /// Null where it cannot be had: nobody is told to make it again.
  void put(const Key& key, std::shared_ptr<const EncodedForm> form);
  /// Memory of all forms.
  [[nodiscard]] std::size_t bytes() const;

 private:
  struct Entry {
    Key key;
    std::shared_ptr<const EncodedForm> form;
  };
  mutable std::mutex mutex_;
  std::vector<Entry> entries_;  // a handful
};

}  // namespace sluice
