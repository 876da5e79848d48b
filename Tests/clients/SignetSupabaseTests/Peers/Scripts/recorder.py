# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0

"""Takes every request of a client of GoTrue's, answers it as if all were well, and keeps what was
sent. Prints {"port": ...}; each line of standard input is answered with all requests so far:
    {"requests": [{"method", "path", "query": [[name, value]], "fields": {name: value}, "body"}]}
Ends when standard input does.
"""

import json
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

USER = {
    "id": "d1b1ca60-9d6b-4f6c-9c4c-2a6f7d5b8a10", "aud": "authenticated", "role": "authenticated",
    "email": "ann@company.example", "phone": "14155551234",
    "created_at": "2026-08-20T12:34:56.789Z", "updated_at": "2026-08-20T12:34:56Z",
    "app_metadata": {"provider": "phone"}, "user_metadata": {},
    "identities": [], "is_anonymous": False,
}
requests = []


def session():
    return {
        "access_token": "eyJhbGciOiJIUzI1NiJ9.e30.c2ln", "token_type": "bearer", "expires_in": 3600,
        "expires_at": int(time.time()) + 3600, "refresh_token": "4nYUCw0wZR_DNOTSDbSGMQ",
        "user": USER,
    }


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def do(self):
        parts = urlsplit(self.path)
        text = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        requests.append({
            "method": self.command, "path": parts.path,
            "query": [list(pair) for pair in parse_qsl(parts.query, keep_blank_values=True)],
            "fields": {name.lower(): value for name, value in self.headers.items()},
            "body": json.loads(text) if text else None,
        })
        name = parts.path.rpartition("/")[2]
        if name == "logout":
            self.send_response(204)
            return self.end_headers()
        if name in ("token", "verify", "signup"):
            answer = session()
        elif name == "user":
            answer = USER
        elif parts.path.endswith("/admin/users") and self.command == "GET":
            is_first = "page=1" in parts.query.split("&")
            answer = {"users": [USER] if is_first else [], "aud": "authenticated"}
        elif "/admin/users/" in parts.path:
            answer = {} if self.command == "DELETE" else USER
        elif name == "generate_link":
            answer = {
                **USER, "action_link": "https://abcdefgh.supabase.co/auth/v1/verify?token=3f1c",
                "email_otp": "012345", "hashed_token": "3f1c",
                "redirect_to": dict(parse_qsl(parts.query)).get("redirect_to", "https://a.example"),
                "verification_type": requests[-1]["body"]["type"],
            }
        elif name == "settings":
            answer = {"mailer_autoconfirm": False}
        else:
            answer = {}
        data = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    do_GET = do_POST = do_PUT = do_DELETE = do


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
threading.Thread(target=server.serve_forever, daemon=True).start()
print(json.dumps({"port": server.server_address[1]}), flush=True)
for line in sys.stdin:
    print(json.dumps({"requests": requests}), flush=True)
