// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import OpenSSLBridge

/// Expensive keys, made once.
package enum BridgeKeys {
    private static let rsa2048 = Result { () throws -> KeyHandle in
        try KeyHandle.generateRSA(bitCount: 2048)
    }

    package static func rsa() throws -> KeyHandle { try rsa2048.get() }

    /// One key of each kind, with a name for the messages.
    package static func all() throws -> [(name: String, key: KeyHandle)] {
        var keys = [
            ("RSA", try rsa()),
            ("Ed25519", try KeyHandle.ed25519(seed: secret([UInt8](repeating: 1, count: 32)))),
        ]
        for curve in NamedCurve.allCases {
            keys.append(("\(curve)", try KeyHandle.generateEC(curve: curve)))
        }
        return keys
    }
}
