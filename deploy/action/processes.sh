# shellcheck shell=bash
# npx starts a command as a child, or as a child of a shell. A signal is for the last one: the others would pass it on, and a
# second signal ends a sandbox at once, without its report.
last_of() {
  local child
  child=$(pgrep -P "$1" | head -n 1) || true
  if [[ $child ]]; then last_of "$child"; else echo "$1"; fi
}
