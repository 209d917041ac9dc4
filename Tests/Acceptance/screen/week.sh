#!/bin/bash
# Tests the patient's screen in a browser during a simulated week, which passes faster than real time. The memory of
# the page must not grow. The week has 600 tasks with about 9,600 events. On 2 cores, each task takes about 3.2 s, and
# later tasks take the same time. The whole week takes about 35 minutes.
set -euo pipefail
cd "$(dirname "$0")/../../.."
PROMPTER_TASKS="${PROMPTER_TASKS:-600}" "$(Tests/Screen/venv)/python" -u Tests/Screen/test_week.py "$1"
