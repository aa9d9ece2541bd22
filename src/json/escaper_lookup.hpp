// The inner loop for every instruction set that can look sixteen bytes up in a table. Each of them
// includes this text once, inside its own SLUICE_TARGET region and namespace and behind its classes
// Vector and Mask; that is why there is no guard and no #include here.
//
// Nothing branches on where the quotes are: which bytes of eight get a backslash picks a row of
// kExpansions, and all of a stride is written before it is known to be in order. Branches ask about
// a stride as a whole: has it anything to escape, anything that is not ASCII, anything odd.

inline constexpr std::size_t kVectors = kStride / Vector::kBytes;

/// The bytes of a stride, and the last ones in front of it.
struct Stride {
  Vector before;
  Vector bytes[kVectors];

  inline Vector in_front_of(std::size_t i) const noexcept { return i == 0 ? before : bytes[i - 1]; }
};

/// Not zero at the bytes that show that what ends there is not UTF-8.
inline Vector faults_of(const Stride& stride, std::size_t i) noexcept {
  const Vector now = stride.bytes[i];
  const Vector before = stride.in_front_of(i);
  const Vector last = now.behind<1>(before);
  const Vector pairs = Vector::table(kFirstUpper).at(last.upper_halves()) &
                       Vector::table(kFirstLower).at(last.lower_halves()) &
                       Vector::table(kSecondUpper).at(now.upper_halves());
  // Behind E0 and up comes a third byte, behind F0 and up a fourth.
  const Vector third = now.behind<2>(before).minus(Vector::splat(0xe0 - 0x80));
  const Vector fourth = now.behind<3>(before).minus(Vector::splat(0xf0 - 0x80));
  return pairs ^ ((third | fourth) & Vector::splat(kTwoTails));
}

/// What the characters that split lines start with: U+2028 and U+2029 are E2 80 A8 and E2 80 A9,
/// U+0085 is C2 85.
inline Mask leads_of(const Stride& stride, std::size_t i) noexcept {
  return (stride.bytes[i] == Vector::splat(0xe2)) | (stride.bytes[i] == Vector::splat(0xc2));
}
/// Their last bytes.
inline Mask separators_of(const Stride& stride, std::size_t i) noexcept {
  const Vector now = stride.bytes[i];
  const Vector before = stride.in_front_of(i);
  const Vector last = now.behind<1>(before);
  const Vector differs = ((now & Vector::splat(0xfe)) ^ Vector::splat(0xa8)) |
                         (last ^ Vector::splat(0x80)) |
                         (now.behind<2>(before) ^ Vector::splat(0xe2));
  return differs.zero() | ((now == Vector::splat(0x85)) & (last == Vector::splat(0xc2)));
}

/// What stands behind the backslash, and the bytes that get one.
struct Letters {
  Vector bytes;
  Mask special;
};
inline Letters letters_of(Vector bytes) noexcept {
  const Mask special = bytes == Vector::table(kSpecial).at_lower(bytes);
  return {bytes ^ Vector::table(kToLetter).at_lower(bytes).where(special), special};
}

/// How much of a stride is in front of what is odd in it: all that was written up to there counts.
struct Place {
  int bytes;
  int backslashes;
};
[[gnu::noinline]] Place find_odd(Stride stride) noexcept {
  Mask special[kVectors];
  Mask odd[kVectors];
  for (std::size_t i = 0; i < kVectors; ++i) {
    special[i] = letters_of(stride.bytes[i]).special;
    odd[i] = faults_of(stride, i).nonzero() | separators_of(stride, i) |
             stride.bytes[i].at_most(0x1f).without(special[i]);
  }
  const int length = std::countr_zero(Vector::bits(odd));
  const std::uint64_t in_front = (std::uint64_t{1} << length) - 1;
  return {length, std::popcount(Vector::bits(special) & in_front)};
}

inline Stop take(Cursor& c) noexcept {
  const char* in = c.in;
  char* out = c.out;
  const char* const in_last = c.in_end - kStride;
  char* const out_last = c.out_end - kStrideRoom;
  bool is_cut = false;     // The stride before ended in a byte that is not ASCII,
  bool has_leads = false;  // it has bytes that separators start with.
  Stop stop = Stop::at_end;
  Stride stride;
  stride.before = Vector::splat(0);

  while (in <= in_last && out <= out_last) {
    Mask special{};
    Mask high{};
    for (std::size_t i = 0; i < kVectors; ++i) {
      const Vector bytes = Vector::load(in + i * Vector::kBytes);
      stride.bytes[i] = bytes;
      special = special | bytes.at_most(0x1f) | letters_of(bytes).special;
      high = high | bytes.high();
    }
    if (!(special | high).is_any() && !is_cut) {
      for (std::size_t i = 0; i < kVectors; ++i) stride.bytes[i].store(out + i * Vector::kBytes);
      in += kStride;
      out += kStride;
      continue;
    }

    const bool is_ascii = !high.is_any() && !is_cut;
    Mask odd{};
    Vector faults = Vector::splat(0);
    if (!is_ascii) {
      Mask leads{};
      for (std::size_t i = 0; i < kVectors; ++i) {
        faults = faults | faults_of(stride, i);
        leads = leads | leads_of(stride, i);
      }
      if (leads.is_any() || has_leads) {
        for (std::size_t i = 0; i < kVectors; ++i) odd = odd | separators_of(stride, i);
      }
      has_leads = leads.is_any();
      is_cut = (in[kStride - 1] & 0x80) != 0;
    }
    char* end = out;
    if (special.is_any()) {
      for (std::size_t i = 0; i < kVectors; ++i) {
        const Letters letters = letters_of(stride.bytes[i]);
        odd = odd | stride.bytes[i].at_most(0x1f).without(letters.special);
        end = letters.bytes.expand(letters.special.bits(), end);
      }
    } else {
      for (std::size_t i = 0; i < kVectors; ++i) stride.bytes[i].store(end + i * Vector::kBytes);
      end += kStride;
    }
    if (odd.is_any() || !faults.is_zero()) {
      const Place place = find_odd(stride);
      in += place.bytes;
      out += place.bytes + place.backslashes;
      stop = Stop::at_odd;
      break;
    }
    in += kStride;
    out = end;
    stride.before = stride.bytes[kVectors - 1];
  }
  // Bytes of a character that is not whole were written as they are.
  const std::size_t back = unfinished(c.in, in);
  c.in = in - back;
  c.out = out - back;
  return stop;
}
