// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetMemory
import SignetVault
import TestSupport
import Testing

@Suite("Vault format: key slots")
struct SlotRecordTests {
    private static let id = [UInt8](repeating: 0x11, count: 16)
    private static let salt = [UInt8](repeating: 5, count: 32)

    private func make(
        _ kind: KeySlot.Kind, _ parameters: [UInt8], key: SecretKey = FormatSample.key(6),
        id: [UInt8] = id
    ) throws -> SlotRecord {
        try SlotRecord.make(
            NewKeySlot(kind: kind, parameters: parameters, keyEncryptionKey: key), id: id,
            root: FormatSample.root())
    }

    static let everyKind: [SlotParameters] = [
        .scrypt(salt: salt, logCost: 10), .scrypt(salt: salt, logCost: 20),
        .argon2id(salt: salt, memoryKiB: 19_456, passes: 1, lanes: 1),
        .argon2id(salt: salt, memoryKiB: 1_048_576, passes: 16, lanes: 4),
        .pbkdf2(salt: salt, iterations: 100_000), .pbkdf2(salt: salt, iterations: 10_000_000),
        .rawKey,
        .secretService, .external(name: "k", wrapped: [1]),
        .external(
            name: String(repeating: "é", count: 64), wrapped: [UInt8](repeating: 1, count: 4096)),
    ]

    @Test("Every kind works at both ends of its limits", arguments: everyKind)
    func kinds(parameters: SlotParameters) throws {
        let slot = try make(parameters.kind, parameters.bytes)
        #expect(VaultFormat.slotByteCounts.contains(slot.bytes.count))
        let read = try SlotRecord(parsing: slot.bytes, rowID: Self.id)
        #expect(read == slot && read.kind == parameters.kind && read.parameters == parameters.bytes)
        #expect(SlotParameters(read.kind, parsing: read.parameters) == parameters)
        #expect(read.passphraseAlgorithm == parameters.passphraseDerivation?.algorithm)
        let root = try read.openRoot(with: FormatSample.key(6), vaultID: FormatSample.vaultID)
        #expect(root == FormatSample.key(9))
        #expect(try read.openRoot(with: FormatSample.key(7), vaultID: FormatSample.vaultID) == nil)
        #expect(try read.openRoot(with: FormatSample.key(6), vaultID: [UInt8](1...16)) == nil)
    }

