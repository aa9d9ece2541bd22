#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace sluice::mcp {

/// What differs between protocol revisions, as far as results and messages go. Code asks for these,
/// not for the era.
struct Revision {
  enum class Structured : std::uint8_t { none, objects, any };
  /// What listed tools, prompts and resources may say of themselves; each has what the ones before
  /// it have.
  enum class Details : std::uint8_t { plain, annotations, titles, icons };
  /// Whether a client that loses a stream can come back for the rest: its events have ids, and an
  /// event without data may go ahead of them.
  enum class Resumption : std::uint8_t { none, ids, primed };

  /// How calls become tasks: never, where the request asks for it, or where the server likes to and
  /// the client has declared the extension.
  enum class Tasks : std::uint8_t { none, asked_for, extension };

  std::string_view name;
  bool is_modern;             ///< Stateless, with per-request metadata (2026-07-28 and later).
  Structured structured;      ///< What `structuredContent` may hold.
  bool takes_batches;         ///< JSON-RPC batches (2025-03-26 only).
  bool has_result_type;       ///< `resultType`, and `serverInfo` in `_meta` of every result.
  bool has_progress_message;  ///< `message` in notifications/progress.
  Details details;            ///< `titles` includes `_meta` and output schemas.
  Resumption resumption;
  Tasks tasks = Tasks::none;
};

/// Newest first.
inline constexpr std::array<Revision, 5> kRevisions{{
    {"2026-07-28", true, Revision::Structured::any, false, true, true, Revision::Details::icons,
     Revision::Resumption::none, Revision::Tasks::extension},
    {"2025-11-25", false, Revision::Structured::objects, false, false, true,
     Revision::Details::icons, Revision::Resumption::primed, Revision::Tasks::asked_for},
    {"2025-06-18", false, Revision::Structured::objects, false, false, true,
     Revision::Details::titles, Revision::Resumption::ids},
    {"2025-03-26", false, Revision::Structured::none, true, false, true,
     Revision::Details::annotations, Revision::Resumption::ids},
    {"2024-11-05", false, Revision::Structured::none, false, false, false, Revision::Details::plain,
     Revision::Resumption::none},
}};
inline constexpr const Revision& kModern = kRevisions[0];
inline constexpr const Revision& kNewestLegacy = kRevisions[1];

/// Null where there is no such revision.
[[nodiscard]] constexpr const Revision* find_revision(std::string_view name) noexcept {
  for (const auto& r : kRevisions)
    if (r.name == name) return &r;
  return nullptr;
}

/// Place in kRevisions. REQUIRES: it is one of them.
[[nodiscard]] constexpr std::size_t index_of(const Revision& revision) noexcept {
  return static_cast<std::size_t>(&revision - kRevisions.data());
}

}  // namespace sluice::mcp
