#!/bin/bash
# Causes 2,000 faults, and then lets 1,000 simulated links send while programs are killed and connections are cut:
#   Tests/Archive/soak.sh [PROGRAMS_DIRECTORY] [SEED]
# The faults take at most an hour and a half, and the links at most half an hour. The script needs root and the
# programs that run.sh needs.
set -euo pipefail
cd "$(dirname "$0")/../.."
programs=$(realpath "${1:-.build/debug}")
seed=${2:-1}
Tests/Archive/run.sh "$programs" 2000 "$seed" 5400
timeout 1800 python3 Tests/Archive/soak.py "$programs" 1000 240 "$seed"
