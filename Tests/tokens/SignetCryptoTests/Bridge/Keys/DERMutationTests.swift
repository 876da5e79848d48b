// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import OpenSSLBridge
import TestSupport
import Testing

@Suite("Changed keys in DER", .tags(.fuzzing, .sampled))
struct DERMutationTests {
    /// A key that is still read after a change must be usable without a crash, whatever key it is.
    private func exercise(_ key: KeyHandle) {
        guard let kind = key.kind else { return }
        let scheme: SignatureScheme
        switch kind {
        case .rsa: scheme = .rsaPKCS1(.sha256)
        case .ec(let curve): scheme = .ecdsa(curve, .sha256)
        case .ed25519: scheme = .ed25519
        }
        _ = failure { _ = try verify(key, scheme, [UInt8](repeating: 1, count: 64), [1]) }
        _ = failure { _ = try key.encodedPublicKey() }
        _ = failure { _ = try key.rsaPublicNumbers() }
        _ = failure { _ = try key.ecCoordinates() }
        _ = failure { _ = try key.ed25519PublicKey() }
        // A changed RSA private key with an even modulus may sign very slowly; the others do not.
        if kind != .rsa { _ = failure { _ = try sign(key, scheme, [1]) } }
    }

    private func changed(_ der: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        var result = der
        for _ in 0..<Int.random(in: 1...4, using: &random) where !result.isEmpty {
            let index = Int.random(in: 0..<result.count, using: &random)
            switch Int.random(in: 0..<6, using: &random) {
            case 0: result[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 1: result[index] = UInt8.random(in: 0...255, using: &random)
            case 2: result.remove(at: index)
            case 3: result.insert(UInt8.random(in: 0...255, using: &random), at: index)
            case 4: result.removeLast(Int.random(in: 0..<result.count, using: &random))
            // Lengths and tags are at the beginning.
            default:
                result[index % min(40, result.count)] = UInt8.random(in: 0...255, using: &random)
            }
        }
        return result
    }

    @Test("Thousands of random changes (seed 20 260) never crash and leave no error behind")
    func mutations() throws {
        var random = SeededGenerator(seed: 20_260)
        for (_, key) in try BridgeKeys.all() {
            let spki = try key.encodedPublicKey()
            let pkcs8 = exposed(try key.encodedPrivateKey())
            for _ in 0..<Effort.rounds(1000) {
                let changedPublic = changed(spki, &random)
                _ = failure { exercise(try publicKey(changedPublic)) }
                let changedPrivate = changed(pkcs8, &random)
                _ = failure { exercise(try privateKey(changedPrivate)) }
            }
        }
    }

    @Test("Random bytes never crash any decoder")
    func noise() {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<Effort.rounds(2000) {
            var der = random.bytes(Int.random(in: 1...300, using: &random))
            der[0] = 0x30
            for structure in [KeyHandle.PublicStructure.subjectPublicKeyInfo, .pkcs1] {
                #expect(failure { _ = try publicKey(der, as: structure) } != nil)
            }
            for structure in [KeyHandle.PrivateStructure.pkcs8, .pkcs1, .sec1] {
                #expect(failure { _ = try privateKey(der, as: structure) } != nil)
            }
        }
    }
}
