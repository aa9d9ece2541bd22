#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <sluice/error.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/simd.hpp"
#include "base/units.hpp"
#include "json/select_plan.hpp"
#include "json/step.hpp"
#include "json/structure.hpp"

namespace sluice::json {

/// Takes what a SelectPlan wants out of a JSON text, chunk by chunk: the values that `select` names,
/// with the containers around them, less the values that `drop` names.
///
/// What is put out is the text with parts of it left out, byte for byte, so it is JSON where the
/// text is, with its digits, its order and its spacing:
///   - a value that is wanted is there with all that is in it but what is dropped;
///   - around it stand the objects and arrays it lies in, and in these nothing but what is wanted:
///     arrays close up, so an element's index may change. Where nothing in one is wanted, it is
///     not there either, unless it is wanted itself: dropping leaves `{}` and `[]`;
///   - Selection::Shape::value begins at the innermost value that all of `select` lies in by names
///     and indices alone: `$.rows` is that array, `$.rows[*].id` an array of objects;
///   - blanks stay where both neighbours do. Those around the outermost value are left out, as are
///     those in front of the first member or element that is left, and those behind the last one
///     where more followed.
/// A name that is repeated in one object: `select` takes the first, `drop` takes all of them.
///
/// Nothing matched: nothing is put out, and has_match() is false.
///
/// The text is looked at as far as the plan asks. In what is copied or left out as a whole only
/// strings and the count of brackets are; RawJson in front or behind checks all of it.
///
/// Memory:  a level (40 bytes) for each container that is open and partly wanted, and the bytes of
///          which it is not known yet whether they are wanted: names, and the containers
///          around. Both grow to their limits and stay; nothing else is allocated.
/// Errors:  Errc::not_json, Errc::too_deep (more than `max_depth` such containers),
///          Errc::result_too_large (more than `window` such bytes); failure() says where.
class Selector {
 public:
  struct Limits {
    std::uint32_t max_depth = 128;
    std::size_t window = 64_KiB;
  };

  /// REQUIRES: this processor can run `with`.
  explicit Selector(std::shared_ptr<const SelectPlan> plan);
  Selector(std::shared_ptr<const SelectPlan> plan, Limits limits, Simd with = simd());

  /// Reads and writes as much as there is and fits: up to the end of `in` with nothing left to
  /// write, until `out` is full, or up to what is wrong, which the next step then says: all that was
  /// known to be wanted in front of it has been put out. So call it again until the input is read and
  /// room is left.
  [[nodiscard]] Result<Step> step(std::string_view in, std::span<char> out) noexcept;
  /// The input is over. REQUIRES: the last step did not fill its room.
  /// Errors: Errc::not_json where the document is not complete and more of it was wanted.
  [[nodiscard]] Result<void> finish() noexcept;

  /// All that is wanted has been put out, and is closed: the source can be stopped. What is passed
  /// to step() from now on is read and forgotten.
  [[nodiscard]] bool is_done() const noexcept { return state_ == State::done; }
  [[nodiscard]] bool has_match() const noexcept { return has_match_; }
  /// Bytes of the document that were looked at: up to the end, or to where it was done.
  [[nodiscard]] std::uint64_t read() const noexcept { return base_; }
  [[nodiscard]] std::uint64_t written() const noexcept { return written_; }
  /// What went wrong; nothing while nothing did.
  [[nodiscard]] const StepFailure& failure() const noexcept { return failure_; }

  // Of Selection::items.
  /// The array was found.
  [[nodiscard]] bool has_items() const noexcept { return has_items_; }
  /// Items in it: all of them where is_items_total(), else as many as were seen at least.
  [[nodiscard]] std::uint64_t items() const noexcept { return items_; }
  [[nodiscard]] bool is_items_total() const noexcept { return is_items_total_; }
  /// There were more than `skip` + `max`.
  [[nodiscard]] bool is_items_limit_reached() const noexcept { return is_limit_reached_; }

 private:
  enum class State : std::uint8_t {
    value,          ///< A value must follow.
    first_element,  ///< Or `]`.
    element,
    alike,  ///< Among elements that are alike.
    first_name,
    name,
    in_name,
    long_name,  ///< In one that is none of those looked for; what it means is settled.
    colon,
    string,
    scalar,
    nested,   ///< In a container that is copied or left out.
    rest,     ///< In a container of which nothing more is wanted.
    after,    ///< Behind a value.
    end,      ///< Behind the document.
    closing,  ///< Putting out what closes the containers that are open.
    done,
    failed,
  };
  struct Level {
    std::uint32_t state;
    std::uint32_t mark = 0;  ///< Bytes held in front of what announces it.
    std::uint64_t seen = 0;  ///< Object: a bit for each of the names found. Array: the next index.
    std::uint32_t run = 0;   ///< Array: where that index lies.
    bool is_object;
    bool is_items = false;
    bool has_items = false;  ///< Something in it was put out.
  };

