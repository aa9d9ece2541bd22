#!/usr/bin/env bash
# Calls the tools of the example plug-in and of the example host, and builds the plug-in as its README says.
set -euo pipefail
folder=$(mktemp -d)
host=
trap '[ -z "$host" ] || kill "$host" 2>/dev/null || true; rm -rf "$folder"' EXIT
yaml=$SOURCE_DIR/config/examples/plugin/plugin.yaml

expect() { # <what it is> <wanted> <got>
  [ "$2" = "$3" ] && return
  printf '%s: wanted\n%s\ngot\n%s\n' "$1" "$2" "$3" >&2
  exit 1
}

call() { "$SLUICE_BINARY" call -c "$yaml" "$@"; }

check_tools() {
  expect tools "about quote history chart watch" "$("$SLUICE_BINARY" tools -c "$yaml" | cut -f1 | tr '\n' ' ' | sed 's/ $//')"
  expect quote '{"code":"2330","close":137.60,"currency":"TWD"}' "$(call quote '{"code":"2330"}')"
  expect history 'day,close
0,137.60
1,137.54' "$(call history '{"code":"2330","days":2}')"
  expect "a long history" 200001 "$(call history '{"code":"2330","days":200000}' | grep -c ,)"
  expect watch 3 "$(call watch '{"code":"2330","ticks":3,"interval_ms":1}' | grep -c '^1')"
  call chart '{"code":"2330"}' | grep -q '"mimeType":"image/svg+xml"'
  ! call quote '{"code":"x"}' 2>"$folder/refused" || expect "a bad argument" refused answered
  grep -q code "$folder/refused"
}

export QUOTES_PLUGIN=$QUOTES
check_tools

# As the README says, with the compiler of this build and from another folder.
command=$(sed -n '/^```sh build/,/^```/p' "$SOURCE_DIR/config/examples/plugin/README.md" | sed '1d;$d')
export CXX="$COMPILER${SANITIZE:+ -fsanitize=$SANITIZE}" SLUICE=$SOURCE_DIR
(cp "$SOURCE_DIR"/config/examples/plugin/*.?pp "$folder" && cd "$folder" && bash -euc "$command")
QUOTES_PLUGIN=$folder/quotes.so check_tools

# A plug-in that was built for another sluice is refused by name.
printf '%s\n' '#include <sluice/plugin.hpp>' '#undef SLUICE_PLUGIN_TAG' '#define SLUICE_PLUGIN_TAG "sluice-plugin-0"' \
  'SLUICE_PLUGIN(registry) { static_cast<void>(registry); }' >"$folder/old.cpp"
$CXX -std=c++20 -fPIC -shared -I"$SOURCE_DIR/include" "$folder/old.cpp" -o "$folder/old.so"
! QUOTES_PLUGIN=$folder/old.so "$SLUICE_BINARY" check -c "$yaml" 2>"$folder/refused" || expect "an old plug-in" refused taken
grep -q sluice-plugin-0 "$folder/refused"

"$QUOTES_HOST" >"$folder/host" &
host=$!
for _ in $(seq 600); do
  grep -q '^port' "$folder/host" && break
  kill -0 "$host"
  sleep 0.1
done
port=$(sed -n 's/^port //p' "$folder/host")
answer=$(curl -sS --fail "http://127.0.0.1:$port/mcp" -H 'Content-Type: application/json' -H 'Accept: application/json' \
  -H 'MCP-Protocol-Version: 2026-07-28' -H 'Mcp-Method: tools/call' -H 'Mcp-Name: quote' \
  -d '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"quote","arguments":{"code":"2330"},"_meta":{
        "io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}')
case "$answer" in
  *'"structuredContent":{"code":"2330","close":137.60,"currency":"TWD"}}}') ;;
  *) expect "the host's answer" "a quote" "$answer" ;;
esac
kill -TERM "$host"
wait "$host"
host=
