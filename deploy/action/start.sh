#!/usr/bin/env bash
# Starts a sandbox in the background, waits until it is ready, and tells the next steps where it is.
set -euo pipefail

# shellcheck source=deploy/action/settings.sh
source "${BASH_SOURCE[0]%/*}/settings.sh"

state=$RUNNER_TEMP/grantbox
mkdir -p "$state/report"
export REPORT_DIR=$state/report

# another sandbox at this port would answer in place of this one
if (exec 3<>"/dev/tcp/localhost/$PORT") 2>/dev/null; then
  echo "::error::port: something listens at port $PORT already; choose another one"
  exit 1
fi
nohup "${grantbox[@]}" start >"$state/log" 2>&1 &
pid=$!
echo "$pid" >"$state/pid"

# wait reads PORT, HOST and TLS like the sandbox, and ends when the sandbox ends
if ! "${grantbox[@]}" wait --pid "$pid" --timeout "$INPUT_TIMEOUT" --json >"$state/ready"; then
  echo '::error::The sandbox did not start:'
  cat "$state/log"
  exit 1
fi
# the issuer of a preset may have another path than the URL, or be the address of the provider itself
said() { node -p 'JSON.parse(require("node:fs").readFileSync(0, "utf8"))[process.argv[1]]' "$1" <"$state/ready"; }
url=$(said url)
issuer=$(said issuer)
{
  echo "GRANTBOX_URL=$url"
  echo "OIDC_ISSUER=$issuer"
} >>"$GITHUB_ENV"
{
  echo "url=$url"
  echo "issuer=$issuer"
  echo "report=$state/report"
} >>"$GITHUB_OUTPUT"
echo "Grantbox is ready at $url"
