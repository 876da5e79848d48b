// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto

/// The key and the nonce that XAES-256-GCM derives: AES-256-GCM under the published ones must open what XAES sealed.
struct XAESScheduleCheck: Sendable {
    let key: [UInt8]
    let nonce: [UInt8]
    let derivedKey: [UInt8]
    let derivedNonce: [UInt8]

    func observation() -> AuditObservation {
        .observing { () throws(CryptoError) in
            let probe = Array("a message that no vector has".utf8)
            let sealed = try XAES256GCM.seal(probe, using: SecretKey(copying: key), nonce: nonce)
            let inner = derivedNonce + sealed.dropFirst(nonce.count)
            let opened = try AESGCM.open(inner, using: SecretKey(copying: derivedKey))
            return opened == probe
                ? .accepted : .differed("the derived key opened to something else")
        }
    }
}
