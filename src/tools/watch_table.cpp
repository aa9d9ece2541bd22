#include "tools/watch_table.hpp"

#include <algorithm>
#include <utility>

namespace sluice::tools {

void WatchTable::add(int wd, Place place) {
  auto& places = places_[wd];
  // A directory that was moved within the root is known by its old name.
  std::erase_if(places, [&](const Place& old) { return old.target == place.target; });
  places.push_back(std::move(place));
}

std::vector<WatchTable::Place> WatchTable::find(int wd) const {
  const auto found = places_.find(wd);
  return found == places_.end() ? std::vector<Place>() : found->second;
}

std::vector<int> WatchTable::leave(std::size_t target, std::string_view directory) {
  std::vector<int> empty;
  for (auto it = places_.begin(); it != places_.end();) {
    auto& places = it->second;
    std::erase_if(places, [&](const Place& place) {
      return place.target == target && place.directory.starts_with(directory);
    });
    if (places.empty()) {
      empty.push_back(it->first);
      it = places_.erase(it);
    } else {
      ++it;
    }
  }
  return empty;
}

}  // namespace sluice::tools
