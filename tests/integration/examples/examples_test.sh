#!/usr/bin/env bash
# Calls the tools of the examples: the plug-in's, which is also built as its README says, the host's and market.yaml's; asks
# for the prompts of prompts.yaml, and reads the resources of resources.yaml.
set -euo pipefail
folder=$(mktemp -d)
children=
trap 'kill $children 2>/dev/null || true; rm -rf "$folder"' EXIT
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

# Starts a program that prints its port: sets `pid`, `port` and `url`.
start() { # <program> [arguments]
  local output=$folder/${1##*/}
  "$@" >"$output" &
  pid=$!
  children="$children $pid"
  for _ in $(seq 600); do
    grep -q '^port' "$output" && break
    kill -0 "$pid"
    sleep 0.1
  done
  port=$(sed -n 's/^port //p' "$output")
  url=http://127.0.0.1:$port/mcp
}

ask_for_quote() { # <accept>
  curl -sS --fail "http://127.0.0.1:$port/mcp" -H 'Content-Type: application/json' -H "Accept: $1" \
    -H 'MCP-Protocol-Version: 2026-07-28' -H 'Mcp-Method: tools/call' -H 'Mcp-Name: quote' \
    -d '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"quote","arguments":{"code":"2330"},"_meta":{
          "io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}'
}

capabilities='{}'
ask() { # <method> <params, without braces> [name]
  curl -sS --fail "$url" -H 'Content-Type: application/json' -H 'Accept: application/json' \
    -H 'MCP-Protocol-Version: 2026-07-28' -H "Mcp-Method: $1" ${3:+-H "Mcp-Name: $3"} \
    -d '{"jsonrpc":"2.0","id":1,"method":"'"$1"'","params":{'"$2${2:+,}"'"_meta":{
          "io.modelcontextprotocol/protocolVersion":"2026-07-28",
          "io.modelcontextprotocol/clientCapabilities":'"$capabilities"'}}}'
}

start "$QUOTES_HOST"
answer=$(ask_for_quote application/json)
case "$answer" in
  *'"structuredContent":{"code":"2330","close":137.60,"currency":"TWD"}}}') ;;
  *) expect "the host's answer" "a quote" "$answer" ;;
esac
# A small event is one line, for clients that read it line by line.
expect "the host's event" "data: $answer" "$(ask_for_quote 'text/event-stream' | sed '/^$/d')"
answer=$(ask prompts/get '"name":"compare","arguments":{"first":"2330","second":"2317"}' compare)
case "$answer" in
  *'The last price of 2330 is 137.60.'*) ;;
  *) expect "the plug-in's prompt" "two prices" "$answer" ;;
esac
kill -TERM "$pid"
wait "$pid"

start "$UPSTREAM" --port 0
export MARKET_UPSTREAM=http://127.0.0.1:$port
yaml=$SOURCE_DIR/config/examples/market.yaml
curl -sS --fail "$MARKET_UPSTREAM/v1/twse/data?bytes=3000000" >"$folder/table"
call get_data '{"bytes":3000000}' >"$folder/got"
printf '\n' >>"$folder/table"  # which call puts behind a text
cmp "$folder/table" "$folder/got"
expect "the cached table" '{"columns":["date","code","name","close"],"rows":[["20260101"' \
  "$(call get_data_cached | head -c 61)"

# Starts sluice with an example: sets `pid` and `url`.
serve() { # <file>
  : >"$folder/log"
  SLUICE_LISTEN=127.0.0.1:0 "$SLUICE_BINARY" serve -c "$1" 2>"$folder/log" &
  pid=$!
  children="$children $pid"
  for _ in $(seq 600); do
    url=$(sed -n 's#.* on \(http://127.0.0.1:[0-9]*/mcp\).*#\1#p' "$folder/log")
    [ -n "$url" ] && break
    kill -0 "$pid"
    sleep 0.1
  done
}

read_uri() { ask resources/read '"uri":"'"$1"'"' "$1"; }

