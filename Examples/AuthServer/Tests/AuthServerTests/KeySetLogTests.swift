// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import DevIssuer
import Foundation
import SignetIdentity
import SignetJOSE
import Synchronization
import Testing

/// The lines about the issuer's keys, of which HUMMINGBIRD.md shows the code.
@Suite("The log of an issuer's keys")
struct KeySetLogTests {
    @Test("Events have levels, and lines without control characters or parts of a token")
    func events() async throws {
        // Shown as it is, this name would forge a line, and colour a terminal.
        let name = String(repeating: "\u{1b}[31m\u{202e}x\n", count: 100)
        let key = try SigningKey.generate(.rs256, keyID: name).verificationKey.jwk.publicJSON()
        let outage = Outage()
        var options = World.Options()
        options.keyClock = TimeSource(elapsed: { outage.elapsed })
        options.fetched = { outage.isOn ? nil : Self.adding(key, to: $0) }
        try await World.with(options) { world in
            var tokens = [try world.issuer.idToken(MintRequest(person: .ada))]
            #expect(try await world.presents(tokens[0]).status == 200)
            // Unknown keys have three fetches in a burst. The fourth token is held back, and the
            // fifth finds no issuer.
            for number in 1...5 {
                if number == 5 { outage.begin() }
                let request = MintRequest(person: .ada, key: .unpublished)
                tokens.append(try world.issuer.idToken(request))
                #expect(try await world.presents(tokens[number]).status != 200)
            }
            let lines = world.log.events("issuer's keys")
            let kinds = Set(lines.map { "\(Self.kind(of: $0)) \($0["level"] ?? "")" })
            #expect(
                kinds == [
                    "refreshStarted debug", "refreshed info", "keyHeldBack notice",
                    "refreshFailed warning",
                ])
            let texts = lines.compactMap { $0["event"] }
            #expect(texts.contains { $0.contains("?[31m?x?") })
            for text in texts {
                #expect(text.utf8.allSatisfy { (0x20..<0x7f).contains($0) }, "\(text)")
                for part in tokens.flatMap({ $0.split(separator: ".") }) {
                    #expect(!text.contains(part))
                }
            }
        }
    }

    @Test("A failed fetch without keys is an error")
    func withoutKeys() async throws {
        try await World.with(World.Options(hasIssuer: false)) { world in
            let token = try world.issuer.idToken(
                MintRequest(person: .ada, claims: ["iss": .string("http://127.0.0.1:1")]))
            #expect(try await world.presents(token).status == 503)
            let failed = world.log.events("issuer's keys").filter {
                Self.kind(of: $0) == "refreshFailed"
            }
            #expect(!failed.isEmpty && failed.allSatisfy { $0["level"] == "error" })
        }
    }

    @Test("A published private key is a warning, which does not show the key")
    func leak() async throws {
        let secret = "c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0LXNlY3I"
        let half = try SigningKey.generate(.es256).verificationKey.jwk.publicJSON().dropLast()
        var options = World.Options()
        options.fetched = { Self.adding("\(half),\"d\":\"\(secret)\"}", to: $0) }
        try await World.with(options) { world in
            _ = try await world.signIn()
            let refreshed = world.log.events("issuer's keys").filter {
                Self.kind(of: $0) == "refreshed"
            }
            #expect(!refreshed.isEmpty && refreshed.allSatisfy { $0["level"] == "warning" })
            #expect(!world.log.lines.contains { $0.contains(secret) })
        }
    }

    private static func kind(of line: [String: String]) -> Substring {
        line["event"]?.prefix { $0 != ":" } ?? ""
    }

    /// A JWK set with another key in front; any other document as it is.
    private static func adding(_ key: String, to answer: TransportResponse) -> TransportResponse {
        let text = String(decoding: answer.body, as: UTF8.self)
            .replacingOccurrences(of: "{\"keys\":[", with: "{\"keys\":[\(key),")
        return TransportResponse(
            status: answer.status, fields: answer.fields, body: Array(text.utf8))
    }
}

/// An outage of the issuer, which begins when the server may ask it again.
private final class Outage: Sendable {
    private let state = Mutex(false)

    var isOn: Bool { state.withLock { $0 } }
    var elapsed: Duration { isOn ? .seconds(40) : .zero }

    func begin() { state.withLock { $0 = true } }
}
