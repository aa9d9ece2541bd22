#include "http/content_filter.hpp"

#include <utility>

namespace sluice::http {

void ContentFilters::add(std::unique_ptr<ContentFilter> filter) {
  Stage stage;
  stage.filter = std::move(filter);
  stage.window = std::make_unique<char[]>(kWindow);
  stages_.push_back(std::move(stage));
}

Result<std::string_view> ContentFilters::next(std::string_view& in, bool last) {
  return pull(stages_.size(), in, last);
}

Result<std::string_view> ContentFilters::pull(std::size_t upto, std::string_view& in, bool last) {
  if (upto == 0) return std::exchange(in, {});
  Stage& stage = stages_[upto - 1];
  while (!stage.ended) {
    if (stage.input.empty() && !stage.was_full && !stage.input_ended) {
      const auto below = pull(upto - 1, in, last);
      if (!below) return below.error();
      stage.input = *below;
      if (stage.input.empty()) {
        if (!last) return std::string_view();
        stage.input_ended = true;
      }
    }
    const auto step = stage.filter->step(stage.input, {stage.window.get(), kWindow},
                                         stage.input_ended && stage.input.empty());
    if (!step) {
      problem_ = stage.filter->problem();
      return step.error();
    }
    const bool idle = step->read == 0 && step->written == 0;
    if (idle && !stage.input.empty()) {
      problem_ = "the data cannot be decoded";  // would turn for ever
      return make_error_code(Errc::source_failed);
    }
    stage.was_full = kWindow - step->written < ContentFilter::kMinRoom;
    stage.input.remove_prefix(step->read);
    if (idle && stage.input_ended) stage.ended = true;
    if (step->written > 0) return std::string_view(stage.window.get(), step->written);
  }
  return std::string_view();
}

}  // namespace sluice::http
