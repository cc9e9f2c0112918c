#!/bin/sh
# How long the next start waits after failures in a row, for the unit: "note" at the end of the service, "wait" before its start.
# With RestartSec=2 that makes 2, 4, 8, 16, 32 and at last 60 s. Whoever stops or restarts it by hand does not wait.
set -eu
failures="$RUNTIME_DIRECTORY/failures"
count=0
[ -r "$failures" ] && count=$(cat "$failures")
case "$count" in [0-6]) ;; *) count=0 ;; esac

case "$1" in
note)
  # For the program: it counts the ends that nobody had asked for (common/core/run/files.ts).
  echo "$SERVICE_RESULT" >"${CORE_DATA_DIR:-$STATE_DIRECTORY}/last-end" || :
  if [ "$SERVICE_RESULT" = success ]; then
    rm -f "$failures"
    exit 0
  fi
  # Having run for ten minutes it begins anew.
  [ -n "$(find "$RUNTIME_DIRECTORY" -maxdepth 1 -name failures -mmin -10)" ] || count=0
  [ "$count" -lt 6 ] && count=$((count + 1))
  echo "$count" >"$failures"
  ;;
wait)
  case "$count" in
  [2-5]) exec sleep $(((1 << count) - 2)) ;;
  6) exec sleep 58 ;;
  esac
  ;;
esac
