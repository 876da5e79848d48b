// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetBase
import SignetCurl
import SignetIdentity
import SignetJOSE
import TestSupport
import Testing

@Suite("Remote keys when the server fails", .needsPython, .timeLimit(.minutes(20)))
struct KeyFaultTests {
    @Test("Current keys stay, and a verifier without keys says so")
    func faults() async throws {
        let issuer = try await Issuer()
        let key = try Issuer.key("good")
        let token = try issuer.token(key)
        let hasty = HastyTransport(transport: CurlTransport.curl)
        for fault in KeyFault.all {
            let what = Comment(rawValue: fault.testDescription)
            let isSlow = fault.code == .timedOut
            try await issuer.publish([key])
            let verifier = try issuer.verifier(hasty)
            _ = try await verifier.verify(token)
            try await issuer.server.set(Issuer.keysPath, fault.behaviour)
            if isSlow { hasty.limit.withLock { $0 = .milliseconds(200) } }
            do throws(KeySourceError) {
                _ = try await verifier.remoteKeys?.refresh()
                Issue.record("\(what) was taken for keys")
            } catch {
                #expect(error.code == fault.code, "\(what): \(error)")
                #expect(!error.description.contains("Log in"), what)
            }
            // Past their lifetime, while fetching fails: for one hour and no longer.
            issuer.pass(600 + 3_599)
            #expect(try verifier.verifyWithKeysInHand(token)?.keyID == "good", what)
            issuer.pass(2)
            #expect(try verifier.verifyWithKeysInHand(token) == nil, what)

            let empty = try issuer.verifier(hasty)
            await #expect(throws: IdentityError(.keySourceUnavailable, ""), what) {
                try await empty.verify(token)
            }
            // It recovers by itself. A fetch under way still meets the fault: wait for its end.
            _ = try? await verifier.remoteKeys?.refresh()
            hasty.limit.withLock { $0 = nil }
            try await issuer.publish([key])
            issuer.pass(31)
            #expect(try await verifier.verify(token).keyID == "good", what)
        }
        print("remote keys: \(KeyFault.all.count) faults, keys in hand served through each of them")
    }

    @Test("A server that is down is unreachable")
    func down() async throws {
        let issuer = try await Issuer()
        let key = try Issuer.key("good")
        try await issuer.publish([key])
        let verifier = try issuer.verifier(.curl)
        let token = try issuer.token(key)
        _ = try await verifier.verify(token)
        issuer.server.stop()
        issuer.pass(700)
        await #expect(throws: KeySourceError(.unreachable, "")) {
            _ = try await verifier.remoteKeys?.refresh()
        }
        #expect(try await verifier.verify(token).keyID == "good")
        await #expect(throws: IdentityError(.keySourceUnavailable, "")) {
            try await issuer.verifier(.curl).verify(token)
        }
    }

    @Test("Three redirects on the same host are followed, with any media type")
    func redirects() async throws {
        let issuer = try await Issuer()
        let key = try Issuer.key("good")
        let steps = [Issuer.keysPath, "/a", "/b", "/c"]
        for (from, to) in zip(steps, steps.dropFirst()) {
            try await issuer.server.set(
                from,
                Behaviour("moved") {
                    $0.status = 302
                    $0.fields = [["Location", to == "/b" ? issuer.server.url(to) : to]]
                })
        }
        try await issuer.server.set(
            "/c",
            Behaviour(try Issuer.document([key])) { $0.fields = [["Content-Type", "text/plain"]] })
        let verifier = try issuer.verifier(.curl)
        #expect(try await verifier.verify(try issuer.token(key)).keyID == "good")
        #expect(try await issuer.server.facts("/c").count == 1)
    }

    @Test("Metadata of another issuer, or pointing away from https, is refused")
    func metadata() async throws {
        let issuer = try await Issuer()
        let key = try Issuer.key("good")
        try await issuer.publish([key])
        let keys = issuer.server.url(Issuer.keysPath)
        let wrong: [(String, KeySourceError.Code)] = [
            ("{\"issuer\":\"\(issuer.name)/\",\"jwks_uri\":\"\(keys)\"}", .issuerMismatch),
            ("{\"issuer\":\"https://other.example\",\"jwks_uri\":\"\(keys)\"}", .issuerMismatch),
            (
                "{\"issuer\":\"\(issuer.name)\",\"jwks_uri\":\"http://other.example/keys\"}",
                .invalidDocument
            ),
            ("{\"issuer\":\"\(issuer.name)\"}", .invalidDocument),
            ("<html>", .invalidDocument),
        ]
        for (document, code) in wrong {
            try await issuer.server.set(Issuer.metadataPath, Behaviour(document))
            await #expect(throws: KeySourceError(code, ""), "\(document)") {
                _ = try await issuer.verifier(.curl).remoteKeys?.refresh()
            }
        }
        #expect(try await issuer.requestCount() == 0)
    }

    @Test("The server's lifetime for keys counts")
    func lifetime() async throws {
        let issuer = try await Issuer()
        let key = try Issuer.key("good")
        let said: [([[String]], Int)] = [
            ([], 600), ([["Cache-Control", "public, max-age=3600"]], 3_600),
            ([["Cache-Control", "max-age=3600"], ["Age", "600"]], 3_000),
            ([["Cache-Control", "max-age=1"]], 60), ([["Cache-Control", "no-store"]], 60),
            ([["Cache-Control", "max-age=99999999999999999999"]], 86_400),
        ]
        for (fields, seconds) in said {
            try await issuer.publish([key]) { $0.fields = fields }
            _ = try await issuer.verifier(.curl).remoteKeys?.refresh()
            let event = issuer.events.withLock { $0.last { $0.kind == .refreshed } }
            #expect(event?.lifetime == .seconds(seconds), "\(fields)")
        }
    }

    @Test("https with an untrusted certificate is refused", .needsOpenSSL)
    func selfSigned() async throws {
        let made = try SelfSigned()
        let server = try await KeyServer(certificate: made.certificate, key: made.key)
        let issuer = server.secureURL("")
        var options = KeySetOptions.still
        options.timeout = .seconds(60)
        let keys = try RemoteKeySet(
            issuer: issuer, location: .keySet(EndpointURL(server.secureURL("/keys"))),
            transport: .curl, options: options)
        do throws(KeySourceError) {
            _ = try await keys.refresh()
            Issue.record("taken")
        } catch {
            #expect(
                error.code == .unreachable && error.fullCode == "unreachable.notTrusted", "\(error)"
            )
        }
        #expect(try await server.facts("/keys").count == 0)
    }
}

/// Gives a silent server less time than the good fetches have, which may take long on a busy
/// machine.
private struct HastyTransport: IdentityTransport {
    let transport: any IdentityTransport
    /// For each exchange; nil for what it was asked with.
    let limit = Locked<Duration?>(nil)

    func exchange(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse {
        guard let limit = limit.withLock({ $0 }) else {
            return try await transport.exchange(request)
        }
        return try await transport.exchange(
            TransportRequest(
                url: request.url, maximumBodyByteCount: request.maximumBodyByteCount, timeout: limit
            ))
    }
}
