// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto

/// AES-GCM and XAES-256-GCM: opening, sealing with the stated nonce, and opening what was changed.
struct SealingCheck: Sendable {
    enum Algorithm: Sendable {
        case aesGCM
        case xaes

        var nonceByteCount: Int {
            switch self {
            case .aesGCM: AESGCM.nonceByteCount
            case .xaes: XAES256GCM.nonceByteCount
            }
        }
    }

    let algorithm: Algorithm
    let key: [UInt8]
    let nonce: [UInt8]
    let data: [UInt8]
    /// Nil when opening must fail and the publisher gives none.
    let plaintext: [UInt8]?
    /// With the tag.
    let ciphertext: [UInt8]

    func observation() -> AuditObservation {
        .observing { () throws(CryptoError) in
            let key = SecretKey(copying: key)
            let sealed = nonce + ciphertext
            guard nonce.count == algorithm.nonceByteCount else { return try observeOtherNonce(key) }
            let opened = try open(sealed, key)
            guard let plaintext else { return .differed("it opened, and no plaintext is stated") }
            guard opened == plaintext else { return .differed("another plaintext came out") }
            guard try seal(plaintext, key) == sealed else {
                return .differed("another ciphertext came out")
            }
            if (try? open(sealed.altered, key)) != nil {
                return .differed("it opened with a changed tag")
            }
            return .accepted
        }
    }

    /// A nonce of another length must be refused, not cut or filled; nor may it open by being split elsewhere.
    private func observeOtherNonce(_ key: SecretKey) throws(CryptoError) -> AuditObservation {
        if (try? open(nonce + ciphertext, key)) != nil {
            return .differed("it opened with a nonce of another length")
        }
        _ = try seal(plaintext ?? [], key)
        return .accepted
    }

    private func open(_ sealed: [UInt8], _ key: SecretKey) throws(CryptoError) -> [UInt8] {
        switch algorithm {
        case .aesGCM: try AESGCM.open(sealed, using: key, authenticating: data)
        case .xaes: try XAES256GCM.open(sealed, using: key, authenticating: data)
        }
    }

    private func seal(_ plaintext: [UInt8], _ key: SecretKey) throws(CryptoError) -> [UInt8] {
        switch algorithm {
        case .aesGCM: try AESGCM.seal(plaintext, using: key, nonce: nonce, authenticating: data)
        case .xaes: try XAES256GCM.seal(plaintext, using: key, nonce: nonce, authenticating: data)
        }
    }
}
