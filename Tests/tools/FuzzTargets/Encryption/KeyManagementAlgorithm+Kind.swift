// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetJOSE

/// What a receiver's key does.
enum KeyKind {
    /// It is shared.
    case secret
    /// It takes part in ECDH.
    case agreement
    /// RSA-OAEP is decrypted with it.
    case decryption
}

extension KeyManagementAlgorithm {
    var kind: KeyKind {
        switch self {
        case .direct, .a128KW, .a192KW, .a256KW: .secret
        case .ecdhES, .ecdhESA128KW, .ecdhESA192KW, .ecdhESA256KW: .agreement
        case .rsaOAEP, .rsaOAEP256, .rsaOAEP384, .rsaOAEP512: .decryption
        }
    }

    /// The length of the key that wraps; nil where none does.
    var wrappingByteCount: Int? {
        switch self {
        case .a128KW, .ecdhESA128KW: 16
        case .a192KW, .ecdhESA192KW: 24
        case .a256KW, .ecdhESA256KW: 32
        default: nil
        }
    }

    /// The hash of RSA-OAEP; nil for SHA-1 and where there is none.
    var digest: HashAlgorithm? {
        switch self {
        case .rsaOAEP256: .sha256
        case .rsaOAEP384: .sha384
        case .rsaOAEP512: .sha512
        default: nil
        }
    }
}
