#include "json/select_plan.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace sluice::json {

/// Finds the states of a Selection, beginning with that of the root, each from those before.
///
/// A place is a segment of a path that is to be applied to what is in a value; a value stands for a
/// set of places. What is wanted as a whole, and what is dropped, has none.
class SelectPlanner {
 public:
  explicit SelectPlanner(const Selection& selection) : selection_(selection) {
    for (const Path& path : selection.select) add(path, Place::Of::select);
    for (const Path& path : selection.drop) add(path, Place::Of::drop);
    if (selection.items) add(selection.items->path, Place::Of::items);
  }

  std::optional<SelectPlan> make(std::string& problem);

 private:
  using State = SelectPlan::State;
  using Way = SelectPlan::Way;
  using Run = SelectPlan::Run;
  using Slice = Path::Selector;

  struct Place {
    enum class Of : std::uint8_t { select, drop, items };
    const Path::Segment* segment;  ///< nullptr: the path ends here.
    Of of;
  };
  struct Set {
    bool keeps = false;
    bool is_items = false;
    std::vector<std::uint32_t> places;
    [[nodiscard]] friend auto operator<=>(const Set&, const Set&) = default;
  };

  void add(const Path& path, Place::Of of);
  std::uint32_t id_of(Set set);
  void fill_names(const Set& set, State& state);
  bool fill_runs(const Set& set, State& state);
  std::uint32_t at_elements(const Set& set, const std::vector<const Slice*>& taking);
  static Way way(bool keeps, const std::vector<std::uint32_t>& targets);
  void settle();
  [[nodiscard]] std::uint32_t settled(std::uint32_t id) const;
  void finish(State& state);
  [[nodiscard]] std::uint32_t common_segments() const;

  const Selection& selection_;
  std::vector<Place> places_;
  std::vector<std::uint32_t> firsts_;  ///< The first place of each path.
  std::map<Set, std::uint32_t> ids_;
  std::vector<const Set*> sets_;
  SelectPlan plan_;
};

void SelectPlanner::add(const Path& path, Place::Of of) {
  firsts_.push_back(static_cast<std::uint32_t>(places_.size()));
  for (const Path::Segment& segment : path.segments()) {
    places_.push_back({&segment, of});
    for (const Path::Selector& selector : segment.selectors)
      plan_.longest_name_ = std::max(plan_.longest_name_, 6 * selector.name.size());
  }
  places_.push_back({nullptr, of});
}

/// Drops what does not matter any more, so that sets which mean the same are the same.
std::uint32_t SelectPlanner::id_of(Set set) {
  std::sort(set.places.begin(), set.places.end());
  set.places.erase(std::unique(set.places.begin(), set.places.end()), set.places.end());
  const auto ends = [&](Place::Of of) {
    return std::any_of(set.places.begin(), set.places.end(), [&](std::uint32_t place) {
      return places_[place].segment == nullptr && places_[place].of == of;
    });
  };
  const auto forget = [&](Place::Of of) {
    std::erase_if(set.places, [&](std::uint32_t place) { return places_[place].of == of; });
  };
  if (ends(Place::Of::drop)) return SelectPlan::kDrop;
  if (ends(Place::Of::select)) set.keeps = true;
  if (ends(Place::Of::items)) {
    set.is_items = true;
    forget(Place::Of::items);
  }
  if (set.keeps) forget(Place::Of::select);
  const bool is_wanted =
      set.keeps || std::any_of(set.places.begin(), set.places.end(), [&](std::uint32_t place) {
        return places_[place].of == Place::Of::select;
      });
  if (!is_wanted) return SelectPlan::kDrop;
  if (set.places.empty() && !set.is_items) return SelectPlan::kCopy;
  const auto [found, is_new] =
      ids_.try_emplace(std::move(set), static_cast<std::uint32_t>(sets_.size()));
  if (is_new) sets_.push_back(&found->first);
  return found->second;
}

