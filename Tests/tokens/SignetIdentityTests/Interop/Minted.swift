// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The keys and tokens that the other libraries make, once for all tests.
struct Minted: Decodable, Sendable {
    struct Token: Decodable, Sendable {
        let library: String
        let algorithm: String
        let keyID: String
        let token: String
        let publicJWK: String?
        let publicPEM: String?
        let privateJWK: String
        let privatePEM: String?

        /// The key to verify with; for a MAC it is the only key.
        func verificationKey(_ form: KeyForm) -> String? {
            switch form {
            case .jwk: publicJWK ?? privateJWK
            case .pem: publicPEM
            }
        }

        func signingKey(_ form: KeyForm) -> String? {
            form == .jwk ? privateJWK : privatePEM
        }
    }

    let versions: [String: String]
    let minted: [Token]

    private struct Question: Encodable {
        let claims = Claims.current
    }

    static let byLibraries = Result { try Python.ask("mint", Question(), as: Minted.self) }

    static func token(_ pairing: Pairing) throws -> Token {
        let tokens = try byLibraries.get().minted
        guard
            let token = tokens.first(where: {
                $0.library == pairing.library && $0.algorithm == pairing.algorithm
            })
        else {
            throw Command.Failure(
                description: "\(pairing.library) minted no \(pairing.algorithm) token")
        }
        return token
    }
}
