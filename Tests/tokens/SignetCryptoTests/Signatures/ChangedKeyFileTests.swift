// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import OpenSSLBridge
import SignetCrypto
import SignetMemory
import TestSupport
import Testing

@Suite("Private keys from changed files")
struct ChangedKeyFileTests {
    /// The private key that a file's handle makes, in DER, after it has signed and its public half
    /// has verified.
    private func accepted(_ handle: KeyHandle) throws -> SecretStorage {
        let message: [UInt8] = [1, 2, 3]
        let made: KeyHandle
        let isValid: Bool
        switch handle.kind {
        case .rsa:
            let key = try RSAPrivateKey(handle: handle)
            let signature = try key.signature(for: message, scheme: .pss, hash: .sha256)
            isValid = try key.publicKey.isValidSignature(
                signature, for: message, scheme: .pss, hash: .sha256)
            made = key.handle
        case .ec(let curve):
            let key = try ECPrivateKey(handle: handle, curve: EllipticCurve(curve))
            let signature = try key.signature(for: message, hash: .sha256)
            isValid = try key.publicKey.isValidSignature(signature, for: message, hash: .sha256)
            made = key.handle
        case .ed25519:
            let key = try Ed25519PrivateKey(handle: handle)
            isValid = try key.publicKey.isValidSignature(key.signature(for: message), for: message)
            made = key.handle
        case nil:
            throw CryptographyError(.invalidKey, "kind")
        }
        #expect(isValid)
        return try made.encodedPrivateKey()
    }

    /// The key that `der` holds, or nil where it is refused with one of the two codes for that.
    private func accepted(_ der: [UInt8], _ what: @autoclosure () -> String) -> SecretStorage? {
        guard let handle = try? KeyHandle.decode(der.span, as: KeyHandle.PrivateStructure.pkcs8)
        else {
            #expect(ErrorQueue.isEmpty, "\(what())")
            return nil
        }
        var result: SecretStorage?
        let refusal = error { result = try accepted(handle) }
        if let refusal {
            #expect([.invalidKey, .invalidKeySize].contains(refusal.code), "\(what()): \(refusal)")
        }
        return result
    }

    @Test(
        "A file with one changed byte is refused, or gives the same key",
        .tags(.fuzzing, .sampled))
    func everyByte() throws {
        let keys: [(String, KeyHandle)] =
            [
                ("RSA", try CryptoKeys.rsa().handle),
                ("Ed25519", try Ed25519PrivateKey.generate().handle),
            ]
            + (try EllipticCurve.allCases.map {
                ($0.rawValue, try ECPrivateKey.generate(curve: $0).handle)
            })
        for (name, handle) in keys {
            let storage = try handle.encodedPrivateKey()
            let der = storage.withBytes { $0.copied() }
            #expect(accepted(der, name)?.isEqual(to: storage) == true)
            var others = 0
            for index in der.indices {
                for mask: UInt8 in Effort.isFull ? [0x01, 0x80, 0xff] : [0x01] {
                    var changed = der
                    changed[index] ^= mask
                    guard let key = accepted(changed, "\(name), byte \(index)") else { continue }
                    if !key.isEqual(to: storage) { others += 1 }
                }
            }
            // Every Ed25519 seed is a key. For the others no number can be changed: libcrypto
            // ignores a wrong version or an unused parameter, and the rest gives the same key.
            #expect(others == (name == "Ed25519" ? 32 * (Effort.isFull ? 3 : 1) : 0), "\(name)")
        }
    }
}
