// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetJOSE

/// What a peer says to Signet's tokens, and the tokens that it makes for the same keys: one question
/// for all combinations.
struct EncryptionExchange: Decodable, Sendable {
    /// For one combination.
    struct Answer: Decodable, Sendable {
        let isOffered: Bool
        /// What it read in Signet's token.
        let opened: String?
        /// A token that it made.
        let token: String?
        /// Why it failed.
        let error: String?
    }

    let version: String
    /// In the order of ``EncryptionCombination/all``.
    let answers: [Answer]

    /// What every token says.
    static let text = "What is said, ünïcödé ☃"

    private struct Question: Encodable {
        struct Case: Encodable {
            let algorithm: String
            let encryption: String
            let privateKey: String
            let publicKey: String
            let token: String?

            init(_ combination: EncryptionCombination) throws {
                algorithm = combination.algorithm.name
                encryption = combination.content.name
                privateKey = try combination.privateJWK()
                publicKey = try combination.publicJWK()
                token = try combination.token(saying: EncryptionExchange.text)
            }
        }

        let content = EncryptionExchange.text
        let cases: [Case]
    }

    private static let question: Result<Data, any Error> = Result {
        try JSONEncoder().encode(Question(cases: EncryptionCombination.all.map(Question.Case.init)))
    }

    private static let all: [EncryptionPeer: Result<EncryptionExchange, any Error>] = {
        var exchanges: [EncryptionPeer: Result<EncryptionExchange, any Error>] = [:]
        for peer in EncryptionPeer.allCases where peer.isAvailable {
            exchanges[peer] = Result {
                try JSONDecoder().decode(
                    EncryptionExchange.self, from: peer.answer(to: question.get()))
            }
        }
        return exchanges
    }()

    /// The exchange with a peer, made once for all tests.
    static func with(_ peer: EncryptionPeer) throws -> EncryptionExchange {
        guard let exchange = all[peer] else { throw Command.Failure(description: peer.absence) }
        return try exchange.get()
    }

    /// The answers that are not "not offered", with their combinations.
    var offered: [(combination: EncryptionCombination, answer: Answer)] {
        zip(EncryptionCombination.all, answers).filter { $1.isOffered }.map {
            (combination: $0, answer: $1)
        }
    }

    /// How many tokens of Signet's the peer has opened.
    var openedCount: Int {
        offered.count { $0.answer.opened == Self.text }
    }

    /// How many tokens of the peer's Signet opens.
    var madeCount: Int {
        offered.count { combination, answer in
            answer.token.map { (try? combination.text(in: $0)) == Self.text } ?? false
        }
    }
}
