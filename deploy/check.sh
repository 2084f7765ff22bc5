#!/bin/sh
# Validates the files of deploy/ with the programs that read them: sh deploy/check.sh
#
# Required on Debian 13: apt-get install prometheus nginx caddy systemd openssl python3-venv
# and, for the schemas, two programs in a virtual environment, because Debian 13 refuses `pip install` outside of one:
#   python3 -m venv /opt/checks && /opt/checks/bin/pip install check-jsonschema kubernetes-validate
#   PATH=$PATH:/opt/checks/bin sh deploy/check.sh
# A missing program is reported, and the script exits with 1. `npm test` runs the checks that need none of these programs.
set -u
cd "$(dirname "$0")" || exit 1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failed=0

# check <name> <program> [arguments]: runs the program and prints its output if it fails.
check() {
  name=$1
  shift
  if ! command -v "$1" >/dev/null 2>&1; then
    echo "missing  $name: install $1"
    failed=1
  elif "$@" >"$scratch/output" 2>&1; then
    echo "ok       $name"
  else
    echo "FAILED   $name"
    cat "$scratch/output"
    failed=1
  fi
}

check 'compose.yaml (compose specification)' check-jsonschema --builtin-schema vendor.compose-spec compose.yaml
for file in kubernetes/*.yaml; do
  # kubectl reads kustomization.yaml itself. It is not an object of the cluster.
  [ "$file" = kubernetes/kustomization.yaml ] || check "$file (schema of the cluster's API)" kubernetes-validate --strict "$file"
done

check 'prometheus/croupier.rules.yaml' promtool check rules prometheus/croupier.rules.yaml
for file in prometheus/scrape.yaml prometheus/scrape-kubernetes.yaml; do
  {
    echo 'scrape_configs:'
    sed 's/^/  /' "$file"
  } >"$scratch/prometheus.yml"
  check "$file" promtool check config --syntax-only "$scratch/prometheus.yml"
done

# The certificate exists only on the server, so a temporary one is used here.
openssl req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=crm.example.com \
  -keyout "$scratch/privkey.pem" -out "$scratch/fullchain.pem" 2>/dev/null
sed "s#/etc/ssl/croupier#$scratch#" nginx/croupier.conf >"$scratch/croupier.conf"
echo "pid $scratch/nginx.pid; events {} http { access_log off; include $scratch/croupier.conf; }" >"$scratch/nginx.conf"
check 'nginx/croupier.conf' nginx -t -e stderr -c "$scratch/nginx.conf"
check 'caddy/Caddyfile' caddy validate --adapter caddyfile --config caddy/Caddyfile

# The programs that the units start exist only after the installation, so /bin/true is used here.
for unit in croupier.service croupier@.service; do
  target=$(echo "$unit" | sed 's/@/@api/')
  sed -E 's#^ExecStart=[^ ]+#ExecStart=/bin/true#; /^(User|Group|WorkingDirectory|Documentation)=/d' "systemd/$unit" >"$scratch/$target"
  check "systemd/$unit" systemd-analyze verify "$scratch/$target"
done
exit "$failed"
