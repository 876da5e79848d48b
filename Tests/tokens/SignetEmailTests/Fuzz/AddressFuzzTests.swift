// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetEmail
import TestSupport
import Testing

@Suite("A million addresses", .serialized, .tags(.addresses, .sampled))
struct AddressFuzzTests {
    private static let seeds: [[UInt8]] =
        (MailboxVectorTests.figures + BusinessDomainVectorTests.figures).compactMap { $0["text"] }
        .map {
            Array($0.utf8)
        }
        + (0..<200).map { Array("user\($0)@company.example".utf8) }
        + (0..<200).map { Array("user\($0)@mail.partner.example".utf8) }

    @Test(
        "Nothing crashes, a mailbox reads back from its text, and allowed means allowed",
        arguments: 0..<4 as Range<UInt64>)
    func addresses(seed: UInt64) async throws {
        let oracle = AddressOracle(exact: "company.example", parent: "partner.example")
        let policy = try BusinessEmailPolicy(
            allowing: [.exact(oracle.exact), .includeSubdomains(oracle.parent)])
        let lenient = Mailbox.Options(
            allowsQuotedLocalPart: true, allowsRouting: true, allowsUnicodeLocalPart: true,
            trailingDot: .dns,
            domainConverter: PlainPunycode())
        var generator = AddressGenerator(seed: seed, seeds: Self.seeds)
        var accepted = 0
        var allowed = 0
        for index in 0..<Effort.rounds(250_000) {
            // Others' tests run on the same threads.
            if index.isMultiple(of: 500) { await Task.yield() }
            let octets = generator.next()
            for options in [Mailbox.Options(), lenient] {
                guard let mailbox = try? Mailbox(octets: octets, options: options) else { continue }
                accepted += 1
                let again = try? Mailbox(mailbox.text, options: options)
                guard again == mailbox, mailbox.text.utf8.count <= Mailbox.maximumByteCount else {
                    Issue.record("not read back: \(octets)")
                    return
                }
            }
            guard let text = String(validating: octets, as: UTF8.self) else { continue }
            let isAllowed = policy.verdict(forUnverifiedText: text).isAllowed
            guard isAllowed == oracle.allows(octets) else {
                Issue.record("allowed: \(isAllowed), and the oracle says otherwise: \(octets)")
                return
            }
            allowed += isAllowed ? 1 : 0
        }
        // Otherwise the generator would prove nothing.
        #expect(
            accepted > Effort.rounds(50_000) && allowed > Effort.rounds(10_000),
            "\(accepted) accepted, \(allowed) allowed")
    }

    @Test("Random lists are read or refused, never a trap")
    func lists() {
        var generator = AddressGenerator(seed: 9, seeds: Self.seeds)
        for _ in 0..<Effort.rounds(20_000) {
            let octets = generator.next() + [0x0a] + generator.next() + [0x0a] + generator.next()
            _ = try? DomainList(octets: octets)
            _ = try? PublicSuffixList(octets: octets)
        }
    }
}