    @Test(
        "Any changed bit of a slot gives no root key: nil up to the commitment, damage after it"
    )
    func damaged() throws {
        let slot = try make(.scrypt, SlotParameters.scrypt(salt: Self.salt, logCost: 14).bytes)
        let commitmentEnd = slot.bytes.count - 72
        for (name, bytes) in FormatSample.damaged(slot.bytes) {
            var root: SecretKey?
            let code = FormatSample.code {
                let read = try SlotRecord(parsing: bytes, rowID: nil)
                root = try read.openRoot(with: FormatSample.key(6), vaultID: FormatSample.vaultID)
            }
            #expect(root == nil, "\(name)")
            #expect(code == nil || code == .corrupt, "\(name)")
        }
        for bit in (commitmentEnd * 8)..<(slot.bytes.count * 8) {
            var other = slot.bytes
            other[bit / 8] ^= 0x80 >> (bit % 8)
            #expect(
                FormatSample.code {
                    _ = try SlotRecord(parsing: other, rowID: Self.id)
                        .openRoot(with: FormatSample.key(6), vaultID: FormatSample.vaultID)
                } == .corrupt, "bit \(bit)")
        }
    }

    private static func number(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    static let outside: [(String, KeySlot.Kind, [UInt8])] = [
        ("scrypt, N = 2^9", .scrypt, salt + [9] + number(8) + number(1)),
        ("scrypt, N = 2^21", .scrypt, salt + [21] + number(8) + number(1)),
        ("scrypt, N = 2^255", .scrypt, salt + [255] + number(8) + number(1)),
        ("scrypt, r = 9", .scrypt, salt + [17] + number(9) + number(1)),
        ("scrypt, p = 2", .scrypt, salt + [17] + number(8) + number(2)),
        ("scrypt, short", .scrypt, salt + [17] + number(8) + [0, 0, 0]),
        ("scrypt, long", .scrypt, salt + [17] + number(8) + number(1) + [0]),
        ("scrypt, none", .scrypt, []),
        ("Argon2id, little memory", .argon2id, salt + number(19_455) + number(1) + number(1)),
        ("Argon2id, much memory", .argon2id, salt + number(1_048_577) + number(1) + number(1)),
        ("Argon2id, most memory", .argon2id, salt + number(.max) + number(1) + number(1)),
        ("Argon2id, no pass", .argon2id, salt + number(19_456) + number(0) + number(1)),
        ("Argon2id, 17 passes", .argon2id, salt + number(19_456) + number(17) + number(1)),
        ("Argon2id, no lane", .argon2id, salt + number(19_456) + number(1) + number(0)),
        ("Argon2id, 5 lanes", .argon2id, salt + number(19_456) + number(1) + number(5)),
        ("PBKDF2, few", .pbkdf2, salt + number(99_999)),
        ("PBKDF2, many", .pbkdf2, salt + number(10_000_001)),
        ("PBKDF2, long", .pbkdf2, salt + number(100_000) + [0]),
        ("raw, something", .rawKey, [0]),
        ("TPM", KeySlot.Kind(rawValue: 5), []),
        ("Secret Service, something", .secretService, [0]),
        ("external, no name", .external, number(0) + number(1) + [1]),
        (
            "external, a name of 129", .external,
            number(129) + [UInt8](repeating: 65, count: 129) + number(1) + [1]
        ),
        ("external, a name that is no text", .external, number(1) + [0xff] + number(1) + [1]),
        ("external, nothing wrapped", .external, number(1) + [65] + number(0)),
        (
            "external, 4097 wrapped", .external,
            number(1) + [65] + number(4097) + [UInt8](repeating: 1, count: 4097)
        ),
        ("external, longer than it says", .external, number(1) + [65] + number(1) + [1, 2]),
        ("external, shorter than it says", .external, number(1) + [65] + number(.max) + [1]),
        ("kind 0", KeySlot.Kind(rawValue: 0), []), ("kind 8", KeySlot.Kind(rawValue: 8), []),
        ("kind 255", KeySlot.Kind(rawValue: 255), []),
    ]

    @Test(
        "Parameters beyond the limits are neither written nor read",
        arguments: outside)
    func limits(name: String, kind: KeySlot.Kind, parameters: [UInt8]) throws {
        #expect(FormatSample.code { _ = try make(kind, parameters) } == .invalidParameter)
        let length = [UInt8(parameters.count >> 8), UInt8(parameters.count & 255)]
        let record =
            [kind.rawValue, 1] + length + Self.id + parameters + [UInt8](repeating: 0, count: 104)
        #expect(FormatSample.code { _ = try SlotRecord(parsing: record, rowID: nil) } == .corrupt)
    }

    @Test("A record of a wrong length says how many bytes it has and should have")
    func lengths() throws {
        let slot = try make(.rawKey, []).bytes
        let cases: [(bytes: [UInt8], problem: String)] = [
            (Array(slot.dropLast()), "it has 123 bytes instead of 124 to 4356"),
            (slot + [0], "it has 125 bytes instead of 124"),
        ]
        for (bytes, problem) in cases {
            let error = #expect(throws: StoreError.self) {
                _ = try SlotRecord(parsing: bytes, rowID: nil)
            }
            #expect(error?.message == "The vault's key slot is damaged: \(problem).")
        }
    }

    @Test("The version is 1 and the name is the row's")
    func names() throws {
        let slot = try make(.rawKey, [])
        var other = slot.bytes
        other[1] = 2
        #expect(
            FormatSample.code { _ = try SlotRecord(parsing: other, rowID: Self.id) } == .corrupt)
        let otherID = [UInt8](repeating: 0x12, count: 16)
        #expect(
            FormatSample.code { _ = try SlotRecord(parsing: slot.bytes, rowID: otherID) }
                == .corrupt)
        for count in [0, 15, 17] {
            let id = [UInt8](repeating: 1, count: count)
            #expect(FormatSample.code { _ = try make(.rawKey, [], id: id) } == .invalidParameter)
        }
    }

    @Test(
        "A slot's key has 32 bytes, and another length is not told",
        arguments: [0, 1, 16, 31, 33, 64])
    func keys(count: Int) throws {
        let key = FormatSample.key(6, count)
        let error = #expect(throws: StoreError.self) { _ = try make(.rawKey, [], key: key) }
        #expect(error?.code == .invalidValue)
        #expect(error?.message == "The key of a key slot has 32 bytes.")
        let slot = try make(.rawKey, [])
        #expect(
            FormatSample.code { _ = try slot.openRoot(with: key, vaultID: FormatSample.vaultID) }
                == .invalidValue)
    }

    @Test("A vault has 1 to 32 slots, at most 8 of them with a derivation")
    func counts() throws {
        let raw = try make(.rawKey, [])
        let passphrase = try make(
            .pbkdf2, SlotParameters.pbkdf2(salt: Self.salt, iterations: 100_000).bytes)
        func code(_ rawCount: Int, _ passphraseCount: Int) -> StoreError.Code? {
            FormatSample.code {
                try SlotRecord.checkCounts(
                    [SlotRecord](repeating: raw, count: rawCount)
                        + [SlotRecord](repeating: passphrase, count: passphraseCount))
            }
        }
        #expect(code(0, 0) == .corrupt)
        #expect(code(1, 0) == nil && code(0, 1) == nil && code(32, 0) == nil && code(24, 8) == nil)
        #expect(
            code(33, 0) == .corrupt && code(25, 8) == .corrupt && code(0, 9) == .corrupt
                && code(1, 9) == .corrupt)
    }
}
