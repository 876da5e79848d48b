# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0

"""An HTTP server on loopback in front of a service in another process: each request goes out as a
line of JSON, and the line that comes back is its answer. One after the other.

Prints {"port": ...} once it listens, and ends when standard input does.
"""

import base64
import json
import os
import queue
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

lock = threading.Lock()
answers = queue.Queue()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def do(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        request = {
            "method": self.command, "target": self.path, "peer": self.client_address[0],
            "fields": [[name, value] for name, value in self.headers.items()],
            "body": base64.b64encode(body).decode(),
        }
        with lock:
            print(json.dumps(request), flush=True)
            answer = json.loads(answers.get())
        data = base64.b64decode(answer["body"])
        self.send_response(answer["status"])
        for name, value in answer["fields"]:
            self.send_header(name, value)
        if answer["status"] != 204:
            self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    do_GET = do_POST = do_PUT = do_DELETE = do_PATCH = do_OPTIONS = do_TRACE = do


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
print(json.dumps({"port": server.server_address[1]}), flush=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
for line in sys.stdin:
    answers.put(line)
os._exit(0)
