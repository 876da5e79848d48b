// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// What the other libraries say about Signet's keys and tokens, asked in one batch for all tests.
struct Answers: Decodable, Sendable {
    /// A key pair of Signet's and tokens made with it.
    struct Offer: Encodable, Sendable {
        let algorithm: String
        let keyID: String
        let token: String
        let expired: String
        let forged: [String]
        let publicJWK: String?
        let publicPEM: String?
        let privateJWK: String
        let privatePEM: String?

        init(algorithm: String) throws {
            let keyID = "signet-\(algorithm)"
            let key = try Signet.generate(algorithm, keyID: keyID)
            self.algorithm = algorithm
            self.keyID = keyID
            token = try key.sign(.current)
            expired = try key.sign(.expired)
            forged = token.forgeries
            publicJWK = key.publicJWK
            publicPEM = key.publicPEM
            privateJWK = key.privateJWK
            privatePEM = key.privatePEM
        }
    }

    /// What one library says to one offer.
    struct Answer: Decodable, Sendable {
        let library: String
        let algorithm: String
        let form: KeyForm
        /// Why it refused what it should have accepted.
        let error: String?
        let claimsAreEqual: Bool?
        let refusalCount: Int?
        let wronglyAccepted: [String]?
        /// A token of the library's, made with Signet's private key.
        let minted: String?
    }

    struct Exchange: Sendable {
        let offers: [Offer]
        let answers: [Answer]
    }

    let answers: [Answer]

    private struct Question: Encodable {
        let issuer = Claims.current.iss
        let audience = "api"
        let otherAudience = "elsewhere"
        let claims = Claims.current
        let offers: [Offer]
    }

    static let toSignet = Result {
        let offers = try (Algorithm.all + ["Ed25519"]).map(Offer.init)
        let answers = try Python.ask("check", Question(offers: offers), as: Answers.self)
        return Exchange(offers: offers, answers: answers.answers)
    }

    static func answer(_ pairing: Pairing) throws -> (offer: Offer, answer: Answer) {
        let exchange = try toSignet.get()
        guard let offer = exchange.offers.first(where: { $0.algorithm == pairing.algorithm }),
            let answer = exchange.answers.first(where: {
                $0.library == pairing.library && $0.algorithm == pairing.algorithm
                    && $0.form == pairing.form
            })
        else { throw Command.Failure(description: "no answer for \(pairing.testDescription)") }
        return (offer, answer)
    }
}
