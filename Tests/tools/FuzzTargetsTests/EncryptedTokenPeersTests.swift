// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import FuzzTargets
import TestSupport
import Testing

/// Encrypted tokens whose header, key, parts and plaintext are changed before they are encrypted
/// with the known key. `make jwe-peers CASES=10000000` makes ten million.
@Suite(
    "Encrypted tokens that are accepted, opened by jwcrypto and joserfc", .tags(.interop),
    .enabled(
        if: EncryptedTokenPeers.isAvailable || EncryptedTokenPeers.isRequired,
        "jwcrypto and joserfc are not here: Scripts/interop-venv.sh installs them"))
struct EncryptedTokenPeersTests {
    /// After each receiver with each content encryption, which are there in any case.
    private static let caseCount =
        ProcessInfo.processInfo.environment["SIGNET_JWE_CASES"].flatMap { Int($0) } ?? 6_000
    private static let batchCount = 20_000

    @Test("Both libraries find the plaintext of every accepted token, for each alg and enc")
    func plaintexts() throws {
        let fixture = try EncryptionFixture.shared.get()
        let keys = fixture.receivers.map(\.jwk)
        let numbers = Dictionary(
            keys.enumerated().map { ($0.element, $0.offset) },
            uniquingKeysWith: { first, _ in first })
        let seeds = fixture.seeds
        var generator = SeededGenerator(seed: 11)
        var lines: [String] = []
        var accepted = 0
        var names = Set<String>()
        var total = EncryptedTokenPeers.Answer()
        func ask() throws {
            guard !lines.isEmpty else { return }
            total.add(try EncryptedTokenPeers.open(lines, keys: keys))
            lines = []
        }
        for number in 0..<seeds.count + Self.caseCount {
            let input = number < seeds.count ? seeds[number] : generator.bytes(56)
            let made = try EncryptedCase(input, fixture: fixture)
            guard try made.isAccepted() else { continue }
            accepted += 1
            names.insert(made.names)
            let keyNumber = try #require(numbers[made.receiver.jwk])
            lines.append(made.line(keyNumber: keyNumber))
            if lines.count == Self.batchCount { try ask() }
        }
        try ask()
        print(
            "jwe-peers: \(seeds.count + Self.caseCount) tokens, of which \(accepted) are accepted")
        print(total.report)
        #expect(total.differences.isEmpty, "\(total.differences.joined())")
        // Eleven algorithms with six encryptions, and RSA-OAEP with the two whose key has 32 bytes.
        #expect(names.count == 68)
        #expect(total.opened["joserfc"].map { Set($0.keys) } == names)
        #expect(
            total.opened["jwcrypto"].map { Set($0.keys) }
                == names.filter { !$0.hasPrefix("RSA-OAEP-384") && !$0.hasPrefix("RSA-OAEP-512") })
        #expect(accepted >= Self.caseCount / 100)
    }
}
