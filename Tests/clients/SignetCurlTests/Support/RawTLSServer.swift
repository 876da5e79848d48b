// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestPrograms
import TestSupport

/// A server under the TLS record layer, for what no library would send. It ends with its owner.
final class RawTLSServer {
    let port: Int
    private let program: PipedProgram

    /// Answers a ClientHello with empty HelloRequest messages without end, a record each: sent faster than they can be read.
    static let helloRequests = """
        first = connection.recv(65536)
        records = bytes([22, 3, 3, 0, 4, 0, 0, 0, 0]) * 20000
        while first: connection.sendall(records)
        """

    /// `answer`: Python, with `connection`, on a thread of its own.
    init(_ answer: String) throws {
        let script = """
            import os, socket, sys, threading
            listener = socket.create_server(("127.0.0.1", 0), backlog=100)
            print(listener.getsockname()[1], flush=True)
            def end():
                sys.stdin.read()
                os._exit(0)
            threading.Thread(target=end, daemon=True).start()
            def answer(connection):
                try:
            \(answer.split(separator: "\n").map { "        " + $0 }.joined(separator: "\n"))
                except OSError: pass
            while True: threading.Thread(target=answer, args=(listener.accept()[0],), daemon=True).start()
            """
        program = try PipedProgram("/usr/bin/env", ["python3", "-c", script])
        let line = String(decoding: program.output.availableData, as: UTF8.self)
        guard let number = Int(line.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw KeyServer.Failure(description: "no port: \(line)")
        }
        port = number
    }

    deinit { program.signal(SIGTERM) }
}
