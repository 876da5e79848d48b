#!/usr/bin/env bash
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
#
# Tries the sign-in server behind HAProxy with Deployment/haproxy.cfg: 1,010 connections of one
# address that send nothing silence neither the proxy nor the server. It needs what example.sh has
# built, and HAProxy (HAPROXY=PROGRAM, or the one in PATH).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

haproxy=${HAPROXY:-$(command -v haproxy || true)}
[[ -n $haproxy ]] || { echo "proxy.sh: HAProxy is needed (package haproxy)" >&2; exit 3; }
flags=(-debug-info-format none -Xswiftc -index-ignore-system-modules -Xswiftc -index-ignore-clang-modules)
bin=$(swift build "${flags[@]}" --show-bin-path)
[[ -x $bin/auth-server ]] || { echo "proxy.sh: run make example first" >&2; exit 3; }
ulimit -n 10000
# shellcheck source-path=SCRIPTDIR source=servers.sh
source Scripts/servers.sh

# Connections from 127.0.0.1 to a port, some of which send the beginning of a request. The file says
# how many are open, once all were tried.
open_connections() { # count, port
    rm -f "$work/open"
    python3 - "$1" "$2" "$work/open" <<'PYTHON' &
import os, socket, sys, time
count, port, told = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
sockets = []
for number in range(count):
    try:
        one = socket.create_connection(("127.0.0.1", port), timeout=5)
        if number % 2: one.sendall(b"POST /v1/auth/codes HTTP/1.1\r\nHost: a\r\n")
        sockets.append(one)
    except OSError:
        pass
time.sleep(0.5)
still = 0
for one in sockets:
    one.setblocking(False)
    try:
        still += one.recv(1) != b""
    except BlockingIOError:
        still += 1
    except OSError:
        pass
with open(told + ".new", "w") as file: file.write(f"{still}\n")
os.rename(told + ".new", told)
time.sleep(600)
PYTHON
    running[connections]=$!
    await_file "$work/open" "${running[connections]}" "the client"
}
close_connections() {
    kill "${running[connections]}"
    wait "${running[connections]}" 2>/dev/null || true
    unset "running[connections]"
}
# From another address, 127.0.0.2.
health() { # port
    curl -sS --interface 127.0.0.2 --max-time 3 -o /dev/null -w '%{http_code}' \
        "http://127.0.0.1:$1/health" 2>/dev/null || true
}

start_issuer --client-id dev-client
start_server AUTH_PROXIES=127.0.0.1
port=${server##*:}
front=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
sed -E "s#bind :443 .*#bind 127.0.0.1:$front#; s#127.0.0.1:8080#127.0.0.1:$port#" \
    Deployment/haproxy.cfg >"$work/haproxy.cfg"
"$haproxy" -db -f "$work/haproxy.cfg" 2>"$work/haproxy.log" &
running[haproxy]=$!
for _ in $(seq 1 100); do [[ $(health "$front") != 200 ]] || break; sleep 0.1; done
[[ $(health "$front") == 200 ]] || fail "HAProxy does not answer: $(cat "$work/haproxy.log")"

open_connections 1010 "$front"
echo "  1,010 connections of one address to HAProxy: $(cat "$work/open") are open"
for place in "$front" "$port"; do
    status=$(health "$place")
    echo "  /health through HAProxy and at the server: $status"
    [[ $status == 200 ]] || fail "/health answered $status, expected 200"
done
close_connections
open_connections 1010 "$port"
echo "  the same to the server itself: $(cat "$work/open") are open, /health: $(health "$port")"
close_connections
stop server
echo "proxy.sh: all answers as expected"
