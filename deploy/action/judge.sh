#!/usr/bin/env bash
# Fails the job if a check of the clients failed. It runs after the upload, so that the report is there.
set -euo pipefail

read -ra grantbox <<<"$INPUT_GRANTBOX"
"${grantbox[@]}" report --input "$RUNNER_TEMP/grantbox/report/report.json" --fail-on "$INPUT_FAIL_ON"
