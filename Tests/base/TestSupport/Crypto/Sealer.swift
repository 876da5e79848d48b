// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetCrypto
import Testing

/// The two ways to seal, so that each property is tested for both.
package enum Sealer: String, CaseIterable, CustomTestStringConvertible {
    case aes128GCM
    case aes192GCM
    case aes256GCM
    case xaes256GCM

    package var testDescription: String { rawValue }

    package var keyByteCount: Int {
        switch self {
        case .aes128GCM: 16
        case .aes192GCM: 24
        case .aes256GCM, .xaes256GCM: 32
        }
    }

    package var nonceByteCount: Int { self == .xaes256GCM ? 24 : 12 }

    package func seal(_ plaintext: [UInt8], _ key: SecretKey, _ data: [UInt8] = []) throws
        -> [UInt8]
    {
        switch self {
        case .xaes256GCM: try XAES256GCM.seal(plaintext, using: key, authenticating: data)
        default: try AESGCM.seal(plaintext, using: key, authenticating: data)
        }
    }

    package func seal(_ plaintext: [UInt8], _ key: SecretKey, nonce: [UInt8], _ data: [UInt8] = [])
        throws
        -> [UInt8]
    {
        switch self {
        case .xaes256GCM:
            try XAES256GCM.seal(plaintext, using: key, nonce: nonce, authenticating: data)
        default: try AESGCM.seal(plaintext, using: key, nonce: nonce, authenticating: data)
        }
    }

    package func open(_ sealed: [UInt8], _ key: SecretKey, _ data: [UInt8] = []) throws -> [UInt8] {
        switch self {
        case .xaes256GCM: try XAES256GCM.open(sealed, using: key, authenticating: data)
        default: try AESGCM.open(sealed, using: key, authenticating: data)
        }
    }
}