RESOURCES_UPSTREAM=$MARKET_UPSTREAM serve "$SOURCE_DIR/config/examples/resources.yaml"
expect "the list" "demo://welcome demo://pixel.png demo:///notes/errors.md demo:///notes/framing.md demo:///notes/streaming.md demo://load ui://demo/clock.html" \
  "$(ask resources/list '' | grep -o '"uri":"[^"]*"' | cut -d'"' -f4 | tr '\n' ' ' | sed 's/ $//')"
expect "the templates" "demo://notes/{name} demo://prices/{market}{?bytes}" \
  "$(ask resources/templates/list '' | grep -o '"uriTemplate":"[^"]*"' | cut -d'"' -f4 | tr '\n' ' ' | sed 's/ $//')"
read_uri demo://welcome | grep -q '"mimeType":"text/markdown","text":"# Notes and prices'
read_uri demo://pixel.png | grep -q '"blob":"iVBORw0KGgo'
read_uri demo://notes/errors | grep -q '"text":"# '
read_uri demo:///notes/errors.md | grep -q '"text":"# '
read_uri 'demo://prices/twse?bytes=300000' | grep -q '"mimeType":"application/json","text":"{\\"columns'
read_uri demo://load | grep -q '"text":"[0-9]'
read_uri ui://demo/clock.html | grep -q '"mimeType":"text/html;profile=mcp-app","_meta":{"ui":{"prefersBorder":true}}'
! read_uri demo://notes/none | grep -q '"result"' || expect "a missing note" refused answered
kill -TERM "$pid"
wait "$pid"

# Smaller results, from the same upstream.
export SMALLER_UPSTREAM=$MARKET_UPSTREAM
yaml=$SOURCE_DIR/config/examples/smaller.yaml
call prices --explain >"$folder/prices" 2>"$folder/explained"
expect "the first rows" 'date,close
20260101,100.25' "$(head -n 2 "$folder/prices")"
expect "a hundred of them" 101 "$(grep -c , <(sed '/^$/q' "$folder/prices"))"
grep -q 'max_items (100) was reached' "$folder/prices"
grep -q 'tool prices: select: [0-9]* bytes in, [0-9]* out' "$folder/explained"
grep -q 'tool prices: format: [0-9]* bytes in, [0-9]* out' "$folder/explained"
call all_prices >"$folder/page"
expect "a page of rows with their names" 401 "$(grep -c , <(sed '/^$/q' "$folder/page"))"
grep -q 'for the next 400 items: ' "$folder/page"
expect "an answer of 16 KB" yes "$( (($(wc -c <"$folder/page") < 16384)) && echo yes)"
call document >"$folder/page"
grep -q '"type":"resource_link","uri":"sluice://result/' "$folder/page"
grep -q 'or call the tool read_result' "$folder/page"
expect "the columns" '["date","code","name","close"]' "$(call columns 2>/dev/null)"
call note | grep -q 'max_lines (3) was reached'

serve "$SOURCE_DIR/config/examples/prompts.yaml"
ask prompts/list '' | grep -q '"name":"explain_note","title":"Explain a note"'
answer=$(ask prompts/get '"name":"explain_note","arguments":{"note":"framing.md","length":"short"}' explain_note)
case "$answer" in
  *'write {n} where'*'wants it short.'*'"uri":"note:framing.md"'*) ;;
  *) expect "a prompt" "its messages" "$answer" ;;
esac
answer=$(ask completion/complete '"ref":{"type":"ref/prompt","name":"explain_note"},"argument":{"name":"note","value":"f"}')
case "$answer" in
  *'"completion":{"values":["framing.md"],"total":1,"hasMore":false}'*) ;;
  *) expect "a completion" framing.md "$answer" ;;
esac
kill -TERM "$pid"
wait "$pid"

# The example that asks first: a client is asked, and brings the answer back.
export NOTES=$folder/notes
mkdir "$NOTES"
touch "$NOTES/todo.md" "$NOTES/old~"
serve "$SOURCE_DIR/config/examples/confirm.yaml"

call_notes() { # <tool> <arguments> <capabilities> [more params]
  curl -sS "$url" -H 'Content-Type: application/json' -H 'Accept: application/json' \
    -H 'MCP-Protocol-Version: 2026-07-28' -H 'Mcp-Method: tools/call' -H "Mcp-Name: $1" \
    -d '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"'"$1"'","arguments":'"$2"',"_meta":{
          "io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":'"$3"'}'"${4:-}"'}}'
}

note='{"name":"todo.md"}'
question=$(call_notes delete_note "$note" '{"elicitation":{}}')
case "$question" in
  *'"resultType":"input_required"'*'"message":"Delete the note todo.md?"'*) ;;
  *) expect "the question" "Delete the note todo.md?" "$question" ;;
esac
state=$(printf %s "$question" | sed 's/.*"requestState":"\([^"]*\)".*/\1/')
answer_with() { # <action>
  call_notes delete_note "$note" '{"elicitation":{}}' \
    ',"inputResponses":{"confirm":{"action":"'"$1"'"}},"requestState":"'"$state"'"'
}
answer_with decline | grep -q 'The user declined. Nothing was done.'
call_notes delete_note "$note" '{}' | grep -q '"code":-32021'
[ -e "$NOTES/todo.md" ] || expect "a note that was not to be deleted" "there" "gone"
answer_with accept >/dev/null
[ ! -e "$NOTES/todo.md" ] || expect "the note" "gone" "there"
call_notes empty_trash '{}' '{}' >/dev/null
expect "what is left" "" "$(ls "$NOTES")"
kill -TERM "$pid"
wait "$pid"

# A call that takes longer than task_after, and its result after a restart.
export REPORTS_SPOOL=$folder/reports
capabilities='{"extensions":{"io.modelcontextprotocol/tasks":{}}}'
serve "$SOURCE_DIR/config/examples/tasks.yaml"
created=$(ask tools/call '"name":"report","arguments":{"seconds":3}' report)
id=$(sed -n 's/.*"taskId":"\([0-9a-f]*\)".*/\1/p' <<<"$created")
[ -n "$id" ] || expect "a long report" "a task" "$created"
for _ in $(seq 600); do
  ask tasks/get '"taskId":"'"$id"'"' "$id" | grep -q '"status":"working"' || break
  sleep 0.1
done
kill -TERM "$pid"
wait "$pid"
serve "$SOURCE_DIR/config/examples/tasks.yaml"
answer=$(ask tasks/get '"taskId":"'"$id"'"' "$id")
case "$answer" in
  *'"status":"completed"'*'The report took 3 seconds.'*) ;;
  *) expect "the task after a restart" "its report" "$answer" ;;
esac
kill -TERM "$pid"
wait "$pid"
