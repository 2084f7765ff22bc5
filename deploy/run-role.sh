#!/bin/sh
# Starts one role with the arguments that the supervisor of `npm start` gives it: sh deploy/run-role.sh <node> <role>
#
# The systemd unit croupier@.service and the image use it. packages/platform/src/supervisor/node-arguments.ts explains the arguments.
# packages/platform/testing/deploy/run-role.test.ts checks that both files agree.
set -eu
node=$1
role=$2
case "$role" in
  worker) young=48 growth=50 ;;
  *) young=8 growth=40 ;;
esac
exec "$node" "--max-semi-space-size=$young" "--heap-growing-percent=$growth" --no-allocation-site-pretenuring packages/platform/src/main.ts "$role"
