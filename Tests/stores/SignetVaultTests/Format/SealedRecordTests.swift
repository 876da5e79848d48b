// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetMemory
import SignetVault
import TestSupport
import Testing

@Suite("Vault format: sealed records")
struct SealedRecordTests {
    @Test("No bit and no length of a value may change")
    func damaged() throws {
        let key = try FormatSample.vaultKey()
        let sealed = try FormatSample.sealPadded(Array("hunter2".utf8), with: key)
        for (name, other) in FormatSample.damaged(sealed) {
            #expect(
                FormatSample.code { _ = try FormatSample.openPadded(other, with: key) } == .corrupt,
                "\(name)"
            )
        }
    }

    @Test("A record opens only in its own place", arguments: RecordKind.allCases)
    func places(kind: RecordKind) throws {
        let key = try FormatSample.vaultKey()
        let sealed = try FormatSample.seal([1, 2, 3], kind, with: key)
        #expect(try FormatSample.open(sealed, kind, with: key) == [1, 2, 3])
        for other in RecordKind.allCases where other != kind {
            #expect(
                FormatSample.code { _ = try FormatSample.open(sealed, other, with: key) }
                    == .corrupt)
        }
        for generation: UInt64 in [0, 6, 8, .max] {
            #expect(
                FormatSample.code {
                    _ = try FormatSample.open(sealed, kind, generation: generation, with: key)
                }
                    == .corrupt)
        }
        for subject in [
            [], [UInt8](repeating: 0, count: 32), Array(FormatSample.itemID.dropFirst()),
        ] {
            #expect(
                FormatSample.code {
                    _ = try FormatSample.open(sealed, kind, subject: subject, with: key)
                }
                    == .corrupt)
        }
        let otherVault = try FormatSample.vaultKey(vaultID: [UInt8](1...16))
        #expect(
            FormatSample.code { _ = try FormatSample.open(sealed, kind, with: otherVault) }
                == .corrupt)
        let otherKey = try FormatSample.vaultKey(3)
        #expect(
            FormatSample.code { _ = try FormatSample.open(sealed, kind, with: otherKey) }
                == .corrupt)
    }

    @Test("A slot's key has a name of zeros, and differs from the key with a real name")
    func anonymous() throws {
        let anonymous = try VaultKey(
            FormatSample.key(2), vaultID: FormatSample.vaultID, isAnonymous: true)
        #expect(anonymous.id == [UInt8](repeating: 0, count: 16))
        let sealed = try FormatSample.seal([1], .slot, with: anonymous)
        let named = try FormatSample.vaultKey()
        #expect(
            FormatSample.code { _ = try FormatSample.open(sealed, .slot, with: named) } == .corrupt)
        #expect(try FormatSample.open(sealed, .slot, with: anonymous) == [1])
    }

    @Test("A key has 32 bytes, a vault's name 16", arguments: [0, 15, 16, 17, 31, 33, 64])
    func lengths(count: Int) {
        let other = FormatSample.key(2, count)
        #expect(
            FormatSample.code { _ = try VaultKey(other, vaultID: FormatSample.vaultID) }
                == .invalidParameter)
        guard count != 16 else { return }
        let vaultID = [UInt8](repeating: 0, count: count)
        #expect(
            FormatSample.code { _ = try FormatSample.vaultKey(vaultID: vaultID) }
                == .invalidParameter)
    }

    @Test("A subject over 32 bytes is refused, not cut off")
    func longSubject() throws {
        let key = try FormatSample.vaultKey()
        let long = [UInt8](repeating: 1, count: 33)
        #expect(
            FormatSample.code { _ = try FormatSample.seal([1], .meta, subject: long, with: key) }
                == .invalidParameter)
    }

    @Test("Nonces are random")
    func nonces() throws {
        let key = try FormatSample.vaultKey()
        let nonces = try (0..<200).map { _ in try FormatSample.seal([], .meta, with: key).prefix(24)
        }
        #expect(Set(nonces).count == 200)
    }
}
