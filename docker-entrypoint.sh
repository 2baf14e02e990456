#!/bin/sh
# Only arranges, then becomes the program: nothing of this shell is left when Grantbox runs.
#
#   docker run grantbox                       the sandbox
#   docker run grantbox --port 9100           the sandbox, with flags
#   docker run grantbox healthcheck           one of its commands
#   docker run grantbox sh                    any other program in the image
#   docker run grantbox start-dev --import-realm
#                                             the words of Keycloak's image, so that a compose file changes only the image
set -eu

realms=${KC_HOME_DIR:-/opt/keycloak}/data/import

# A flag of Keycloak is a variable in other letters: --http-port is KC_HTTP_PORT.
as_keycloak() {
  shift
  unused=
  while [ $# -gt 0 ]; do
    word=$1 value=${1#*=}
    shift
    case $word in
      --http-port | --http-relative-path | --hostname | --http-management-port | --health-enabled | --metrics-enabled)
        value=${1-}
        [ $# -eq 0 ] || shift
        ;;
    esac
    case ${word%%=*} in
      --import-realm) ;;
      --http-port) KC_HTTP_PORT=$value ;;
      --http-relative-path) KC_HTTP_RELATIVE_PATH=$value ;;
      --hostname) KC_HOSTNAME=$value ;;
      --http-management-port) KC_HTTP_MANAGEMENT_PORT=$value ;;
      --health-enabled) KC_HEALTH_ENABLED=$value ;;
      --metrics-enabled) KC_METRICS_ENABLED=$value ;;
      # only the name: the value may be a password
      -*) unused="$unused ${word%%=*}" ;;
    esac
  done
  # the health check is told, too: it runs with the variables of the container, which has another port
  PORT=${KC_HTTP_PORT:-8080} GRANTBOX_PORT=${KC_HTTP_PORT:-8080}
  path=${KC_HTTP_RELATIVE_PATH-}
  path=/${path#/}
  case ${KC_HOSTNAME-} in
    *://*) issuer=$KC_HOSTNAME ;;
    *) issuer=http://${KC_HOSTNAME:-localhost}:$PORT$path ;;
  esac
  ISSUER=${ISSUER:-${issuer%/}}
  export PORT GRANTBOX_PORT ISSUER
  # Keycloak, too, has its management port only for one of these
  case ${KC_HEALTH_ENABLED-}/${KC_METRICS_ENABLED-} in
    *true*) export MANAGEMENT_PORT="${MANAGEMENT_PORT:-${KC_HTTP_MANAGEMENT_PORT:-9000}}" ;;
  esac
  if [ "${KC_METRICS_ENABLED-}" = true ]; then export METRICS="${METRICS:-on}"; fi
  for name in $(env | sed -nE 's/^((KC|KEYCLOAK)_[A-Z0-9_]*)=.*/\1/p' | sort); do
    case $name in
      KC_HTTP_PORT | KC_HTTP_RELATIVE_PATH | KC_HOSTNAME | KC_HOME_DIR) ;;
      KC_HTTP_MANAGEMENT_PORT | KC_HEALTH_ENABLED | KC_METRICS_ENABLED) ;;
      *) unused="$unused $name" ;;
    esac
  done
  [ -z "$unused" ] || echo "Grantbox leaves out, because it has no such thing:$unused" >&2
}

case ${1-start} in
  start-dev)
    as_keycloak "$@"
    set --
    ;;
  start)
    case " $* " in
      *' --import-realm '* | *' --optimized '*)
        as_keycloak "$@"
        set --
        ;;
    esac
    ;;
  healthcheck)
    port=$(cat /proc/[0-9]*/environ 2>/dev/null | tr '\0' '\n' | sed -n 's/^GRANTBOX_PORT=//p' | head -n 1)
    export PORT="${port:-${PORT-}}"
    ;;
esac

if ls "$realms"/*.json >/dev/null 2>&1; then export IMPORT="${IMPORT:-$realms}"; fi

case ${1-start} in
  -* | start | healthcheck | wait | env | token | init | import | report | examine | state | completion | schema | validate | lessons | lesson | workshop | twin | mcp | open | reproduce)
    # a small young generation keeps the memory of a busy server down by 40 %; further flags would cost each start 20 ms
    exec node --max-semi-space-size=2 /app/dist/grantbox.cjs "$@"
    ;;
esac
exec "$@"
