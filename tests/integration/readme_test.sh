#!/usr/bin/env bash
# Runs what the README shows: its call by curl, pasted as it stands, against the default configuration; and its
# example of a configuration file, through `sluice check`. Usage: readme_test.sh <sluice> <source folder>
set -euo pipefail
sluice=$1
source=$2
folder=$(mktemp -d)
trap 'kill "${server:-}" 2>/dev/null || true; rm -rf "$folder"' EXIT

# The block after a marker, or the first block of a language.
block_after() { awk -v marker="$1" 'index($0, marker) { on = 1; next } on && /^```/ { if (inside) exit; inside = 1; next } inside' "$source/README.md"; }

SLUICE_LISTEN=127.0.0.1:0 "$sluice" serve -c "$source/config/sluice.yaml" 2>"$folder/log" &
server=$!
for _ in $(seq 600); do
  port=$(sed -n 's#.* on http://127.0.0.1:\([0-9]*\)/mcp#\1#p' "$folder/log")
  [ -n "$port" ] && break
  sleep 0.1
done
[ -n "$port" ] || { cat "$folder/log"; exit 1; }

block_after '<!-- example: call -->' | sed "s/127.0.0.1:8808/127.0.0.1:$port/" >"$folder/call.sh"
grep -q curl "$folder/call.sh"
bash "$folder/call.sh" >"$folder/answer"
grep -q '"columns' "$folder/answer" || { cat "$folder/answer"; exit 1; }
node -e '
  const answer = JSON.parse(require("fs").readFileSync(process.argv[1], "utf8"));
  const table = JSON.parse(answer.result.content[0].text);
  if (table.rows.length < 1000 || table.rows[0].length !== table.columns.length) process.exit(1);
' "$folder/answer"
kill "$server"
wait "$server"

# Paths of the example are those of some other machine; everything else has to be as the reader would write it.
block_after '## The file' | sed -e "s#/srv/reports#$folder#" -e '/^plugins:/d' >"$folder/example.yaml"
grep -q 'get_data:' "$folder/example.yaml"
MARKET_TOKEN=x "$sluice" check -c "$folder/example.yaml"

{ echo 'version: 1'; block_after '## Prompts and completion'; } | sed -e "s#/srv/reports#$folder#" >"$folder/prompts.yaml"
grep -q 'messages:' "$folder/prompts.yaml"
"$sluice" check -c "$folder/prompts.yaml"
