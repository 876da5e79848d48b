// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetCrypto

extension AccountError {
    /// libcrypto without memory, randomness or an algorithm makes the service unavailable.
    package static func crypto(_ error: CryptographyError) -> AccountError {
        AccountError(.unavailable, underlying: error, "A computation failed. \(messageOf: error)")
    }
}

extension [UInt8] {
    /// Random bytes: a name that nobody can guess, or a salt.
    static func random(count: Int) throws(AccountError) -> [UInt8] {
        do { return try SecureRandom.bytes(count: count) } catch { throw .crypto(error) }
    }
}

extension SecretKey {
    package static func random(byteCount: Int) throws(AccountError) -> SecretKey {
        do {
            return SecretKey(try SecretBytes.random(count: byteCount))
        } catch { throw .crypto(error) }
    }
}
