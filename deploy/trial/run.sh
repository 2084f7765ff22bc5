#!/usr/bin/env bash
# Follows docs/guides/deploy.md in a clean Debian: deploy/trial/run.sh COMMIT [EARLIER]
#
# COMMIT is the version that is tried, and EARLIER the one from which group B upgrades. The default of EARLIER is a version with
# another schema. The commands come from the code blocks of the guide at COMMIT. Comments that begin with "Deviation" explain
# everything that is done in another way.
#
# Requires root, Debian with debootstrap and systemd-nspawn, and free ports 80, 443, 5432, 8080, 8091 and 9090: the machine of the
# trial is a container that shares the network of the host. Everything else is below one folder. The services of the host are
# never touched.
#
#   ONLY="a b c"       groups to run; default: all
#     a                one machine with systemd: install, proxies, monitoring, backups, secrets, roles
#     b                upgrade from EARLIER and rollback, both under traffic
#     c                steps of the Dockerfile, and services of compose.yaml, without a container engine
#   TRIAL_FOLDER       work folder; default: /var/tmp/croupier-trial. The clean root file system and downloaded packages stay in it
#   TRIAL_RELEASE      release of Debian; default: the one that the guide names. Group a needs its PostgreSQL, which is version 17
#   TRIAL_DEBIAN       mirror of Debian; default: the first one of the host's own sources
#   TRIAL_RATE         payments per second; default: 10
#
# npm and pip use the registry, the proxy and the certificates of the host. Each step prints one line. The exit code is 0 if all
# steps are ok.
set -u
trial=$(cd "$(dirname "$0")" && pwd)
checkout=$(cd "$trial/../.." && pwd)
[ $# -ge 1 ] || { sed -n '2,25s/^# \{0,1\}//p' "$0"; exit 2; }
[ "$(id -u)" = 0 ] || { echo 'Run this script as root.' >&2; exit 2; }
for program in debootstrap systemd-nspawn nsenter git curl openssl; do
  command -v "$program" >/dev/null || { echo "Install $program first." >&2; exit 2; }
done

# The repository itself, also if this checkout is a worktree. safe.directory: it may belong to another user.
git() { command git -c safe.directory='*' -C "$checkout" "$@"; }
repository=$(git rev-parse --path-format=absolute --git-common-dir) || exit 2
commit=$(git rev-parse --verify "$1^{commit}") || exit 2
earlier=$(git rev-parse --verify "${2:-547ea999}^{commit}") || exit 2
short=${commit:0:8}
earlier_short=${earlier:0:8}

folder=${TRIAL_FOLDER:-/var/tmp/croupier-trial}
rate=${TRIAL_RATE:-10}
logs=$folder/logs
state=$folder/state
cache=$folder/cache
machine=$folder/machine
mkdir -p "$folder" "$cache/apt" "$cache/npm" "$cache/pip"
exec 9>"$folder/lock"
flock --nonblock 9 || { echo "Another trial uses $folder." >&2; exit 2; }
rm -rf "$logs" "$state"
mkdir -p "$logs" "$state"
guide=$state/deploy.md
git show "$commit:docs/guides/deploy.md" >"$guide" || exit 2

# shellcheck source=deploy/trial/steps.sh
. "$trial/steps.sh"
# shellcheck source=deploy/trial/machine.sh
. "$trial/machine.sh"
# shellcheck source=deploy/trial/install.sh
. "$trial/install.sh"
# shellcheck source=deploy/trial/traffic.sh
. "$trial/traffic.sh"
# shellcheck source=deploy/trial/proxies.sh
. "$trial/proxies.sh"
# shellcheck source=deploy/trial/monitoring.sh
. "$trial/monitoring.sh"
# shellcheck source=deploy/trial/backups.sh
. "$trial/backups.sh"
# shellcheck source=deploy/trial/secrets.sh
. "$trial/secrets.sh"
# shellcheck source=deploy/trial/upgrade.sh
. "$trial/upgrade.sh"
# shellcheck source=deploy/trial/image.sh
. "$trial/image.sh"

finish() {
  trap - EXIT INT TERM
  # An interrupted step may still run.
  [ -z "$step_process" ] || end_processes "$step_process"
  stop_services
  stop_machine
  remove_machine
  echo "$steps steps, $failed failed"
  [ "$failed" = 0 ] && [ "${interrupted:-no}" = no ]
  exit $?
}
trap finish EXIT
trap 'interrupted=yes; exit 1' INT TERM

echo "Trial of $short on $(date -u +%F), logs in $logs"
for group in ${ONLY:-a b c}; do
  abort=no
  case $group in
    a)
      install_group
      proxies_group
      monitoring_group
      backups_group
      secrets_group
      ;;
    b) upgrade_group ;;
    c) image_group ;;
    *) echo "There is no group $group." >&2; failed=$((failed + 1)) ;;
  esac
done
