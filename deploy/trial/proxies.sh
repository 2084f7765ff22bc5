# shellcheck shell=bash
# Section "Proxy with TLS": nginx and Caddy in front, and messages over wss through each.

public=https://crm.example.com

proxies_group() {
  needed_step 'certificate of an own authority' create_certificate
  needed_step 'nginx with TLS' install_nginx
  step 'nginx: health, /metrics, redirect' check_proxy
  step '10 messages over wss through nginx' receive_messages nginx
  step 'Caddy with TLS' install_caddy
  step 'Caddy: health, /metrics, redirect' check_proxy
  step '10 messages over wss through Caddy' receive_messages caddy
  needed_step 'back to nginx' inside_sh 'systemctl disable --now caddy; systemctl start nginx'
}

# Deviation: a certificate authority of the trial signs the certificate, because the machine has no public address.
create_certificate() {
  inside_sh 'cd /root
    openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj "/CN=Authority of the trial" -keyout authority.key -out authority.crt
    openssl req -newkey rsa:2048 -nodes -subj /CN=crm.example.com -keyout privkey.pem -out request.pem
    echo subjectAltName=DNS:crm.example.com >extensions
    openssl x509 -req -in request.pem -days 2 -CA authority.crt -CAkey authority.key -CAcreateserial -extfile extensions -out leaf.pem
    install -D --mode=0644 authority.crt /usr/local/share/ca-certificates/croupier-trial.crt
    update-ca-certificates
    install --directory /etc/ssl/croupier
    cat leaf.pem authority.crt >/etc/ssl/croupier/fullchain.pem
    install --mode=0644 privkey.pem /etc/ssl/croupier/privkey.pem'
}

install_nginx() {
  run_block 'Proxy with TLS' 'apt-get install --yes nginx'
  # The settings that the text below the block names.
  inside_sh 'sed -i "/^worker_processes/a worker_rlimit_nofile 65536;" /etc/nginx/nginx.conf
    sed -i "s/^\(\s*\)worker_connections .*/\1worker_connections 16384;/" /etc/nginx/nginx.conf
    grep -q "worker_connections 16384" /etc/nginx/nginx.conf
    systemctl restart nginx
    nginx -v 2>&1'
}

install_caddy() {
  inside systemctl stop nginx
  # Deviation: the certificate is the one of the trial.
  run_block 'Proxy with TLS' 'apt-get install --yes caddy' '
    s|^caddy validate|sed -i "/^crm.example.com/a tls /etc/ssl/croupier/fullchain.pem /etc/ssl/croupier/privkey.pem" /etc/caddy/Caddyfile\n&|'
}

check_proxy() {
  until_ok 20 inside curl --silent --fail --max-time 5 --output /dev/null "$public/health/ready"
  inside curl --fail --max-time 20 "$public/health/ready"
  expect 'status of /metrics' "$(status_of "$public/metrics")" 404
  expect 'redirect of HTTP' "$(inside curl --silent --max-time 20 --output /dev/null --write-out '%{redirect_url}' http://crm.example.com/health)" "$public/health"
  figure '/health/ready 200, /metrics 404, HTTP redirects to HTTPS'
}

# status_of URL [CURL OPTIONS]
status_of() { inside curl --silent --output /dev/null --write-out '%{http_code}' --max-time 20 "$@"; }

# receive_messages NAME: the player is new, so that the first message waits for the look-ups.
receive_messages() {
  inside env "CROUPIER_ADMIN_TOKEN=$(value CROUPIER_ADMIN_TOKEN)" /opt/trial/node /opt/trial/receive.ts "$public" "receiver-$1" 10 |
    tee "$state/received"
  figure "$(cat "$state/received")"
}
