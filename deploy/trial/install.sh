# shellcheck shell=bash
# Installs a version as the sections "Prepare the database", "Configure" and "systemd" describe it.

api=http://127.0.0.1:8080
console_api=$api/api/console/v1

install_group() {
  needed_step 'clean root file system' make_base
  needed_step 'machine with systemd' boot_machine
  needed_step 'PostgreSQL, user and database' prepare_database
  needed_step 'packages, clone, npm ci, build' install_version "$commit"
  needed_step 'configuration' configure "$commit"
  needed_step 'operator of the trial' start_operator
  needed_step 'systemctl enable --now croupier' start_service "$commit"
  step 'user create' create_account
}

# install_version COMMIT: the block of the section up to `npm run build`.
install_version() {
  # Deviation: the version that is tried is checked out. A version without `npm run build` has nothing to build.
  run_block systemd 'git clone' "
    /^cp deploy\/systemd/,\$d
    s|<address of the repository>|/srv/croupier.git|
    s|^cd /opt/croupier\$|& \&\& git checkout --quiet $1|
    s|^npm ci.*|date +%s%3N >/root/t0; &; date +%s%3N >/root/t1|
    s|^npm run build\$|npm run build --if-present; date +%s%3N >/root/t2|"
  figure "npm ci $(between t0 t1) s, npm run build $(between t1 t2) s"
  # The tools of the trial run with a copy of this Node, because an upgrade replaces the modules of the checkout.
  [ -e "$machine/opt/trial/node" ] || cp "$machine/opt/croupier/node_modules/node/bin/node" "$machine/opt/trial/node"
  inside_sh 'node --version; npm --version; systemctl --version'
}

between() { awk -v from="$(cat "$machine/root/$1")" -v to="$(cat "$machine/root/$2")" 'BEGIN { printf "%.0f", (to - from) / 1000 }'; }

prepare_database() {
  new_secret >"$state/database-password"
  cat "$state/database-password" "$state/database-password" >"$machine/root/password"
  # createuser asks for the password twice.
  run_block 'Prepare the database' createuser 's|^su postgres -c "createuser.*|& </root/password|'
  figure "PostgreSQL $(psql_in croupier 'show server_version')"
}

new_secret() { openssl rand -hex 32; }

# configure COMMIT: the block of the section, then what its text says.
configure() {
  run_block Configure croupier.example.yaml "s|deploy/|$(files_of "$1")/|"
  fill_environment
  configuration_of "$1" >"$machine/etc/croupier/croupier.yaml"
}

# files_of COMMIT: the folder with the files of deploy/ on the machine. Deviation: a version without this folder gets the files of
# the version that is tried.
files_of() {
  if git cat-file -e "$1:deploy" 2>/dev/null; then
    echo deploy
    return
  fi
  mkdir -p "$machine/root/files"
  git archive "$commit" deploy | tar --extract --directory="$machine/root/files"
  echo /root/files/deploy
}

# Every name gets a value, and DATABASE_URL is enabled.
fill_environment() {
  local file=$machine/etc/croupier/croupier.env line
  while IFS= read -r line; do
    case $line in
      *=) echo "$line$(new_secret)" ;;
      '#DATABASE_URL='*) echo "DATABASE_URL=postgres://croupier:$(cat "$state/database-password")@127.0.0.1:5432/croupier" ;;
      *) echo "$line" ;;
    esac
  done <"$file" >"$state/croupier.env"
  cat "$state/croupier.env" >"$file"
}

# configuration_of COMMIT: prints the example file with the changes. Deviation: the operator is a small server on the machine itself.
# A version that does not know a setting of the example file does not get it.
configuration_of() {
  local from=$1 unknown='$^'
  git cat-file -e "$1:deploy" 2>/dev/null || from=$commit
  grep -q '^| `metrics.token`' <<<"$(git show "$1:docs/guides/configuration.md")" || unknown='^metrics:'
  echo 'host: 127.0.0.1'
  git show "$from:deploy/croupier.example.yaml" | sed "/$unknown/,/^\$/d; s|base_url: .*|base_url: http://127.0.0.1:8091|"
}

# value NAME: a value of croupier.env.
value() { sed -n "s/^$1=//p" "$machine/etc/croupier/croupier.env"; }
# set_value NAME VALUE: replaces it, or adds it.
set_value() {
  sed -i "/^$1=/d" "$machine/etc/croupier/croupier.env"
  echo "$1=$2" >>"$machine/etc/croupier/croupier.env"
}

psql_in() { inside su postgres -c "psql --no-psqlrc --tuples-only --no-align $1" <<<"$2"; }

# start_service COMMIT: the rest of the block.
start_service() {
  local started
  started=$(milliseconds)
  # The journal may contain the login of an earlier installation.
  echo $((started / 1000)) >"$state/started"
  run_block systemd 'git clone' "1,/^npm run build\$/d; s|^cp deploy/|cp $(files_of "$1")/|"
  until_ok 120 is_ready
  figure "ready after $(seconds_since "$started") s"
  run_block systemd health/ready
  until_ok 60 has_login
  figure 'the login is in the journal'
  inside_sh 'systemd-analyze security croupier | tail -n 1' || true
}

is_ready() { curl --silent --fail --max-time 2 --output /dev/null "$api/health/ready"; }
has_login() { grep -q 'Console login' <<<"$(inside journalctl --unit=croupier --since="@$(cat "$state/started")")"; }

# wait_ready: after a restart.
wait_ready() {
  local started
  started=$(milliseconds)
  until_ok 120 is_ready
  figure "ready after $(seconds_since "$started") s"
}

create_account() { run_block systemd 'user create' | tee "$state/account"; grep -q 'you@example.com  ' "$state/account"; }

start_operator() {
  ! curl --silent --fail --max-time 5 --output /dev/null http://127.0.0.1:8091/userblocks/1 || return 0
  in_background operator /opt/trial/node /opt/trial/operator.ts 8091
  until_ok 20 curl --silent --fail --max-time 5 --output /dev/null http://127.0.0.1:8091/userblocks/1
}

# in_background NAME COMMAND...: a process of the trial in the machine. It ends with the machine at the latest.
in_background() {
  local log=$logs/$1.log
  shift
  (
    trap - EXIT INT TERM
    exec setsid nsenter --target "$(cat "$state/leader")" --mount --uts --ipc --pid --cgroup --root --wd \
      env --ignore-environment "${environment[@]}" "$@"
  ) >>"$log" 2>&1 </dev/null 9>&- &
}

# Removes a version with its database, its configuration and its data, for another installation on the same machine.
remove_version() {
  inside_sh 'systemctl disable --now croupier croupier@api croupier@worker 2>/dev/null || true
    rm -rf /opt/croupier /etc/croupier /var/lib/croupier /etc/systemd/system/croupier*
    systemctl daemon-reload
    for name in $(su postgres -c "psql --tuples-only --no-align --command=\"select datname from pg_database where datname like '\''croupier%'\''\""); do
      su postgres -c "dropdb --force $name"
    done
    su postgres -c "dropuser --if-exists croupier"
    userdel croupier || true'
}
