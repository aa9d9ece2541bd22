# Sourced by ./run and ./check: what they need, and how it is built.

say() { printf '\n== %s\n' "$*"; }

# Debian packages, by what they are for.
packages_build="clang-19 lld-19 cmake ninja-build pkg-config ca-certificates
  libboost1.81-dev libboost-url1.81-dev libsimdjson-dev libspdlog-dev libyaml-cpp-dev libcli11-dev libssl-dev
  zlib1g-dev libzstd-dev libbrotli-dev libpcre2-dev"
packages_check="g++ libclang-rt-19-dev llvm-19 clang-tidy-19 clang-format-19 libgtest-dev libgmock-dev libbenchmark-dev g++-aarch64-linux-gnu qemu-user-static curl procps git nodejs npm"

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"
  elif command -v sudo >/dev/null; then sudo "$@"
  else echo "This needs root, and there is no sudo: $*" >&2; return 1
  fi
}

# Installs those of the named packages that are missing. nodejs and npm count as there where the commands are,
# whoever brought them.
install_packages() {
  local missing="" package
  for package in "$@"; do
    case "$package" in
      nodejs) command -v node >/dev/null && continue ;;
      npm) command -v npm >/dev/null && continue ;;
    esac
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q '^install ok installed' || missing="$missing $package"
  done
  [ -n "$missing" ] || return 0
  say "installing:$missing"
  as_root apt-get update -q
  # shellcheck disable=SC2086
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $missing
}

# build <preset> [cmake options] -- <targets>: configures and builds into build/<preset>.
build() {
  local preset=$1 options=()
  shift
  while [ $# -gt 0 ] && [ "$1" != -- ]; do options+=("$1"); shift; done
  [ $# -gt 0 ] && shift
  say "building ($preset)"
  cmake --preset "$preset" "${options[@]}" >/dev/null || cmake --preset "$preset" "${options[@]}"
  cmake --build "build/$preset" -j "${JOBS:-$(nproc)}" --target "${@:-all}"
}
