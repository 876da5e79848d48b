// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import OpenSSLBridge
import TestSupport
import Testing

@Suite("Signatures written where they are wanted")
struct AppendedSignatureTests {
    @Test("behind what is there, and as long as announced; nothing where there is no room")
    func appended() throws {
        let message: [UInt8] = [1, 2, 3]
        for (name, key) in try BridgeKeys.all() {
            let scheme: SignatureScheme
            switch key.kind {
            case .rsa: scheme = .rsaPSS(.sha256)
            case .ec(let curve): scheme = .ecdsa(curve, .sha256)
            case .ed25519: scheme = .ed25519
            case nil: continue
            }
            let creation = try SignatureCreation(key: key, scheme: scheme)
            let verification = try SignatureVerification(key: key, scheme: scheme)
            let count = creation.signatureByteCount
            let bytes = try [UInt8](capacity: count + 7) { (output) throws(OpenSSLFailure) in
                output.append(repeating: 0x55, count: 3)
                try creation.appendSignature(for: message.span, to: &output)
            }
            #expect(bytes.count == count + 3 && bytes.prefix(3) == [0x55, 0x55, 0x55], "\(name)")
            let accepted = try verification.isValid(
                Array(bytes.dropFirst(3)).span, for: message.span)
            #expect(accepted, "\(name)")

            for room in [0, 1, count - 1] {
                var left = -1
                let kept = [UInt8](capacity: room) { output in
                    #expect(
                        failure { try creation.appendSignature(for: message.span, to: &output) }
                            == .invalidLength)
                    left = output.freeCapacity
                }
                #expect(kept.isEmpty && left >= room, "\(name), \(room)")
            }
        }
    }
}
