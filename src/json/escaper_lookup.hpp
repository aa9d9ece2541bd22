// The inner loop for every instruction set that can look sixteen bytes up in a table. Each of them
// includes this text once, inside its own SLUICE_TARGET region and namespace and behind its classes
// Vector and Mask; that is why there is no guard and no #include here.
//
// A byte is loaded once and stored once. Nothing branches on where the quotes are: which bytes of
// eight get a backslash picks a row of kExpansions. Branches ask about a stride as a whole: whether
// it has anything to escape, anything that is not ASCII, anything odd.

inline constexpr std::size_t kVectors = kStride / Vector::kBytes;

/// What is wrong with the bytes of `now`, at the byte that shows it, and the last bytes of
/// separators that split lines.
inline Mask find_odd(Vector before, Vector now) noexcept {
  const Vector last = now.behind<1>(before);
  const Vector last_but_one = now.behind<2>(before);
  const Vector last_but_two = now.behind<3>(before);
  const Vector pairs = Vector::table(kFirstUpper).at(last.upper_halves()) &
                       Vector::table(kFirstLower).at(last.lower_halves()) &
                       Vector::table(kSecondUpper).at(now.upper_halves());
  // Behind E0 and up comes a third byte, behind F0 and up a fourth.
  const Vector third = last_but_one.minus(Vector::splat(0xe0 - 0x80));
  const Vector fourth = last_but_two.minus(Vector::splat(0xf0 - 0x80));
  const Vector faults = pairs ^ ((third | fourth) & Vector::splat(kTwoTails));
  // U+2028 and U+2029 are E2 80 A8 and A9, U+0085 is C2 85.
  const Vector separator = (now & Vector::splat(0xfe)) ^ Vector::splat(0xa8);
  const Vector in_front = (last ^ Vector::splat(0x80)) | (last_but_one ^ Vector::splat(0xe2));
  const Mask next_line = (now == Vector::splat(0x85)) & (last == Vector::splat(0xc2));
  return faults.nonzero() | (separator | in_front).zero() | next_line;
}

inline char* expand(const Vector (&bytes)[kVectors], std::uint64_t special, char* out) noexcept {
  for (std::size_t i = 0; i < kVectors; ++i)
    out = bytes[i].expand(special >> (i * Vector::kBytes), out);
  return out;
}

inline Stop take(Cursor& c) noexcept {
  const char* const begin = c.in;
  const char* in = c.in;
  char* out = c.out;
  const char* const in_last = c.in_end - kStride;
  char* const out_last = c.out_end - kStrideRoom;
  Vector before = Vector::splat(0);
  bool is_cut = false;  // The stride before ended in a byte that is not ASCII.
  Stop stop = Stop::at_end;

  while (in <= in_last && out <= out_last) {
    Vector bytes[kVectors];
    Vector letters[kVectors];
    Mask special[kVectors];
    Mask odd[kVectors];
    Mask high{};
    Mask any{};
    for (std::size_t i = 0; i < kVectors; ++i) {
      bytes[i] = Vector::load(in + i * Vector::kBytes);
      const Vector change = Vector::table(kToLetter).at_or_zero(bytes[i]);
      letters[i] = bytes[i] ^ change;
      const Mask control = bytes[i].at_most(0x1f);
      const Mask quote = (bytes[i] == Vector::splat('"')) | (bytes[i] == Vector::splat('\\'));
      special[i] = quote | change.nonzero();
      odd[i] = control.without(special[i]);
      high = high | bytes[i].high();
      any = any | control | quote;
    }
    if (!(any | high).is_any() && !is_cut) {
      for (std::size_t i = 0; i < kVectors; ++i) bytes[i].store(out + i * Vector::kBytes);
      in += kStride;
      out += kStride;
      continue;
    }
    if (high.is_any() || is_cut) {
      Vector last = before;
      for (std::size_t i = 0; i < kVectors; ++i) {
        odd[i] = odd[i] | find_odd(last, bytes[i]);
        last = bytes[i];
      }
      before = last;
      is_cut = (in[kStride - 1] & 0x80) != 0;
    }
    Mask any_odd = odd[0];
    for (std::size_t i = 1; i < kVectors; ++i) any_odd = any_odd | odd[i];
    const std::uint64_t backslashes = Vector::bits(special);
    if (any_odd.is_any()) {
      const int length = std::countr_zero(Vector::bits(odd));
      const std::uint64_t taken = backslashes & ((std::uint64_t{1} << length) - 1);
      expand(letters, taken, out);
      in += length;
      out += length + std::popcount(taken);
      stop = Stop::at_odd;
      break;
    }
    in += kStride;
    out = expand(letters, backslashes, out);
  }
  // Bytes of a character that is not whole were written as they are.
  const std::size_t back = unfinished(begin, in);
  c.in = in - back;
  c.out = out - back;
  return stop;
}
