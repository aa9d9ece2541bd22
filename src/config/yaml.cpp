#include "config/yaml.hpp"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <map>
#include <optional>
#include <sstream>
#include <unordered_map>
#include <utility>

#include "config/yaml_text.hpp"

namespace sluice::config::yaml {
namespace {

/// Builds the tree from the parser's events.
class Builder final : public YAML::EventHandler {
 public:
  Builder(const SourceText& text, Complaints& complaints) : text_(text), complaints_(complaints) {}

  [[nodiscard]] NodePtr root() const { return root_; }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents_ == 2) complaints_.add(at(mark), "a second YAML document; expected only one");
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    if (expects_key()) return put_bad_key(mark);
    auto node = make(Node::Kind::null, mark);
    finish(std::move(node), anchor);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    const NodePtr node = found == anchors_.end() ? nullptr : found->second;
    if (!node) complaints_.add(at(mark), "an alias inside the value that it names");
    if (expects_key()) {
      if (node && node->is(Node::Kind::scalar))
        put_key(mark, node->written);
      else
        put_bad_key(mark);
      return;
    }
    place(node && may_repeat(*node, mark) ? node : make(Node::Kind::null, mark));
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    if (text_.is_unclosed_quote(mark.line, mark.column))
      complaints_.add(at(mark), "a quote that is never closed");
    const bool is_text = is_text_tag(mark, tag);
    const bool is_key = expects_key();
    auto node = make(Node::Kind::scalar, mark);
    node->is_plain = !is_text;
    node->written = value;
    if (is_key) {
      node->value = value;
      node->segments = {{value, false}};
      if (anchor != 0) anchors_[anchor] = node;
      if (value == "<<" && !is_text)
        put_merge(mark);
      else
        put_key(mark, value);
      return;
    }
    auto expanded = expand(value);
    for (auto& fault : expanded.faults) complaints_.add(at(mark), std::move(fault));
    node->segments = std::move(expanded.segments);
    for (const auto& s : node->segments) node->value += s.text;
    node->weight += node->value.size();
    finish(std::move(node), anchor);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(Node::Kind::sequence, mark, tag, anchor);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(Node::Kind::mapping, mark, tag, anchor);
  }
  void OnMapEnd() override { close(); }

 private:
  struct Level {
    std::shared_ptr<Node> node;
    YAML::anchor_t anchor = 0;
    bool is_key = false;  ///< A collection in the place of a key: read over.
    // mapping:
    bool has_key = false;
    bool is_merge = false;
    Entry pending;
    std::unordered_map<std::string, int> lines;           ///< Where each key was first seen.
    std::vector<std::pair<std::size_t, NodePtr>> merges;  ///< What goes before which entry.
  };

  [[nodiscard]] Spot at(const YAML::Mark& mark) const { return text_.spot(mark.line, mark.column); }
  [[nodiscard]] std::shared_ptr<Node> make(Node::Kind kind, const YAML::Mark& mark) const {
    auto node = std::make_shared<Node>();
    node->kind = kind;
    node->spot = at(mark);
    return node;
  }
  [[nodiscard]] bool expects_key() const {
    return !levels_.empty() && levels_.back().node->is(Node::Kind::mapping) &&
           !levels_.back().has_key;
  }

  /// True for a scalar that is text whatever it looks like.
  bool is_text_tag(const YAML::Mark& mark, const std::string& tag) {
    if (tag == "!" || tag == "tag:yaml.org,2002:str") return true;
    for (const auto* known : {"", "?", "tag:yaml.org,2002:int", "tag:yaml.org,2002:float",
                              "tag:yaml.org,2002:bool", "tag:yaml.org,2002:null"})
      if (tag == known) return false;
    complaints_.add(at(mark), "the YAML tag " + in_quotes(tag) + " means nothing here");
    return true;
  }

  /// Aliases of aliases can make a small file stand for an endless structure.
  bool may_repeat(const Node& node, const YAML::Mark& mark) {
    constexpr std::size_t kMost = std::size_t{4} << 20;
    if (repeated_ > kMost) return false;  // Told already.
    repeated_ += node.weight;
    if (repeated_ <= kMost) return true;
    complaints_.add(at(mark), "the aliases up to here stand for more than 4 MiB");
    return false;
  }

  void put_key(const YAML::Mark& mark, std::string key) {
    auto& level = levels_.back();
    const auto [first, is_new] = level.lines.emplace(key, mark.line + 1);
    if (!is_new)
      complaints_.add(at(mark), "the key " + in_quotes(key) + " stands here again; first in line " +
                                    std::to_string(first->second));
    level.pending = {std::move(key), at(mark), nullptr};
    level.has_key = true;
  }
  void put_merge(const YAML::Mark& mark) {
    put_key(mark, "<<");
    levels_.back().is_merge = true;
  }
  void put_bad_key(const YAML::Mark& mark) {
    complaints_.add(at(mark), "a key must be text");
    auto& level = levels_.back();
    level.pending = {};
    level.has_key = true;
  }

