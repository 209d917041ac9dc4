#!/bin/bash
# Tests the patient's screen in a browser with 200 rings and touches, and with 20 rings in a flood of events. The test
# also kills the daemon 50 times while a person answers. Takes about 25 minutes.
set -euo pipefail
cd "$(dirname "$0")/../../.."
PROMPTER_RINGS=200 PROMPTER_KILLS=50 "$(Tests/Screen/venv)/python" -u Tests/Screen/test_outages.py "$1"