  // The walk. What returns bool is false where it ends here: on a failure.
  std::size_t walk() noexcept;
  [[nodiscard]] bool go_on_in_value(std::size_t& at) noexcept;
  [[nodiscard]] std::size_t pass(std::size_t at) noexcept;
  [[nodiscard]] std::size_t behind_passed_name(const SelectPlan::State& state,
                                               std::size_t at) const noexcept;
  [[nodiscard]] std::size_t end_of_value(std::size_t at) const noexcept;
  [[nodiscard]] bool begin_container(std::size_t at) noexcept;
  [[nodiscard]] bool begin_element(std::size_t at) noexcept;
  [[nodiscard]] bool begin_name(std::size_t at) noexcept;
  void go_on_in_name() noexcept;
  [[nodiscard]] bool end_name(std::size_t quote) noexcept;
  [[nodiscard]] bool begin_value(std::size_t at, std::uint32_t target) noexcept;
  [[nodiscard]] bool open(std::size_t at, std::uint32_t target) noexcept;
  [[nodiscard]] bool close(std::size_t at) noexcept;
  void go_on_behind_comma(std::size_t at) noexcept;
  void value_is_over(std::size_t at) noexcept;
  [[nodiscard]] std::uint32_t target_of(std::string_view raw_name) noexcept;
  [[nodiscard]] std::uint32_t target_of_element(Level& level) const noexcept;
  [[nodiscard]] static constexpr bool starts_scalar(char c) noexcept {
    return (c >= '0' && c <= '9') || c == '-' || c == '"' || c == 't' || c == 'f' || c == 'n';
  }
  /// Nothing more of it is wanted, and its items need not be counted.
  [[nodiscard]] bool is_exhausted(const Level& level) const noexcept {
    const SelectPlan::State& state = plan_->state(level.state);
    if (!level.is_object) return !level.is_items && level.seen >= state.last;
    return state.names_only && level.seen == state.all_names;
  }
  void skip_rest(std::size_t at) noexcept;
  void stop(std::size_t at) noexcept;
  bool fail(Errc code, std::size_t at, const char* what) noexcept;

  // What is put out.
  void begin_header(std::size_t at) noexcept;
  void drop_header() noexcept;
  void keep(std::size_t to) noexcept;
  [[nodiscard]] bool hold(std::size_t to) noexcept;
  void put(std::size_t to) noexcept;
  void mark_levels() noexcept;
  void end_piece(std::size_t at) noexcept;
  void write_held(std::span<char> out, Step& done) noexcept;
  void write_closing(std::span<char> out, Step& done) noexcept;

  std::shared_ptr<const SelectPlan> plan_;
  Limits limits_;
  Structure structure_;
  State state_ = State::value;

  // The piece that is looked at.
  const char* text_ = nullptr;
  std::size_t size_ = 0;
  char* out_ = nullptr;
  std::size_t room_ = 0;

  // The document so far.
  std::vector<Level> levels_;
  std::uint64_t base_ = 0;  ///< Bytes in front of the piece.
  std::uint64_t written_ = 0;
  std::uint64_t nested_ = 0;  ///< Brackets open in what is copied or left out.
  std::uint32_t target_;      ///< The state of the value that follows.
  std::size_t put_out_ = 0;   ///< Levels whose opening bracket was put out; those within.

  // Bytes from range_ on are to be put out, while copying.
  bool is_copying_ = false;
  std::size_t range_ = 0;
  // From header_ on it is not known: what stands in front of a value. The part of it that an earlier
  // piece held is in held_ from header_mark_ on, behind what announces the levels around.
  bool is_undecided_ = false;
  std::size_t header_ = 0;
  std::size_t header_mark_ = 0;
  std::string held_;
  bool is_held_ready_ = false;  ///< What is held is to be put out.
  std::size_t held_written_ = 0;
  std::size_t name_ = 0;  ///< Where a name's opening quote is: in the piece, or in held_.
  bool is_name_held_ = false;
  bool must_pause_ = false;  ///< The walk stops, since there is no room for all of the piece.
  std::string scratch_;

  bool has_match_ = false;
  bool has_items_ = false;
  bool is_items_total_ = false;
  bool is_limit_reached_ = false;
  std::uint64_t items_ = 0;
  StepFailure failure_;
};

}  // namespace sluice::json
