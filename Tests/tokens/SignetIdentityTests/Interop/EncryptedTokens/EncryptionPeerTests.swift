// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// Each alg with each enc and each kind of key that both sides offer.
@Suite("Encrypted tokens, exchanged with other implementations", .tags(.interop))
struct EncryptionPeerTests {
    @Test(
        "jwcrypto opens Signet's tokens, and Signet jwcrypto's",
        .enabled(if: EncryptionPeer.jwcrypto.isAvailable, "\(EncryptionPeer.jwcrypto.absence)"))
    func jwcrypto() throws { try check(.jwcrypto) }

    @Test(
        "joserfc opens Signet's tokens, and Signet joserfc's",
        .enabled(if: EncryptionPeer.joserfc.isAvailable, "\(EncryptionPeer.joserfc.absence)"))
    func joserfc() throws { try check(.joserfc) }

    @Test(
        "The jose command opens Signet's tokens, and Signet those of the command",
        .enabled(if: EncryptionPeer.jose.isAvailable, "\(EncryptionPeer.jose.absence)"))
    func jose() throws { try check(.jose) }

    @Test(
        "jose for Node opens Signet's tokens, and Signet those of jose for Node",
        .enabled(if: EncryptionPeer.nodeJose.isAvailable, "\(EncryptionPeer.nodeJose.absence)"))
    func nodeJose() throws { try check(.nodeJose) }

    @Test("No combination that a peer offered is gone, in either direction")
    func counts() throws {
        #expect(EncryptionCombination.all.count == 144)
        #expect(EncryptionCombination.all.count { $0.isForBoth } == 138)
        var table = "encrypted tokens   Signet to peer  peer to Signet  not offered"
        for peer in EncryptionPeer.allCases where peer.isAvailable {
            let exchange = try EncryptionExchange.with(peer)
            let opened = exchange.openedCount
            let made = exchange.madeCount
            let left = EncryptionCombination.all.count - exchange.offered.count
            let cells = zip([opened, made, left], [16, 16, 13]).map { count, width in
                Self.padding(width - "\(count)".count) + "\(count)"
            }
            let name = "\(peer.rawValue) \(exchange.version)"
            table += "\n" + name + Self.padding(17 - name.count) + cells.joined()
            #expect(opened >= peer.openedCount, "\(peer)")
            #expect(made >= peer.madeCount, "\(peer)")
        }
        print(table)
    }

    private static func padding(_ count: Int) -> String {
        String(repeating: " ", count: max(count, 1))
    }

    private func check(_ peer: EncryptionPeer) throws {
        let exchange = try EncryptionExchange.with(peer)
        #expect(exchange.answers.count == EncryptionCombination.all.count)
        for (combination, answer) in exchange.offered {
            #expect(answer.error == nil, "\(combination)")
            #expect(
                answer.opened == (combination.isForBoth ? EncryptionExchange.text : nil),
                "\(combination)")
            do {
                let token = try #require(answer.token, "\(combination)")
                #expect(
                    try combination.text(in: token) == EncryptionExchange.text, "\(combination)")
            } catch {
                Issue.record("\(combination): \(error)")
            }
        }
    }
}
