// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// The rules of `IdentityTransport`, over the transports that must keep all of them, once and
/// without retries.
@Suite("Transports", .needsPython, .timeLimit(.minutes(20)))
struct TransportTests {
    @Test("Hostile answers have their errors", .tags(.hostileServers), arguments: Wire.all)
    func hostileAnswers(_ wire: Wire) async throws {
        try await TransportChecks(wire: wire).hostileAnswers()
    }

    @Test(
        "A request has no cookies, no compression and only the necessary fields",
        arguments: Wire.all)
    func request(_ wire: Wire) async throws { try await TransportChecks(wire: wire).request() }

    @Test("A POST arrives unchanged", arguments: Wire.all)
    func post(_ wire: Wire) async throws { try await TransportChecks(wire: wire).post() }

    @Test("Each method works with and without a body", arguments: Wire.all)
    func methods(_ wire: Wire) async throws { try await TransportChecks(wire: wire).methods() }

    @Test("The caller's fields are sent", arguments: Wire.all)
    func ownFields(_ wire: Wire) async throws { try await TransportChecks(wire: wire).ownFields() }

    @Test("An answer without a body is accepted", arguments: Wire.all)
    func bodiless(_ wire: Wire) async throws { try await TransportChecks(wire: wire).bodiless() }

    @Test("An invalid request is not sent", arguments: Wire.all)
    func invalidRequests(_ wire: Wire) async throws {
        try await TransportChecks(wire: wire).invalidRequests()
    }

    @Test("The limit is exactly the body's length", arguments: Wire.all, [false, true])
    func limit(_ wire: Wire, chunked: Bool) async throws {
        try await TransportChecks(wire: wire).limit(chunked: chunked)
    }

    @Test(
        "A missing, silent or slow server fails in time", .tags(.hostileServers),
        arguments: Wire.all)
    func time(_ wire: Wire) async throws { try await TransportChecks(wire: wire).time() }

    @Test("Any time limit is accepted, however long", .tags(.hostileServers), arguments: Wire.all)
    func endlessTime(_ wire: Wire) async throws {
        try await TransportChecks(wire: wire).endlessTime()
    }

    @Test("A cancelled caller returns, and its connection closes", arguments: Wire.all)
    func cancellation(_ wire: Wire) async throws {
        try await TransportChecks(wire: wire).cancellation()
    }

    @Test(
        "A thousand exchanges at once work, with half of them cancelled", .tags(.hostileServers),
        arguments: Wire.all)
    func thousand(_ wire: Wire) async throws { try await TransportChecks(wire: wire).thousand() }

    @Test(
        "A long body is not buffered: memory does not grow", .tags(.hostileServers),
        arguments: Wire.all)
    func memory(_ wire: Wire) async throws {
        try await TransportChecks(wire: wire).memory(maximumKilobytes: 80_000)
    }

    @Test("An untrusted certificate is refused", .needsOpenSSL, arguments: Wire.all)
    func selfSigned(_ wire: Wire) async throws {
        try await TransportChecks(wire: wire).selfSigned()
    }
}