void SelectPlanner::fill_names(const Set& set, State& state) {
  Set others{set.keeps, false, {}};
  std::vector<std::string_view> names;
  for (const std::uint32_t place : set.places) {
    const Path::Segment& segment = *places_[place].segment;
    if (segment.is_descendant) others.places.push_back(place);
    for (const Path::Selector& selector : segment.selectors) {
      if (selector.kind == Slice::Kind::wildcard) others.places.push_back(place + 1);
      if (selector.kind == Slice::Kind::name) names.push_back(selector.name);
    }
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  for (const std::string_view name : names) {
    Set target = others;
    for (const std::uint32_t place : set.places) {
      for (const Path::Selector& selector : places_[place].segment->selectors)
        if (selector.kind == Slice::Kind::name && selector.name == name)
          target.places.push_back(place + 1);
    }
    state.names.push_back({std::string(name), id_of(std::move(target)), 0});
  }
  state.other = id_of(std::move(others));
}

std::uint32_t SelectPlanner::at_elements(const Set& set, const std::vector<const Slice*>& taking) {
  Set target{set.keeps, false, {}};
  for (const std::uint32_t place : set.places) {
    const Path::Segment& segment = *places_[place].segment;
    if (segment.is_descendant) target.places.push_back(place);
    for (const Path::Selector& selector : segment.selectors) {
      if (selector.kind == Slice::Kind::wildcard ||
          std::find(taking.begin(), taking.end(), &selector) != taking.end())
        target.places.push_back(place + 1);
    }
  }
  return id_of(std::move(target));
}

/// Between two bounds of slices, and without steps, elements are all alike.
bool SelectPlanner::fill_runs(const Set& set, State& state) {
  constexpr std::size_t kMaxStepped = 6;
  std::vector<const Slice*> slices;
  std::vector<std::uint64_t> bounds{Path::kNoEnd};
  for (const std::uint32_t place : set.places) {
    for (const Path::Selector& selector : places_[place].segment->selectors) {
      if (selector.kind != Slice::Kind::elements || selector.step == 0 ||
          selector.from >= selector.to)
        continue;
      slices.push_back(&selector);
      if (selector.from > 0) bounds.push_back(selector.from);
      bounds.push_back(selector.to);
    }
  }
  std::sort(bounds.begin(), bounds.end());
  bounds.erase(std::unique(bounds.begin(), bounds.end()), bounds.end());
  std::uint64_t from = 0;
  for (const std::uint64_t to : bounds) {
    Run run;
    run.to = to;
    std::vector<const Slice*> taking;
    std::vector<const Slice*> stepped;
    for (const Slice* slice : slices) {
      if (slice->from > from || slice->to <= from) continue;
      if (slice->step == 1) {
        taking.push_back(slice);
      } else {
        stepped.push_back(slice);
        run.stepped.push_back({slice->from, slice->step});
      }
    }
    if (stepped.size() > kMaxStepped) return false;
    for (std::size_t subset = 0; subset < std::size_t{1} << stepped.size(); ++subset) {
      std::vector<const Slice*> all = taking;
      for (std::size_t i = 0; i < stepped.size(); ++i)
        if ((subset >> i & 1) != 0) all.push_back(stepped[i]);
      run.states.push_back(at_elements(set, all));
    }
    if (!state.runs.empty() && run.stepped.empty() && state.runs.back().stepped.empty() &&
        run.states == state.runs.back().states)
      state.runs.back().to = to;
    else
      state.runs.push_back(std::move(run));
    from = to;
  }
  return true;
}

SelectPlanner::Way SelectPlanner::way(bool keeps, const std::vector<std::uint32_t>& targets) {
  const std::uint32_t whole = keeps ? SelectPlan::kCopy : SelectPlan::kDrop;
  const bool is_whole = std::all_of(targets.begin(), targets.end(),
                                    [&](std::uint32_t target) { return target == whole; });
  if (!is_whole) return Way::enter;
  return keeps ? Way::copy : Way::drop;
}

/// kDrop or kCopy where that is what the state comes to.
std::uint32_t SelectPlanner::settled(std::uint32_t id) const {
  const State& state = plan_.states_[id];
  const auto all = [&](Way way) {
    return state.object == way && state.array == way && state.scalar == way;
  };
  if (all(Way::drop)) return SelectPlan::kDrop;
  return all(Way::copy) ? SelectPlan::kCopy : id;
}

/// What a state does hangs on the states below, so it is gone over until nothing changes.
void SelectPlanner::settle() {
  for (bool is_new = true; is_new;) {
    is_new = false;
    for (std::size_t id = SelectPlan::kCopy + 1; id < plan_.states_.size(); ++id) {
      State& state = plan_.states_[id];
      std::vector<std::uint32_t> members;
      std::vector<std::uint32_t> elements;
      const auto take = [&](std::uint32_t& target, std::vector<std::uint32_t>& targets) {
        const std::uint32_t now = settled(target);
        is_new |= now != target;
        target = now;
        targets.push_back(now);
      };
      take(state.other, members);
      for (SelectPlan::Name& name : state.names) take(name.state, members);
      for (Run& run : state.runs)
        for (std::uint32_t& target : run.states) take(target, elements);
      const Way object = way(state.keeps, members);
      // Items are counted where some of them may be wanted.
      Way array = way(state.keeps, elements);
      if (state.is_items && array != Way::drop) array = Way::enter;
      is_new |= object != state.object || array != state.array;
      state.object = object;
      state.array = array;
    }
  }
}

void SelectPlanner::finish(State& state) {
  std::erase_if(state.names,
                [&](const SelectPlan::Name& name) { return name.state == state.other; });
  for (std::size_t i = 0; i < state.names.size(); ++i) {
    std::uint32_t& bucket = state.buckets[SelectPlan::hash(state.names[i].text)];
    state.names[i].next = bucket;
    bucket = static_cast<std::uint32_t>(i + 1);
    state.lengths |= std::uint64_t{1} << std::min<std::size_t>(state.names[i].text.size(), 63);
  }
  state.names_only = !state.keeps && state.other == SelectPlan::kDrop && state.names.size() <= 64;
  if (state.names_only && !state.names.empty())
    state.all_names = ~std::uint64_t{0} >> (64 - state.names.size());
  for (std::size_t i = state.runs.size(); i-- > 0;) {
    const auto& states = state.runs[i].states;
    if (std::any_of(states.begin(), states.end(),
                    [](std::uint32_t target) { return target != SelectPlan::kDrop; }))
      break;
    state.last = i == 0 ? 0 : state.runs[i - 1].to;
  }
  state.elements_alike = state.keeps && !state.is_items && state.runs.size() == 1 &&
                         state.runs[0].stepped.empty() &&
                         state.runs[0].states[0] != SelectPlan::kDrop;
  const auto is_plain = [](std::uint32_t target) {
    return target == SelectPlan::kDrop || target == SelectPlan::kCopy;
  };
  state.passes_members = is_plain(state.other);
  state.passes_elements = !state.is_items && !state.elements_alike &&
                          std::any_of(state.runs.begin(), state.runs.end(), [&](const Run& run) {
                            return std::any_of(run.states.begin(), run.states.end(), is_plain);
                          });
}

/// Of all that is selected: the definite segments at the front that are the same.
std::uint32_t SelectPlanner::common_segments() const {
  if (selection_.select.empty() || selection_.shape == Selection::Shape::document) return 0;
  const Path& first = selection_.select.front();
  std::size_t common = first.definite_segments();
  for (const Path& path : selection_.select) {
    common = std::min(common, path.definite_segments());
    const auto& segments = path.segments();
    const auto [end, other] =
        std::mismatch(segments.begin(), segments.begin() + static_cast<std::ptrdiff_t>(common),
                      first.segments().begin());
    static_cast<void>(other);
    common = static_cast<std::size_t>(end - segments.begin());
  }
  return static_cast<std::uint32_t>(common);
}

std::optional<SelectPlan> SelectPlanner::make(std::string& problem) {
  if (selection_.items && !selection_.items->path.is_definite()) {
    problem = "\"" + selection_.items->path.text() +
              "\" may stand for several arrays; the items of one are counted, so it is named by "
              "names and indices alone";
    return std::nullopt;
  }
  for (const Path& path : selection_.drop) {
    if (!path.segments().empty()) continue;
    problem = "\"$\" drops the whole document";
    return std::nullopt;
  }
  // kDrop and kCopy.
  sets_ = {nullptr, nullptr};
  plan_.root_ = id_of({selection_.select.empty(), false, firsts_});
  for (std::size_t id = 0; id < sets_.size(); ++id) {
    State& state = plan_.states_.emplace_back();
    if (sets_[id] == nullptr) {
      const Way way = id == SelectPlan::kCopy ? Way::copy : Way::drop;
      state.keeps = id == SelectPlan::kCopy;
      state.object = state.array = state.scalar = way;
      continue;
    }
    const Set& set = *sets_[id];
    state.keeps = set.keeps;
    state.is_items = set.is_items;
    state.scalar = set.keeps ? Way::copy : Way::drop;
    state.object = state.array = Way::enter;
    fill_names(set, state);
    if (!fill_runs(set, state)) {
      problem = "too many slices with steps meet in one array; 6 are the most";
      return std::nullopt;
    }
    if (sets_.size() > SelectPlan::kMaxStates) {
      problem =
          "the paths are too many, or too general together: there are more ways than 4096 in which "
          "they can go on; use fewer of them, or fewer with ..";
      return std::nullopt;
    }
  }
  settle();
  for (State& state : plan_.states_) finish(state);
  plan_.root_ = settled(plan_.root_);
  plan_.outer_levels_ = common_segments();
  plan_.items_ = selection_.items;
  return std::move(plan_);
}

std::optional<SelectPlan> SelectPlan::make(const Selection& selection, std::string& problem) {
  return SelectPlanner(selection).make(problem);
}

}  // namespace sluice::json
