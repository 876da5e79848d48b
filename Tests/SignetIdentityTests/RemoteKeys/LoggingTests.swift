// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#if SwiftLog

    import TestSupport
    import Logging
    import SignetIdentity
    import SignetJOSE
    import SignetLogging
    import SignetPlatform
    import Testing

    @Suite("Logs")
    struct LoggingTests {
        @Test(
            "A key set's events are logged with levels and metadata", .needsPython,
            .timeLimit(.minutes(20)))
        func events() async throws {
            let log = RecordedLog()
            let issuer = try await Issuer()
            let key = try Issuer.key("good")
            let hostile = String(repeating: "\u{1b}[31m\u{202e}x\n", count: 100)
            let other = try Issuer.key(hostile)
            try await issuer.publish([key, other])
            let verifier = try issuer.verifier(.curl) { $0.onEvent = log.logger.keySetEvents }
            let token = try issuer.token(key)
            _ = try await verifier.verify(token)
            let madeUp = try issuer.token(try Issuer.key("made-up"))
            for _ in 0..<3 {
                await #expect(throws: IdentityError(.unknownKid, "")) {
                    try await verifier.verify(madeUp)
                }
            }
            await #expect(throws: IdentityError(.keyHeldBack, "")) {
                try await verifier.verify(madeUp)
            }
            try await issuer.server.set(Issuer.keysPath, Behaviour { $0.status = 500 })
            issuer.pass(700)
            _ = try? await verifier.remoteKeys?.refresh()
            _ = try await verifier.verify(token)
            let lines = log.lines.withLock { $0 }
            let kinds = lines.map { "\($0.level) \($0.message)" }
            #expect(
                kinds == [
                    "debug key set: refreshStarted", "info key set: refreshed",
                    "debug key set: refreshStarted", "debug key set: refreshed",
                    "debug key set: refreshStarted", "debug key set: refreshed",
                    "debug key set: refreshStarted", "debug key set: refreshed",
                    "notice key set: keyHeldBack",
                    "debug key set: refreshStarted", "warning key set: refreshFailed",
                    "warning key set: staleKeysServed",
                ])
            let refreshed = try #require(lines.first { $0.message.hasSuffix("refreshed") }).metadata
            #expect(refreshed["issuer"] == .string(issuer.name))
            #expect(
                refreshed["keys"]?.description == "2"
                    && refreshed["lifetime_s"]?.description == "600.0")
            guard case .array(let added)? = refreshed["added"] else {
                _ = Issue.record("no kids")
                return
            }
            #expect(added.contains(.string("good")))
            // How the issuer's server chose to name its keys, in a log line.
            for kid in added.map(\.description) {
                #expect(kid.utf8.count <= 64 && kid.utf8.allSatisfy { (0x20..<0x7f).contains($0) })
            }
            let failed = try #require(lines.first { $0.message.hasSuffix("refreshFailed") })
                .metadata
            #expect(failed["error"] == .string("status") && failed["keys"]?.description == "2")
            for line in lines { #expect(!"\(line)".contains(token)) }
        }

        @Test("A failed fetch without keys is logged as an error")
        func withoutKeys() async throws {
            let log = RecordedLog()
            var options = KeySetOptions.still
            options.onEvent = log.logger.keySetEvents
            let keys = try RemoteKeySet(
                issuer: "https://idp.example", transport: NoTransport(), options: options)
            _ = try? await keys.refresh()
            #expect(log.lines.withLock { $0.last?.level } == .error)
        }

        @Test(
            "The reason for a refused token is logged",
            arguments: [
                (
                    IdentityError(.expired, claim: "exp", "The token has expired."),
                    Logger.Level.info, "401"
                ),
                (
                    IdentityError(
                        .keySourceUnavailable, underlying: KeySourceError(.unreachable, ""),
                        "No keys."), .error, "503"
                ),
                // Anyone can make up a kid.
                (IdentityError(.keyHeldBack, retryAfterSeconds: 30, "Held back."), .info, "503"),
            ])
        func refused(_ error: IdentityError, level: Logger.Level, status: String) throws {
            let log = RecordedLog()
            log.logger.refused(error, keyID: "k\n\u{7}" + String(repeating: "é", count: 1_000))
            let line = try #require(log.lines.withLock { $0.first })
            #expect(line.level == level && line.message == "token refused")
            #expect(line.metadata["code"] == .string(error.fullCode))
            #expect(line.metadata["claim"] == error.claim.map { .string($0) })
            #expect(line.metadata["reason"] == .string(error.message))
            #expect(line.metadata["status"]?.description == status)
            #expect(line.metadata["kid"] == .string("k??" + String(repeating: "?", count: 61)))
        }
    }

    /// No server answers.
    private struct NoTransport: IdentityTransport {
        func exchange(_ request: TransportRequest) async throws(TransportFailure)
            -> TransportResponse
        {
            throw TransportFailure(.unreachable, "nobody")
        }
    }

#endif
