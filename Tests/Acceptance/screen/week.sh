#!/bin/bash
# The patient's screen in a browser during a week in fast motion: the memory of the page must not grow. 600 tasks have about
# 9,600 events. A task takes about 3.2 s on 2 cores, the first one and the 180th alike, so the whole week takes about 35 minutes.
set -euo pipefail
cd "$(dirname "$0")/../../.."
PROMPTER_TASKS="${PROMPTER_TASKS:-600}" "$(Tests/Screen/venv)/python" -u Tests/Screen/test_week.py "$1"
