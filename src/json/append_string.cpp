#include "json/document.hpp"
#include "json/escaper.hpp"

namespace sluice::json {

void append_string(std::string& out, std::string_view text) {
  Escaper escaper;
  char piece[1024];
  out.push_back('"');
  while (!text.empty()) {
    const Escaper::Step step = escaper.step(text, piece);
    out.append(piece, step.written);
    text.remove_prefix(step.read);
  }
  out.append(piece, escaper.finish(piece));
  out.push_back('"');
}

}  // namespace sluice::json