  void open(Node::Kind kind, const YAML::Mark& mark, const std::string& tag,
            YAML::anchor_t anchor) {
    if (!tag.empty() && tag != "?" && tag != "!" && tag != "tag:yaml.org,2002:map" &&
        tag != "tag:yaml.org,2002:seq")
      complaints_.add(at(mark), "the YAML tag " + in_quotes(tag) + " means nothing here");
    Level level;
    level.is_key = expects_key();
    if (level.is_key) complaints_.add(at(mark), "a key must be text");
    level.node = make(kind, mark);
    level.anchor = anchor;
    levels_.push_back(std::move(level));
  }

  void close() {
    Level level = std::move(levels_.back());
    levels_.pop_back();
    merge(level);
    auto& weight = level.node->weight;
    for (const auto& element : level.node->elements) weight += element->weight;
    for (const auto& entry : level.node->entries) weight += entry.key.size() + entry.value->weight;
    if (level.is_key) {
      levels_.back().pending = {};
      levels_.back().has_key = true;
      return;
    }
    finish(std::move(level.node), level.anchor);
  }

  void finish(std::shared_ptr<Node> node, YAML::anchor_t anchor) {
    if (anchor != 0) anchors_[anchor] = node;
    place(std::move(node));
  }

  void place(NodePtr node) {
    if (levels_.empty()) {
      if (!root_) root_ = std::move(node);
      return;
    }
    auto& level = levels_.back();
    if (level.node->is(Node::Kind::sequence)) {
      level.node->elements.push_back(std::move(node));
      return;
    }
    level.has_key = false;
    if (std::exchange(level.is_merge, false)) {
      take_merge(level, node);
    } else if (level.pending.spot.line != 0) {
      level.pending.value = std::move(node);
      level.node->entries.push_back(std::move(level.pending));
    }
  }

  void take_merge(Level& level, const NodePtr& node) {
    const auto before = level.node->entries.size();
    const bool is_list = node->is(Node::Kind::sequence);
    const auto parts = is_list ? node->elements : std::vector<NodePtr>{node};
    for (const auto& part : parts) {
      if (part->is(Node::Kind::mapping))
        level.merges.emplace_back(before, part);
      else
        complaints_.add(part->spot, "a merge key (<<) takes mappings only");
    }
  }

  /// Keys that are written out win over merged ones, earlier merged mappings over later ones.
  static void merge(Level& level) {
    if (level.merges.empty()) return;
    std::vector<Entry> out;
    auto next = level.merges.begin();
    auto& own = level.node->entries;
    for (std::size_t i = 0; i <= own.size(); ++i) {
      for (; next != level.merges.end() && next->first == i; ++next)
        for (const auto& entry : next->second->entries)
          if (level.lines.emplace(entry.key, 0).second) out.push_back(entry);
      if (i < own.size()) out.push_back(std::move(own[i]));
    }
    own = std::move(out);
  }

  const SourceText& text_;
  Complaints& complaints_;
  int documents_ = 0;
  NodePtr root_;
  std::vector<Level> levels_;
  std::map<YAML::anchor_t, NodePtr> anchors_;
  std::size_t repeated_ = 0;
};

}  // namespace

bool Node::has_variables() const noexcept {
  return std::any_of(segments.begin(), segments.end(), [](const Segment& s) { return s.inserted; });
}

const Entry* Node::find(std::string_view key) const noexcept {
  for (const auto& entry : entries)
    if (entry.key == key) return &entry;
  return nullptr;
}

NodePtr parse(const std::string& text, Complaints& complaints) {
  // A byte order mark is allowed; without it columns are right.
  const std::string body = text.starts_with("\xEF\xBB\xBF") ? text.substr(3) : text;
  const SourceText source(body);
  if (!source.check(complaints)) return nullptr;
  Builder builder(source, complaints);
  try {
    std::istringstream in(body);
    YAML::Parser parser(in);
    // Twice and no more: after text that ends no document, the parser finds empty ones for ever.
    if (parser.HandleNextDocument(builder)) parser.HandleNextDocument(builder);
  } catch (const YAML::Exception& e) {
    if (source.is_indented_by_tab(e.mark.line)) {
      if (!source.line(e.mark.line).starts_with('\t'))
        complaints.add(source.spot(e.mark.line, 0),
                       "a tab in the indentation; YAML takes spaces only");
      return nullptr;
    }
    std::string what = "YAML: " + e.msg;
    if (source.line(e.mark.line).find('{') != std::string_view::npos)
      what += " (inside {...} and [...], values that hold braces must be quoted)";
    complaints.add(source.spot(e.mark.line, e.mark.column), std::move(what));
    return nullptr;
  }
  if (!builder.root() && complaints.empty())
    complaints.add({1, 1}, "the file is empty; expected at least \"version: 1\"");
  return builder.root();
}

}  // namespace sluice::config::yaml
