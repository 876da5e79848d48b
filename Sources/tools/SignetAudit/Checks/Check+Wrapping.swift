// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto

extension Check {
    /// AES key wrap: unwrapping, wrapping to the same bytes, and rejecting a changed bit.
    ///
    /// - Parameters:
    ///   - key: nil if unwrapping must fail and the publisher gives none.
    ///   - wrapped: empty if the publisher says that the key cannot be wrapped.
    static func keyWrap(wrappingKey: [UInt8], key: [UInt8]?, wrapped: [UInt8]) -> Body {
        crypto { () throws(CryptographyError) in
            let wrappingKey = SecretKey(copying: wrappingKey)
            let made = key.flatMap {
                try? AESKeyWrap.wrap(SecretKey(copying: $0), using: wrappingKey)
            }
            if wrapped.isEmpty, made != nil { return .differed("the key was wrapped") }
            let unwrapped = try AESKeyWrap.unwrap(wrapped, using: wrappingKey)
            guard let key else { return .differed("it unwrapped, and no key is stated") }
            guard unwrapped.equals(key) else { return .differed("another key came out") }
            guard made == wrapped else { return .differed("it was wrapped to other bytes") }
            if (try? AESKeyWrap.unwrap(wrapped.altered, using: wrappingKey)) != nil {
                return .differed("it unwrapped with a bit changed")
            }
            return .accepted
        }
    }

    /// RSA-OAEP: unwrapping, wrapping again and unwrapping that, and rejecting a changed bit.
    ///
    /// - Parameter digest: nil if the vector's own parameters (hash, mask hash or label) are not
    ///   offered: then it must not unwrap with any that is.
    static func oaep(
        _ digest: OAEPDigest?, numbers: RSAPrivateKey.Numbers, key: [UInt8], wrapped: [UInt8]
    ) -> Body {
        crypto { () throws(CryptographyError) in
            let recipient = try RSAPrivateKey(numbers)
            guard let digest else {
                var last: CryptographyError?
                for digest in OAEPDigest.allCases {
                    do throws(CryptographyError) {
                        _ = try digest.unwrap(wrapped, using: recipient)
                        return .differed("it unwrapped with \(digest.name)")
                    } catch { last = error }
                }
                return last.map { AuditObservation($0) } ?? .accepted
            }
            let unwrapped = try digest.unwrap(wrapped, using: recipient)
            guard unwrapped.equals(key) else { return .differed("another key came out") }
            if (try? digest.unwrap(wrapped.altered, using: recipient)) != nil {
                return .differed("it unwrapped with a bit changed")
            }
            guard let hash = digest.hash else { return .accepted }
            let made = try RSAOAEP.wrap(unwrapped, to: recipient.publicKey, hash: hash)
            return try digest.unwrap(made, using: recipient) == unwrapped
                ? .accepted : .differed("its own wrapped key does not unwrap")
        }
    }
}

/// The hashes of RSA-OAEP, with SHA-1, which is only decrypted.
enum OAEPDigest: CaseIterable, Sendable {
    case sha1, sha256, sha384, sha512

    init?(name: String) {
        guard let digest = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = digest
    }

    var name: String { hash?.rawValue ?? "SHA-1" }

    var hash: HashAlgorithm? {
        switch self {
        case .sha1: nil
        case .sha256: .sha256
        case .sha384: .sha384
        case .sha512: .sha512
        }
    }

    func unwrap(
        _ wrapped: [UInt8], using recipient: RSAPrivateKey
    ) throws(CryptographyError) -> SecretKey {
        guard let hash else { return try RSAOAEP.unwrapWithSHA1(wrapped, using: recipient) }
        return try RSAOAEP.unwrap(wrapped, using: recipient, hash: hash)
    }
}
