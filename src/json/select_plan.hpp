#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "json/path.hpp"

namespace sluice::json {

/// What of a document is wanted.
struct Selection {
  enum class Shape : std::uint8_t {
    /// The value that all of `select` lies in, by names and indices alone: of `$.rows[:100]` the
    /// array, of `$.rows` and `$.total` the document.
    value,
    /// Always the document.
    document,
  };
  /// A part of one array.
  struct Items {
    enum class Then : std::uint8_t {
      stop,     ///< What comes behind the last item that is wanted is not read.
      read_on,  ///< It is: the items are counted, and the members behind the array put out.
    };
    Path path;  ///< Definite.
    std::uint64_t skip = 0;
    std::uint64_t max = Path::kNoEnd;
    Then then = Then::stop;
  };

  std::vector<Path> select;  ///< Empty: all.
  std::vector<Path> drop;    ///< Outweighs `select`.
  std::optional<Items> items;
  Shape shape = Shape::value;
};

/// A Selection made ready to be followed: a table of states, one for each set of places in the
/// paths that a value of the document can stand for, so that a step down costs one look-up however
/// many paths there are.
///
/// Threads: immutable, any; shared by all that select by it.
/// Bounds:  kMaxStates.
class SelectPlan {
 public:
  static constexpr std::size_t kMaxStates = 4096;
  static constexpr std::uint32_t kDrop = 0;  ///< The state of what is not wanted.
  static constexpr std::uint32_t kCopy = 1;  ///< Of what is wanted with all that is in it.

  /// What is done with a value of a kind.
  enum class Way : std::uint8_t { drop, copy, enter };

  struct Name {
    std::string text;
    std::uint32_t state;
    std::uint32_t next;  ///< Of the same hash; an index plus one, 0: none.
  };
  /// Elements up to below `to`, of which the state hangs on which slices with a step take them.
  struct Run {
    struct Stepped {
      std::uint64_t from;
      std::uint64_t step;
    };
    std::uint64_t to = Path::kNoEnd;
    std::vector<Stepped> stepped;
    std::vector<std::uint32_t> states;  ///< Bit n of the index: the nth of `stepped` takes it.
  };
  struct State {
    Way object = Way::drop;
    Way array = Way::drop;
    Way scalar = Way::drop;
    bool keeps = false;  ///< A container is put out, whatever is found in it.
    /// Nothing but the first member of each of `names` is wanted, so that there is an end to them.
    bool names_only = false;
    std::uint64_t all_names = 0;  ///< Where names_only: a bit for each.
    bool is_items = false;        ///< An array here is the one of Selection::items.
    /// No element is dropped or told from another, so that only containers among them need a look.
    bool elements_alike = false;
    // Some are wanted as a whole, or not at all, whatever is in them.
    bool passes_members = false;  ///< Of other names.
    bool passes_elements = false;
    std::uint32_t other = kDrop;  ///< Members of other names.
    std::vector<Name> names;
    std::array<std::uint32_t, 32> buckets{};  ///< Into `names`, as in Name::next.
    std::uint64_t lengths = 0;                ///< A bit for each length of a name; 63: and longer.
    std::vector<Run> runs;
    std::uint64_t last = Path::kNoEnd;  ///< From this element on all are dropped.

    /// Some of `names` are so long.
    [[nodiscard]] bool has_length(std::size_t length) const noexcept {
      return (lengths >> (length < 63 ? length : 63) & 1) != 0;
    }
  };

  /// nullopt, and `problem` says why.
  [[nodiscard]] static std::optional<SelectPlan> make(const Selection& selection,
                                                      std::string& problem);

  [[nodiscard]] const State& state(std::uint32_t id) const noexcept { return states_[id]; }
  [[nodiscard]] std::uint32_t root() const noexcept { return root_; }
  /// How many containers around what is put out are left out.
  [[nodiscard]] std::uint32_t outer_levels() const noexcept { return outer_levels_; }
  /// No name in a document that is longer, with escapes, is one of a path.
  [[nodiscard]] std::size_t longest_name() const noexcept { return longest_name_; }
  [[nodiscard]] const Selection::Items* items() const noexcept {
    return items_ ? &*items_ : nullptr;
  }

  [[nodiscard]] static std::size_t hash(std::string_view name) noexcept {
    if (name.empty()) return 0;
    return (name.size() * 7 + static_cast<unsigned char>(name.front()) * 3U +
            static_cast<unsigned char>(name.back())) %
           32;
  }

 private:
  friend class SelectPlanner;

  std::vector<State> states_;
  std::uint32_t root_ = kCopy;
  std::uint32_t outer_levels_ = 0;
  std::size_t longest_name_ = 0;
  std::optional<Selection::Items> items_;
};

/// The member's place in state.names, or nullptr. `name`: escapes undone.
[[nodiscard]] inline const SelectPlan::Name* find_name(const SelectPlan::State& state,
                                                       std::string_view name) noexcept {
  for (std::uint32_t at = state.buckets[SelectPlan::hash(name)]; at != 0;) {
    const SelectPlan::Name& here = state.names[at - 1];
    if (here.text == name) return &here;
    at = here.next;
  }
  return nullptr;
}

}  // namespace sluice::json
