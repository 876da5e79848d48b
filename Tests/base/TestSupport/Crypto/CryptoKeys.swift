// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetCrypto

/// Expensive keys, made once.
package enum CryptoKeys {
    private static let rsa2048 = Result { () throws -> RSAPrivateKey in try RSAPrivateKey.generate()
    }

    package static func rsa() throws -> RSAPrivateKey { try rsa2048.get() }
}

package func key(_ bytes: [UInt8]) -> SecretKey { SecretKey(copying: bytes) }

package func key(repeating byte: UInt8, _ count: Int) -> SecretKey {
    key([UInt8](repeating: byte, count: count))
}
