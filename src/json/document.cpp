#include "json/document.hpp"

#include <simdjson.h>

#include <algorithm>
#include <utility>

#include "base/check.hpp"
#include "json/number.hpp"
#include "json/scan.hpp"

namespace sluice::json {

static_assert(kPadding >= simdjson::SIMDJSON_PADDING);

namespace {

namespace ondemand = simdjson::ondemand;

/// Memory above this is not kept from one text to the next.
constexpr std::size_t kKept = 64 * 1024;
/// On-Demand counts the levels of scalars and of the document itself too.
constexpr std::size_t kSpareLevels = 8;

constexpr bool is_space(char c) noexcept { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/// Walks a text once, and writes its nodes.
///
/// On-Demand is lazy: it checks what it is asked for. So the walk keeps a place of its own, the end
/// of the last token, and lets On-Demand lead only where nothing but white space and the one
/// separator due lies before the next token. What On-Demand's first stage has checked for all of
/// the text: UTF-8, no controls in strings, strings closed.
class Walk {
 public:
  struct Memory {
    std::vector<JsonNode>& nodes;
    std::vector<std::uint8_t>& unescaped;
  };

  Walk(const ondemand::parser& parser, Memory memory, std::string_view text,
       std::uint32_t max_depth, std::size_t max_values)
      : parser_(parser),
        nodes_(memory.nodes),
        unescaped_(memory.unescaped),
        at_(text.data()),
        end_(text.data() + text.size()),
        text_size_(text.size()),
        max_depth_(max_depth),
        max_values_(max_values) {}

  [[nodiscard]] Errc document(ondemand::document& document) {
    std::string_view token;
    if (document.raw_json_token().get(token)) return Errc::parse_error;
    const Errc failure = value(document, token.data(), kNothing, max_depth_);
    if (failure != Errc::ok) return failure;
    skip_space();
    return at_ == end_ ? Errc::ok : Errc::parse_error;
  }

 private:
  static constexpr char kNothing = '\0';

  /// `levels`: how many containers may still be opened.
  template <class Value>  // ondemand::value, or the document where the value is all of it
  [[nodiscard]] Errc value(Value& from, const char* start, char separator, std::uint32_t levels) {
    if (!arrive(start, separator)) return Errc::parse_error;
    if (nodes_.size() >= max_values_) return Errc::too_many_values;
    switch (*at_) {
      case '{':
      case '[':
        if (levels == 0) return Errc::too_deep;
        return *at_ == '{' ? object(from, levels - 1) : array(from, levels - 1);
      case '"':
        return string();
      case 't':
        return literal("true", JsonKind::boolean);
      case 'f':
        return literal("false", JsonKind::boolean);
      case 'n':
        return literal("null", JsonKind::null);
      default:
        return number();
    }
  }

  template <class Value>
  [[nodiscard]] Errc array(Value& from, std::uint32_t levels) {
    ondemand::array elements;
    if (from.get_array().get(elements)) return Errc::parse_error;
    const std::size_t node = add(JsonKind::array);
    const char* start = at_++;
    std::uint32_t count = 0;
    for (auto element : elements) {
      ondemand::value child;
      if (std::move(element).get(child)) return Errc::parse_error;
      const Errc failure =
          value(child, child.raw_json_token().data(), count == 0 ? kNothing : ',', levels);
      if (failure != Errc::ok) return failure;
      ++count;
    }
    return close(node, start, ']', count);
  }

  template <class Value>
  [[nodiscard]] Errc object(Value& from, std::uint32_t levels) {
    ondemand::object fields;
    if (from.get_object().get(fields)) return Errc::parse_error;
    const std::size_t node = add(JsonKind::object);
    const char* start = at_++;
    std::uint32_t count = 0;
    for (auto member : fields) {
      ondemand::field field;
      if (std::move(member).get(field)) return Errc::parse_error;
      // The pointer is to the byte behind the quote.
      if (!arrive(field.key().raw() - 1, count == 0 ? kNothing : ',')) return Errc::parse_error;
      Errc failure = string();
      if (failure != Errc::ok) return failure;
      failure = value(field.value(), field.value().raw_json_token().data(), ':', levels);
      if (failure != Errc::ok) return failure;
      ++count;
    }
    return close(node, start, '}', count);
  }

  [[nodiscard]] Errc close(std::size_t node, const char* start, char bracket, std::uint32_t count) {
    skip_space();
    if (at_ == end_ || *at_ != bracket) return Errc::parse_error;
    ++at_;
    nodes_[node].raw = span(start);
    nodes_[node].count = count;
    nodes_[node].next = static_cast<std::uint32_t>(nodes_.size() - node);
    return Errc::ok;
  }

  [[nodiscard]] Errc string() {
    const char* start = at_;
    bool escaped = false;
    if (*at_ != '"') return Errc::parse_error;
    ++at_;
    for (;;) {
      at_ = find_quote_or_backslash(at_);
      if (at_ == end_) return Errc::parse_error;
      if (*at_ == '"') break;
      if (end_ - at_ < 2) return Errc::parse_error;
      escaped = true;
      at_ += 2;
    }
    ++at_;
    JsonNode& node = nodes_[add(JsonKind::string)];
    node.raw = span(start);
    node.string = node.raw.substr(1, node.raw.size() - 2);
    return escaped ? unescape(node) : Errc::ok;
  }

  /// Undone strings are never longer than they were, so the room of the text is enough for all of
  /// them.
  [[nodiscard]] Errc unescape(JsonNode& node) {
    if (to_ == nullptr) {
      unescaped_.resize(std::max(unescaped_.size(), text_size_ + kPadding));
      to_ = unescaped_.data();
    }
    const auto* inside = reinterpret_cast<const std::uint8_t*>(node.string.data());
    return parser_.unescape(ondemand::raw_json_string(inside), to_).get(node.string)
               ? Errc::parse_error
               : Errc::ok;
  }

  [[nodiscard]] Errc literal(std::string_view word, JsonKind kind) {
    const char* start = at_;
    if (!std::string_view(at_, static_cast<std::size_t>(end_ - at_)).starts_with(word)) {
      return Errc::parse_error;
    }
    at_ += word.size();
    JsonNode& node = nodes_[add(kind)];
    node.raw = span(start);
    node.truth = word == "true";
    return Errc::ok;
  }

  [[nodiscard]] Errc number() {
    const char* start = at_;
    at_ = end_of_number(at_, end_);
    if (at_ == start) return Errc::parse_error;
    nodes_[add(JsonKind::number)].raw = span(start);
    return Errc::ok;
  }

  /// Goes on to the next token, which On-Demand says is at `token`.
  [[nodiscard]] bool arrive(const char* token, char separator) noexcept {
    skip_space();
    if (separator != kNothing) {
      if (at_ == end_ || *at_ != separator) return false;
      ++at_;
      skip_space();
    }
    return at_ != end_ && at_ == token;
  }

  void skip_space() noexcept {
    while (at_ != end_ && is_space(*at_)) ++at_;
  }

  [[nodiscard]] const char* find_quote_or_backslash(const char* from) const noexcept {
    while (static_cast<std::size_t>(end_ - from) >= Block::kBytes) {
      const std::uint32_t found = Block::load(from).quote_or_backslash();
      if (found != 0) return from + std::countr_zero(found);
      from += Block::kBytes;
    }
    while (from != end_ && *from != '"' && *from != '\\') ++from;
    return from;
  }

  [[nodiscard]] std::string_view span(const char* start) const noexcept {
    return {start, static_cast<std::size_t>(at_ - start)};
  }

  std::size_t add(JsonKind kind) {
    nodes_.push_back(JsonNode{kind, false, 0, 1, {}, {}});
    return nodes_.size() - 1;
  }

  const ondemand::parser& parser_;
  std::vector<JsonNode>& nodes_;
  std::vector<std::uint8_t>& unescaped_;
  std::uint8_t* to_ = nullptr;
  const char* at_;
  const char* end_;
  std::size_t text_size_;
  std::uint32_t max_depth_;
  std::size_t max_values_;
};

}  // namespace

struct Document::Impl {
  std::unique_ptr<ondemand::parser> parser;
  std::vector<JsonNode> nodes;
  std::vector<std::uint8_t> unescaped;
  std::string copy;
  std::size_t max_values = SIZE_MAX;

