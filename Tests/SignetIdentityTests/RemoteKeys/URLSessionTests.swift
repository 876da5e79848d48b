// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetIdentity
import SignetURLSession
import TestSupport
import Testing

/// The same rules over FoundationNetworking, apart from the others: of Swift 6.3.1 it now and then
/// leaves an exchange unanswered until its time is over, on some machines more than on others. The
/// part `url-session` counts if one of three tries passes.
@Suite("URLSession", .tags(.urlSession), .needsPython, .timeLimit(.minutes(10)))
struct URLSessionTests {
    private let checks = TransportChecks(wire: .urlSession)

    @Test("hostile answers")
    func hostileAnswers() async throws { try await checks.hostileAnswers() }

    @Test("what is sent: no cookies, no compression, no more fields than there must be")
    func request() async throws { try await checks.request() }

    @Test("a POST arrives as it is")
    func post() async throws { try await checks.post() }

    @Test("the limit is the body's length and not one less", arguments: [false, true])
    func limit(chunked: Bool) async throws { try await checks.limit(chunked: chunked) }

    @Test("no server, no answer, or byte by byte: in time")
    func time() async throws { try await checks.time() }

    @Test("no time is too long")
    func endlessTime() async throws { try await checks.endlessTime() }

    @Test("who gives up is let go, and the server is")
    func cancellation() async throws { try await checks.cancellation() }

    @Test("a thousand exchanges at once, half of them given up")
    func thousand() async throws { try await checks.thousand() }

    /// The best of five, which is weaker than what the name of the other suite's test says: what is kept makes memory grow each time, while
    /// what FoundationNetworking reads before it hears that nobody wants more (hundreds of MB for a moment, on a slow machine) is memory that
    /// the next time uses again.
    @Test("a long body is not kept, though it may be read: one of five times memory stays where it was")
    func memoryInTheEnd() async throws { try await checks.memory(maximumKilobytes: 80_000, tries: 5) }

    @Test("a certificate that nobody vouches for")
    func selfSigned() async throws { try await checks.selfSigned() }

    @Test("sessions come and go with their transports")
    func transportsOfTheirOwn() async throws {
        let server = try await KeyServer()
        try await server.set("/keys", Behaviour("{}"))
        try await server.set("/held", Behaviour("{}") { $0.hold = "never" })
        let before = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        for _ in 0..<100 {
            let wire = Wire(
                "URLSession of its own", URLSessionTransport(), patience: Wire.urlSession.patience)
            #expect(try await wire.get(server.url("/keys")).status == 200)
            #expect(try await wire.failure(server.url("/held"), timeout: .milliseconds(1)) == .timedOut)
        }
        // Each had two connections and an event queue: descriptors go a moment after their session.
        while try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count > before + 100 {
            try await Task.sleep(for: .milliseconds(20))
        }
    }
}
