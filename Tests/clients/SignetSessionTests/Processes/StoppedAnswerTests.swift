// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetCurl
import SignetIdentity
import SignetSession
import SignetSignIn
import SignetVaultTesting
import TestSupport
import Testing

/// A program that is stopped (SIGSTOP) for longer than an exchange may take, while the server
/// answers: no timer that counted that time discards the answer.
@Suite("A program that is stopped while the server answers")
struct StoppedAnswerTests {
    /// Takes one request, stops the sender, answers, and later lets it continue.
    private static let server = """
        import os, signal, socket, sys, time
        program, still = int(sys.argv[1]), float(sys.argv[2])
        body = b'{"access_token":"a-2","refresh_token":"r-2","token_type":"Bearer","expires_in":600}'
        listener = socket.create_server(("127.0.0.1", 0))
        print(listener.getsockname()[1], flush=True)
        threads = f"/proc/{program}/task"
        def runs(thread):
            try: return "\\nState:\\tT" not in open(f"{threads}/{thread}/status").read()
            except OSError: return False
        connection, _ = listener.accept()
        request = b""
        while b"refresh_token=r-1" not in request: request += connection.recv(4096)
        os.kill(program, signal.SIGSTOP)
        while any(map(runs, os.listdir(threads))): time.sleep(0.01)
        connection.sendall(
            b"HTTP/1.1 200 OK\\r\\nContent-Type: application/json\\r\\nContent-Length: %d\\r\\n\\r\\n"
            % len(body) + body)
        time.sleep(still)
        os.kill(program, signal.SIGCONT)
        connection.recv(1)
        """

    @Test("The answer is kept when the program continues", .enabled(if: KeyServer.isAvailable))
    func kept() async {
        await #expect(processExitsWith: .success) {
            let server = try ServingProgram(
                try #require(KeyServer.python),
                ["-c", Self.server, "\(ProcessInfo.processInfo.processIdentifier)", "4"])
            let limit = Duration.seconds(2)
            let endpoint = try TokenEndpoint(
                url: EndpointURL("http://127.0.0.1:\(try await server.said(Int.self))/token"),
                clientID: "client", authentication: .none, transport: CurlTransport(),
                timeout: limit)
            var options = SessionOptions()
            options.refreshesAhead = false
            options.requestTimeout = limit
            let manager = try SessionManager(
                store: InMemoryStore(), service: "api.example",
                backend: OAuthBackend(endpoint) { _ in "user-1" }, options: options)
            try await manager.adopt(
                SessionGrant(
                    accessToken: AccessToken("a-1"), refreshToken: RefreshToken("r-1"),
                    lifetime: .seconds(600), userID: "user-1"))
            let first = try await manager.accessToken()
            // At least so long: a slow machine takes longer.
            let begun = ContinuousClock.now
            #expect(try await manager.afterUnauthorized(first)?.exposedText == "a-2")
            #expect(begun.duration(to: .now) > .seconds(4), "it was not stopped")
        }
    }
}
