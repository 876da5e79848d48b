// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// The rules of `IdentityTransport`, over the transports that are held to all of them, once and without a second try.
@Suite("Transports", .needsPython, .timeLimit(.minutes(10)))
struct TransportTests {
    @Test("hostile answers", .tags(.hostileServers), arguments: Wire.all)
    func hostileAnswers(_ wire: Wire) async throws {
        try await TransportChecks(wire: wire).hostileAnswers()
    }

    @Test(
        "what is sent: no cookies, no compression, no more fields than there must be",
        arguments: Wire.all)
    func request(_ wire: Wire) async throws { try await TransportChecks(wire: wire).request() }

    @Test("a POST arrives as it is", arguments: Wire.all)
    func post(_ wire: Wire) async throws { try await TransportChecks(wire: wire).post() }

    @Test("each method, with a body and without", arguments: Wire.all)
    func methods(_ wire: Wire) async throws { try await TransportChecks(wire: wire).methods() }

    @Test("fields of the caller's", arguments: Wire.all)
    func ownFields(_ wire: Wire) async throws { try await TransportChecks(wire: wire).ownFields() }

    @Test("what has no body is an answer", arguments: Wire.all)
    func bodiless(_ wire: Wire) async throws { try await TransportChecks(wire: wire).bodiless() }

    @Test("what cannot be sent is not sent", arguments: Wire.all)
    func invalidRequests(_ wire: Wire) async throws {
        try await TransportChecks(wire: wire).invalidRequests()
    }

    @Test("the limit is the body's length and not one less", arguments: Wire.all, [false, true])
    func limit(_ wire: Wire, chunked: Bool) async throws {
        try await TransportChecks(wire: wire).limit(chunked: chunked)
    }

    @Test(
        "no server, no answer, or byte by byte: in time", .tags(.hostileServers),
        arguments: Wire.all)
    func time(_ wire: Wire) async throws { try await TransportChecks(wire: wire).time() }

    @Test("no time is too long", .tags(.hostileServers), arguments: Wire.all)
    func endlessTime(_ wire: Wire) async throws {
        try await TransportChecks(wire: wire).endlessTime()
    }

    @Test("a cancelled caller returns, and its connection is closed", arguments: Wire.all)
    func cancellation(_ wire: Wire) async throws {
        try await TransportChecks(wire: wire).cancellation()
    }

    @Test(
        "a thousand exchanges at once, half of them given up", .tags(.hostileServers),
        arguments: Wire.all)
    func thousand(_ wire: Wire) async throws { try await TransportChecks(wire: wire).thousand() }

    @Test(
        "a long body is not kept: memory stays where it was", .tags(.hostileServers),
        arguments: Wire.all)
    func memory(_ wire: Wire) async throws {
        try await TransportChecks(wire: wire).memory(maximumKilobytes: 80_000)
    }

    @Test("an untrusted certificate is refused", arguments: Wire.all)
    func selfSigned(_ wire: Wire) async throws {
        try await TransportChecks(wire: wire).selfSigned()
    }
}
