// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetMemory

/// A key slot's parameters, read with all limits before any derivation runs.
package enum SlotParameters: Sendable, Hashable {
    case scrypt(salt: [UInt8], logCost: UInt8)
    case argon2id(salt: [UInt8], memoryKiB: UInt32, passes: UInt32, lanes: UInt32)
    case pbkdf2(salt: [UInt8], iterations: UInt32)
    case rawKey
    case secretService
    case external(name: String, wrapped: [UInt8])

    static let saltByteCount = 32
    static let logCosts: ClosedRange<UInt8> = 10...20
    static let blockSize: UInt32 = 8
    static let parallelism: UInt32 = 1
    static let memoriesKiB: ClosedRange<UInt32> = 19_456...1_048_576
    static let passes: ClosedRange<UInt32> = 1...16
    static let lanes: ClosedRange<UInt32> = 1...4
    static let iterations: ClosedRange<UInt32> = 100_000...10_000_000
    static let externalName = 1...128
    static let wrapped = 1...4096

    /// Reads the parameters of a kind; nil if they exceed a limit, are malformed, or belong to a
    /// kind that version 1 does not have.
    package init?(_ kind: KeySlot.Kind, parsing bytes: [UInt8]) {
        let span = bytes.span
        var cursor = ByteCursor(span)
        guard let read = Self.read(kind, at: &cursor, in: span), cursor.isAtEnd else { return nil }
        self = read
    }

    /// Whether the kind needs a passphrase derivation, which costs time and memory.
    package var isForPassphrase: Bool {
        switch self {
        case .scrypt, .argon2id, .pbkdf2: true
        case .rawKey, .secretService, .external: false
        }
    }

    /// These parameters with another salt, if the kind has a salt.
    func salted(_ salt: [UInt8]) -> SlotParameters {
        switch self {
        case .scrypt(_, let logCost): .scrypt(salt: salt, logCost: logCost)
        case .argon2id(_, let memoryKiB, let passes, let lanes):
            .argon2id(salt: salt, memoryKiB: memoryKiB, passes: passes, lanes: lanes)
        case .pbkdf2(_, let iterations): .pbkdf2(salt: salt, iterations: iterations)
        case .rawKey, .secretService, .external: self
        }
    }

    package var kind: KeySlot.Kind {
        switch self {
        case .scrypt: .scrypt
        case .argon2id: .argon2id
        case .pbkdf2: .pbkdf2
        case .rawKey: .rawKey
        case .secretService: .secretService
        case .external: .external
        }
    }

    /// The form in the file. Values beyond a limit are found when they are read again.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        switch self {
        case .scrypt(let salt, let logCost):
            bytes = salt + [logCost]
            bytes.appendBigEndian(Self.blockSize)
            bytes.appendBigEndian(Self.parallelism)
        case .argon2id(let salt, let memoryKiB, let passes, let lanes):
            bytes = salt
            for number in [memoryKiB, passes, lanes] { bytes.appendBigEndian(number) }
        case .pbkdf2(let salt, let iterations):
            bytes = salt
            bytes.appendBigEndian(iterations)
        case .rawKey, .secretService:
            break
        case .external(let name, let wrapped):
            bytes.appendPrefixed(name.utf8)
            bytes.appendPrefixed(wrapped)
        }
        return bytes
    }

    private static func read(
        _ kind: KeySlot.Kind, at cursor: inout ByteCursor, in span: Span<UInt8>
    )
        -> SlotParameters?
    {
        switch kind {
        case .scrypt:
            // offset  size  field (VAULT-FORMAT.md, "slot", type 1)
            //      0    32  salt
            //     32     1  logN, 10 to 20
            //     33     4  r, 8
            //     37     4  p, 1
            guard let salt = cursor.octets(saltByteCount, in: span),
                let logCost = cursor.integer(UInt8.self, in: span), logCosts.contains(logCost),
                cursor.integer(UInt32.self, in: span) == blockSize,
                cursor.integer(UInt32.self, in: span) == parallelism
            else { return nil }
            return .scrypt(salt: salt, logCost: logCost)
        case .argon2id:
            // offset  size  field (type 2)
            //      0    32  salt
            //     32     4  memory in KiB, 19,456 to 1,048,576
            //     36     4  passes, 1 to 16
            //     40     4  lanes, 1 to 4
            guard let salt = cursor.octets(saltByteCount, in: span),
                let memory = cursor.integer(UInt32.self, in: span), memoriesKiB.contains(memory),
                let passes = cursor.integer(UInt32.self, in: span), Self.passes.contains(passes),
                let lanes = cursor.integer(UInt32.self, in: span), Self.lanes.contains(lanes)
            else { return nil }
            return .argon2id(salt: salt, memoryKiB: memory, passes: passes, lanes: lanes)
        case .pbkdf2:
            // offset  size  field (type 3)
            //      0    32  salt
            //     32     4  iterations, 100,000 to 10,000,000
            guard let salt = cursor.octets(saltByteCount, in: span),
                let iterations = cursor.integer(UInt32.self, in: span),
                Self.iterations.contains(iterations)
            else { return nil }
            return .pbkdf2(salt: salt, iterations: iterations)
        case .rawKey:
            return .rawKey
        case .secretService:
            return .secretService
        case .external:
            // field (type 7; lp is a length of 4 bytes and as many bytes)
            // lp(name), 1 to 128 bytes of UTF-8
            // lp(wrapped), 1 to 4,096 bytes
            guard let name = cursor.prefixed(externalName, in: span),
                let text = UTF8Text.string(span.extracting(name)),
                let wrapped = cursor.prefixed(Self.wrapped, in: span)
            else { return nil }
            return .external(name: text, wrapped: span.extracting(wrapped).copied())
        default:
            return nil
        }
    }
}
