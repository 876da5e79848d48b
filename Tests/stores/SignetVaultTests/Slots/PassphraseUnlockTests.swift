// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetMemory
import SignetVault
import TestSupport
import Testing

@Suite("Unlock with a passphrase")
struct PassphraseUnlockTests {
    /// A FIPS provider has no scrypt (make test-debian13).
    private static let cheap =
        PasswordAlgorithm.scrypt().isAvailable
        ? PasswordAlgorithm.scrypt(logCost: 10) : .pbkdf2(iterations: 100_000)

    @Test("Text, bytes and secret bytes are the same passphrase")
    func forms() throws {
        let text = "pässword"
        let slot = try UnlockSample.newSlot(PassphraseUnlock(text, derivation: Self.cheap))
        let asked = UnlockSample.slot(slot.kind, slot.parameters)
        let expected = FormatSample.exposed(slot.keyEncryptionKey)
        #expect(try UnlockSample.key(PassphraseUnlock(text), asked) == expected)
        #expect(try UnlockSample.key(PassphraseUnlock(bytes: Array(text.utf8)), asked) == expected)
        #expect(
            try UnlockSample.key(PassphraseUnlock(SecretBytes(copying: text.utf8)), asked)
                == expected)
        #expect(try UnlockSample.key(PassphraseUnlock("password"), asked) != expected)
        // No normalisation: the same text in other bytes is another passphrase.
        let decomposed = "pa\u{308}ssword"
        #expect(decomposed == text)
        #expect(try UnlockSample.key(PassphraseUnlock(decomposed), asked) != expected)
    }

    @Test("Slots of every derivation open again", arguments: [cheap, .pbkdf2(iterations: 100_000)])
    func derivations(derivation: PasswordAlgorithm) throws {
        #expect(try UnlockSample.opensItsOwnSlot(PassphraseUnlock("x", derivation: derivation)))
    }

    @Test(
        "Argon2id slots open again, at the format's lowest cost",
        .enabled(if: KeyDerivation.isArgon2idAvailable, "Argon2id needs OpenSSL 3.2 or newer"))
    func argon2id() throws {
        let derivation = PasswordAlgorithm.argon2id(memoryKiB: 19_456, passes: 1, lanes: 1)
        #expect(try UnlockSample.opensItsOwnSlot(PassphraseUnlock("x", derivation: derivation)))
    }

    @Test(
        "Without Argon2id in libcrypto its slots are unsupported, not damaged",
        .enabled(if: !KeyDerivation.isArgon2idAvailable, "OpenSSL 3.2 or newer is loaded"))
    func noArgon2id() throws {
        #expect(
            FormatSample.code {
                _ = try UnlockSample.newSlot(PassphraseUnlock("x", derivation: .argon2id()))
            }
                == .unsupported)
        let parameters = SlotParameters.argon2id(
            salt: [UInt8](repeating: 1, count: 32), memoryKiB: 19_456, passes: 1, lanes: 1)
        let slot = UnlockSample.slot(.argon2id, parameters.bytes)
        #expect(
            FormatSample.code { _ = try PassphraseUnlock("x").keyEncryptionKey(for: slot) }
                == .unsupported)
    }

    @Test(
        "A new slot takes scrypt, and PBKDF2 only where libcrypto has no scrypt",
        arguments: [(true, .scrypt(logCost: 17)), (false, .pbkdf2(iterations: 600_000))]
            as [(Bool, PasswordAlgorithm)])
    func chosen(hasScrypt: Bool, algorithm: PasswordAlgorithm) throws {
        #expect(PasswordAlgorithm.forFiles(hasScrypt: hasScrypt) == algorithm)
        let slot = try UnlockSample.newSlot(PassphraseUnlock("x"))
        let parameters = try #require(SlotParameters(slot.kind, parsing: slot.parameters))
        #expect(parameters.passphraseDerivation?.algorithm == .forFiles)
    }

    @Test("Two slots for one passphrase have different salts and keys")
    func salts() throws {
        let method = PassphraseUnlock("x", derivation: Self.cheap)
        let slots = try (0..<3).map { _ in try UnlockSample.newSlot(method) }
        #expect(Set(slots.map(\.parameters)).count == 3)
        #expect(Set(slots.map { FormatSample.exposed($0.keyEncryptionKey) }).count == 3)
    }

    @Test(
        "A cost outside the format's limits is refused before anything is derived",
        arguments: [
            .scrypt(logCost: 9), .scrypt(blockSize: 9), .scrypt(parallelism: 2),
            .scrypt(logCost: 21), .scrypt(logCost: -1), .scrypt(logCost: .max),
            .argon2id(memoryKiB: 19_455), .argon2id(memoryKiB: 1_048_577),
            .argon2id(memoryKiB: .max),
            .argon2id(passes: 0), .argon2id(passes: 17), .argon2id(lanes: 0), .argon2id(lanes: 5),
            .argon2id(lanes: .min), .pbkdf2(iterations: 99_999), .pbkdf2(iterations: 10_000_001),
            .pbkdf2(iterations: -1), .pbkdf2(iterations: .max),
        ] as [PasswordAlgorithm])
    func limits(derivation: PasswordAlgorithm) {
        #expect(
            FormatSample.code {
                _ = try UnlockSample.newSlot(PassphraseUnlock("x", derivation: derivation))
            }
                == .invalidParameter)
    }

    @Test(
        "A slot with costs beyond the limits is damage, found before anything is derived",
        arguments: SlotRecordTests.outside)
    func hostileSlot(name: String, kind: KeySlot.Kind, parameters: [UInt8]) throws {
        let slot = UnlockSample.slot(kind, parameters)
        let isForPassphrase = [.scrypt, .argon2id, .pbkdf2].contains(kind)
        var key: SecretKey?
        let code = FormatSample.code { key = try PassphraseUnlock("x").keyEncryptionKey(for: slot) }
        #expect(code == (isForPassphrase ? .corrupt : nil))
        #expect(key == nil)
    }

    @Test(
        "A passphrase has 1 to 1,024 bytes",
        arguments: [(0, false), (1, true), (1024, true), (1025, false), (100_000, false)])
    func lengths(count: Int, isAllowed: Bool) {
        let method = PassphraseUnlock(
            bytes: [UInt8](repeating: 0, count: count), derivation: Self.cheap)
        #expect(
            FormatSample.code { _ = try UnlockSample.newSlot(method) }
                == (isAllowed ? nil : .invalidValue))
        let parameters = SlotParameters.pbkdf2(
            salt: [UInt8](repeating: 1, count: 32), iterations: 100_000)
        let slot = UnlockSample.slot(.pbkdf2, parameters.bytes)
        #expect(
            FormatSample.code { _ = try method.keyEncryptionKey(for: slot) }
                == (isAllowed ? nil : .invalidValue))
    }

    @Test("Other kinds of slots are ignored", arguments: UnlockSample.otherKinds)
    func otherKinds(kind: KeySlot.Kind) throws {
        guard ![.scrypt, .argon2id, .pbkdf2].contains(kind) else { return }
        #expect(try UnlockSample.key(PassphraseUnlock("x"), UnlockSample.slot(kind)) == nil)
    }

    @Test("Printing shows nothing")
    func redaction() throws {
        let method = PassphraseUnlock("s3cr3t-p4ssphr4se", derivation: Self.cheap)
        let slot = try UnlockSample.newSlot(method)
        for text in [UnlockSample.printed(method), UnlockSample.printed(slot)] {
            #expect(!text.contains("s3cr3t") && !text.contains("115, 51"))
            #expect(!text.contains(hex(FormatSample.exposed(slot.keyEncryptionKey).prefix(4))))
        }
    }
}