  /// Forgets the last text, and gives back what it needed beyond the usual.
  void forget() noexcept {
    nodes.clear();
    if (nodes.capacity() * sizeof(JsonNode) > kKept) std::vector<JsonNode>().swap(nodes);
    if (unescaped.capacity() > kKept) std::vector<std::uint8_t>().swap(unescaped);
    if (copy.capacity() > kKept) std::string().swap(copy);
    if (parser && parser->capacity() > kKept) parser.reset();
  }

  [[nodiscard]] Result<Json> parse(std::string_view text, std::size_t capacity,
                                   std::uint32_t max_depth) {
    const Errc failure = walk(text, capacity, max_depth);
    if (failure == Errc::ok) return Json(nodes.data());
    nodes.clear();
    return failure;
  }

  [[nodiscard]] Errc walk(std::string_view text, std::size_t capacity, std::uint32_t max_depth) {
    const std::size_t levels =
        std::max<std::size_t>(max_depth + kSpareLevels, simdjson::DEFAULT_MAX_DEPTH);
    if (!parser) parser = std::make_unique<ondemand::parser>();
    if (parser->capacity() < text.size() || parser->max_depth() < levels) {
      const std::size_t size = std::max(text.size(), parser->capacity());
      if (parser->allocate(size, std::max(levels, parser->max_depth()))) return Errc::parse_error;
    }
    ondemand::document document;
    if (parser->iterate(text.data(), text.size(), capacity).get(document)) return Errc::parse_error;
    return Walk(*parser, {nodes, unescaped}, text, max_depth, max_values).document(document);
  }
};

Document::Document() : impl_(std::make_unique<Impl>()) {}
Document::~Document() = default;
Document::Document(Document&&) noexcept = default;
Document& Document::operator=(Document&&) noexcept = default;

Result<Json> Document::parse(std::string_view text, std::size_t capacity, std::uint32_t max_depth) {
  SLUICE_CHECK(capacity >= text.size() + kPadding);
  impl_->forget();
  return impl_->parse(text, capacity, max_depth);
}

Result<Json> Document::parse_copy(std::string_view text, std::uint32_t max_depth) {
  impl_->forget();
  std::string& copy = impl_->copy;
  copy.reserve(text.size() + kPadding);
  copy.assign(text);
  return impl_->parse(copy, copy.capacity(), max_depth);
}

void Document::set_max_values(std::size_t values) noexcept { impl_->max_values = values; }

void Document::clear() noexcept { impl_->forget(); }

Json Document::root() const noexcept {
  return impl_->nodes.empty() ? Json() : Json(impl_->nodes.data());
}

}  // namespace sluice::json
