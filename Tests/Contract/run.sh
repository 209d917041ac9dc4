#!/bin/bash
# Sends a running daemon requests that its OpenAPI document allows, and requests that it does not allow:
#   Tests/Contract/run.sh [PROGRAMS_DIRECTORY] [EXAMPLES]
# The requests come from one seed, so every run sends the same requests. If the daemon reports a server error, or returns
# a status, media type, header or body that the document does not describe, the script ends with exit code 1. Needs Python
# 3 with venv; schemathesis is installed below .build.
set -euo pipefail
cd "$(dirname "$0")/../.."
programs=$(realpath "${1:-.build/debug}")
examples=${2:-12}
venv=$PWD/.build/contract-venv
if ! "$venv/bin/schemathesis" --version 2>/dev/null | grep -q '4\.32\.5'; then
  python3 -m venv "$venv"
  "$venv/bin/pip" install --quiet --disable-pip-version-check schemathesis==4.32.5
fi
work=$(mktemp -d)
daemon=
relay=
end() {
  [[ -z $relay ]] || kill "$relay" 2>/dev/null || true
  [[ -z $daemon ]] || kill "$daemon" 2>/dev/null || true
  wait
  rm -rf "$work"
}
trap end EXIT
mkdir "$work/capture"
ALSA_CONFIG_PATH=$PWD/Tests/Fixtures/sound/asound-file.conf PROMPTER_CAPTURE=$work/capture \
  "$programs/prompterd" --state "$work/state" --socket "$work/control.sock" --device rings \
  2>"$work/daemon.log" &
daemon=$!
for _ in $(seq 200); do
  [[ -S $work/control.sock ]] && break
  sleep 0.1
done
python3 Tests/Contract/relay.py "$work/control.sock" >"$work/port" &
relay=$!
for _ in $(seq 100); do
  [[ -s $work/port ]] && break
  sleep 0.1
done
base=http://127.0.0.1:$(cat "$work/port")
# Set two alarms, because without an alarm every path with an id would return 404.
for label in Tea Pills; do
  "$programs/prompter" --socket "$work/control.sock" add "$label" --schedule "every day 08:00" \
    >/dev/null
done
code=0
# Leave out two paths that EndToEndTests test. The event stream never ends, and after the request to retire, the daemon
# answers no other request.
cd "$work"
# schemathesis waits at most 10 s for a document from a server. While many other tests run, 10 s are too short.
curl -sSf --max-time 120 -o openapi.json "$base/v1/openapi.json"
"$venv/bin/schemathesis" run openapi.json --url "$base" --exclude-path /v1/events \
  --exclude-path /v1/backup/retire \
  --checks not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance,response_schema_conformance,unsupported_method \
  --phases examples,coverage,fuzzing --max-examples "$examples" --seed 1 \
  --generation-deterministic --suppress-health-check all --request-timeout 30 --workers 1 \
  --no-color >"$work/report" 2>&1 || code=$?
tail -n 40 "$work/report" | grep -vE '^\s*$' || true
[[ $code -eq 0 ]] || cat "$work/report"
kill -0 "$daemon" || { cat "$work/daemon.log"; code=1; }
exit "$code"
