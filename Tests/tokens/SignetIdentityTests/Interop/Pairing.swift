// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Testing

/// One algorithm of one library, named in a failing test.
struct Pairing: Sendable, CustomTestStringConvertible {
    let library: String
    let algorithm: String
    let form: KeyForm

    var testDescription: String { "\(library) \(algorithm) \(form.rawValue)" }

    static let libraries = ["PyJWT", "joserfc", "jwcrypto"]

    /// Every library, algorithm and form of key that both sides speak. PyJWT does not know RFC 9864's `Ed25519`.
    static let all: [Pairing] = libraries.flatMap { library in
        (Algorithm.all + (library == "PyJWT" ? [] : ["Ed25519"])).flatMap { algorithm in
            (algorithm.hasPrefix("HS") ? [KeyForm.jwk] : KeyForm.allCases).map {
                Pairing(library: library, algorithm: algorithm, form: $0)
            }
        }
    }
}

/// The text that carries a key from one program to another.
enum KeyForm: String, Sendable, CaseIterable, Codable {
    case jwk
    case pem
}

enum Algorithm {
    static let all = [
        "HS256", "HS384", "HS512", "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256",
        "ES384",
        "ES512",
        "EdDSA",
    ]
}
