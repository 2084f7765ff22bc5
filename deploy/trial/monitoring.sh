# shellcheck shell=bash
# Section "Metrics and alerts", and the validation of the files.

monitoring_group() {
  step 'Prometheus with scrape.yaml and croupier.rules.yaml' scrape
  step 'sh deploy/check.sh' check_files
}

scrape() {
  expect 'status of /metrics without a token' "$(status_of "$api/metrics")" 401
  inside apt-get install --yes --no-install-recommends prometheus
  value METRICS_TOKEN | tr -d '\n' >"$machine/etc/prometheus/croupier-token"
  cp "$machine/opt/croupier/deploy/prometheus/croupier.rules.yaml" "$machine/etc/prometheus/"
  {
    echo 'global: { scrape_interval: 5s }'
    echo 'rule_files: [/etc/prometheus/croupier.rules.yaml]'
    echo 'scrape_configs:'
    sed 's/^/  /' "$machine/opt/croupier/deploy/prometheus/scrape.yaml"
  } >"$machine/etc/prometheus/prometheus.yml"
  inside systemctl restart prometheus
  until_ok 60 is_scraped
  local rules read series
  rules=$(grep -c 'alert:\|record:' "$machine/etc/prometheus/croupier.rules.yaml")
  read=$(query_count 'rules' '"type":"\(alerting\|recording\)"')
  series=$(curl --silent --max-time 5 'http://127.0.0.1:9090/api/v1/query' --data-urlencode 'query=scrape_samples_scraped{job="croupier"}' |
    grep -o '"[0-9]*"\]' | tr -d '"]')
  figure "$rules rules in the file, $read read; ${series:-no} series scraped"
  expect 'rules that Prometheus read' "$read" "$rules"
  [ "${series:-0}" -gt 0 ]
}
query_count() { curl --silent --max-time 5 "http://127.0.0.1:9090/api/v1/$1" | grep -o "$2" | wc -l; }
is_scraped() { [ "$(query_count targets '"health":"up"')" = 1 ]; }

check_files() {
  # The commands in the header of check.sh.
  inside_sh 'apt-get install --yes --no-install-recommends python3-venv
    python3 -m venv /opt/checks
    /opt/checks/bin/pip install --quiet check-jsonschema kubernetes-validate
    cd /opt/croupier
    PATH=$PATH:/opt/checks/bin sh deploy/check.sh' | tee "$state/checks"
  figure "$(grep -c '^ok ' "$state/checks") of $(grep -cE '^(ok|missing|FAILED) ' "$state/checks") checks ok"
}
