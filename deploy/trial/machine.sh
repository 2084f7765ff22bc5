# shellcheck shell=bash
# The clean root file system, and the container with systemd as its first process.

debian_release() {
  local number
  [ -z "${TRIAL_RELEASE:-}" ] || { echo "$TRIAL_RELEASE"; return; }
  number=$(grep -oE 'Debian [0-9]+' "$guide" | head -n 1)
  case ${number#Debian } in
    12) echo bookworm ;;
    14) echo forky ;;
    *) echo trixie ;;
  esac
}

# The mirror that the host uses itself.
debian_mirror() {
  local found
  found=${TRIAL_DEBIAN:-$(cat /etc/apt/sources.list.d/*.sources /etc/apt/sources.list 2>/dev/null |
    grep -oE '^(URIs:|deb( \[[^]]*\])?) +https?://[^ ]+/debian/?( |$)' | grep -oE 'https?://[^ ]+' | head -n 1)}
  echo "${found:-http://deb.debian.org/debian}"
}

base=$cache/base-$(debian_release)

# Debian as its installer leaves it, with curl and the certificates that a server has. It is created once and then copied.
# Deviation: dbus is part of every normal installation of Debian, but not of what debootstrap installs.
make_base() {
  figure "Debian $(debian_release)"
  if [ -e "$base/.complete" ]; then
    figure 'from an earlier run'
    return
  fi
  rm -rf "$base"
  debootstrap --include=ca-certificates,curl,dbus,openssl "$(debian_release)" "$base" "$(debian_mirror)"
  configure_network "$base"
  rm -f "$base"/var/cache/apt/archives/*.deb
  touch "$base/.complete"
}

# Deviation: the machine shares the network of the host, and reaches the package registries in the same way as the host.
configure_network() {
  local root=$1 registry
  cp --dereference /etc/resolv.conf "$root/etc/resolv.conf"
  echo croupier-trial >"$root/etc/hostname"
  # postgres is the name of the database in compose.yaml.
  echo '127.0.0.1 localhost crm.example.com croupier-trial postgres' >"$root/etc/hosts"
  apt-config dump | grep -E '^Acquire::(http|https)::Proxy|^Acquire::Check-' >"$root/etc/apt/apt.conf.d/90trial" || true
  if compgen -G '/usr/local/share/ca-certificates/*.crt' >/dev/null; then
    cp /usr/local/share/ca-certificates/*.crt "$root/usr/local/share/ca-certificates/"
    chroot "$root" update-ca-certificates
  fi
  registry=${NPM_CONFIG_REGISTRY:-$(npm config get registry 2>/dev/null || true)}
  # npm under Debian trusts only the certificates that it is given here.
  printf '%s\n' 'cafile=/etc/ssl/certs/ca-certificates.crt' ${registry:+"registry=$registry"} >"$root/root/.npmrc"
}

# The environment of commands in the machine. Deviation: apt must not ask questions, and Node must trust the certificates of the host.
environment=(
  PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
  HOME=/root
  LANG=C.UTF-8
  DEBIAN_FRONTEND=noninteractive
  NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt
  PIP_CERT=/etc/ssl/certs/ca-certificates.crt
)
for name in http_proxy https_proxy no_proxy PIP_INDEX_URL; do
  [ -z "${!name:-}" ] || environment+=("$name=${!name}")
done

# inside COMMAND...: runs a command in the machine, without a terminal.
inside() {
  setsid --wait nsenter --target "$(cat "$state/leader")" --mount --uts --ipc --pid --cgroup --root --wd \
    env --ignore-environment "${environment[@]}" "$@"
}
inside_sh() { inside bash -euo pipefail -c "$@"; }

# Control groups of the host in which the container runs, if the host itself does not run systemd.
own_groups() {
  local hierarchy
  for hierarchy in /sys/fs/cgroup/systemd /sys/fs/cgroup/unified /sys/fs/cgroup; do
    [ ! -e "$hierarchy/cgroup.procs" ] || echo "$hierarchy/croupier-trial"
  done
}

enter_own_groups() {
  local group
  for group in $(own_groups); do
    mkdir -p "$group"
    echo "$BASHPID" >"$group/cgroup.procs"
  done
}

check_ports() {
  local port busy=
  for port in 80 443 5432 8080 8091 9090; do
    [ -z "$(ss --listening --tcp --numeric --no-header "sport = :$port")" ] || busy="$busy $port"
  done
  [ -z "$busy" ] || {
    figure "ports in use on the host:$busy"
    return 1
  }
}

# Options for systemd-nspawn that depend on the host.
nspawn_flags() {
  [ -d /run/systemd/system ] || echo '--register=no --keep-unit'
}

boot_machine() {
  check_ports
  rm -rf "$machine"
  cp --archive --reflink=auto "$base" "$machine"
  mkdir -p "$machine/opt/trial" "$machine/srv/croupier.git"
  cp "$trial"/*.ts "$machine/opt/trial/"
  echo '{ "type": "module" }' >"$machine/opt/trial/package.json"
  # Packages are unpacked without waiting for the disk. PostgreSQL is not affected.
  echo force-unsafe-io >"$machine/etc/dpkg/dpkg.cfg.d/trial"
  # The repository may belong to another user of the host.
  printf '[safe]\n\tdirectory = *\n' >"$machine/root/.gitconfig"
  (
    trap - EXIT INT TERM
    [ -d /run/systemd/system ] || enter_own_groups
    # shellcheck disable=SC2046
    exec setsid systemd-nspawn --quiet --boot --directory="$machine" --machine=croupier-trial --console=read-only \
      --resolv-conf=off --timezone=off --link-journal=no $(nspawn_flags) --bind-ro="$repository:/srv/croupier.git" \
      --bind="$cache/apt:/var/cache/apt/archives" --bind="$cache/npm:/root/.npm" --bind="$cache/pip:/root/.cache/pip"
  ) >"$logs/console.log" 2>&1 </dev/null 9>&- &
  echo $! >"$state/nspawn"
  until_ok 60 find_leader
  until_ok 90 is_booted
  inside apt-get update
}

# The first process of the container is a child of systemd-nspawn.
find_leader() {
  local process
  for process in $(pgrep --parent "$(cat "$state/nspawn")"); do
    [ "$(cat "/proc/$process/comm" 2>/dev/null)" = systemd ] || continue
    echo "$process" >"$state/leader"
    return 0
  done
  return 1
}
is_booted() { grep -qE '^(running|degraded)$' <<<"$(inside systemctl is-system-running 2>&1)"; }

stop_machine() {
  local process group leader
  [ -e "$state/nspawn" ] || return 0
  process=$(cat "$state/nspawn")
  leader=$(cat "$state/leader" 2>/dev/null)
  rm -f "$state/nspawn" "$state/leader"
  kill -TERM "$process" 2>/dev/null
  for _ in $(seq 300); do
    kill -0 "$process" 2>/dev/null || break
    sleep 0.2
  done
  kill -KILL "$process" 2>/dev/null
  wait "$process" 2>/dev/null
  # systemd stops its processes before it ends them. An nsenter then stops itself and does not notice the end.
  [ -z "$leader" ] || pgrep --full "^nsenter --target $leader " | xargs --no-run-if-empty kill -KILL
  for group in $(own_groups); do
    [ ! -d "$group" ] || find "$group" -depth -type d -exec rmdir {} \; 2>/dev/null
  done
  return 0
}

remove_machine() { rm -rf "$machine" "$folder"/image-*; }
