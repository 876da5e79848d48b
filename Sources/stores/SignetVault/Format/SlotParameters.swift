// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetCrypto
internal import SignetMemory

/// The parameters of a key slot: how its unlock method gets the key that opens it. They are read
/// with all limits before any derivation runs, because a hostile file could ask for hours of work.
///
///     type  kind           fields, each with its size (VAULT-FORMAT.md, "slot"; big-endian)
///        1  scrypt         salt (32), log2 N (1), r (4), p (4)
///        2  argon2id       salt (32), memory in KiB (4), passes (4), lanes (4)
///        3  pbkdf2         salt (32), iterations (4)
///        4  rawKey         none
///        6  secretService  none
///        7  external       lp(name in UTF-8), lp(wrapped key)
///
/// lp is a length of 4 bytes and as many bytes. For example, `.scrypt(salt: salt, logCost: 17)` has
/// N = 2^17.
package enum SlotParameters: Sendable, Hashable {
    case scrypt(salt: [UInt8], logCost: UInt8)
    case argon2id(salt: [UInt8], memoryKiB: UInt32, passes: UInt32, lanes: UInt32)
    case pbkdf2(salt: [UInt8], iterations: UInt32)
    case rawKey
    case secretService
    case external(name: String, wrapped: [UInt8])

    static let saltByteCount = 32
    /// log2 of scrypt's N.
    static let logCosts: ClosedRange<UInt8> = 10...20
    /// scrypt's r and p, which are fixed.
    static let blockSize: UInt32 = 8
    static let parallelism: UInt32 = 1
    // The limits of the numbers, and of the lengths of name and wrapped key.
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

    /// The parameters of a new passphrase slot; nil if the cost exceeds a limit.
    init?(_ algorithm: PasswordAlgorithm, salt: [UInt8]) {
        // A number that does not fit its integer is clamped, which exceeds its limit.
        let made: SlotParameters
        switch algorithm {
        case .scrypt(let logCost, let blockSize, let parallelism):
            guard blockSize == Self.blockSize, parallelism == Self.parallelism else { return nil }
            made = .scrypt(salt: salt, logCost: UInt8(clamping: logCost))
        case .argon2id(let memoryKiB, let passes, let lanes):
            made = .argon2id(
                salt: salt, memoryKiB: UInt32(clamping: memoryKiB),
                passes: UInt32(clamping: passes), lanes: UInt32(clamping: lanes))
        case .pbkdf2(let iterations):
            made = .pbkdf2(salt: salt, iterations: UInt32(clamping: iterations))
        }
        // What can be read back is within the limits.
        guard SlotParameters(made.kind, parsing: made.bytes) != nil else { return nil }
        self = made
    }

    /// The derivation of a passphrase slot, which costs time and memory; nil for another kind.
    package var passphraseDerivation: (salt: [UInt8], algorithm: PasswordAlgorithm)? {
        switch self {
        case .scrypt(let salt, let logCost): (salt, .scrypt(logCost: Int(logCost)))
        case .argon2id(let salt, let memoryKiB, let passes, let lanes):
            (salt, .argon2id(memoryKiB: Int(memoryKiB), passes: Int(passes), lanes: Int(lanes)))
        case .pbkdf2(let salt, let iterations): (salt, .pbkdf2(iterations: Int(iterations)))
        case .rawKey, .secretService, .external: nil
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
    ) -> SlotParameters? {
        switch kind {
        case .scrypt:
            guard let salt = cursor.octets(saltByteCount, in: span),
                let logCost = cursor.integer(UInt8.self, in: span), logCosts.contains(logCost),
                cursor.integer(UInt32.self, in: span) == blockSize,
                cursor.integer(UInt32.self, in: span) == parallelism
            else { return nil }
            return .scrypt(salt: salt, logCost: logCost)
        case .argon2id:
            guard let salt = cursor.octets(saltByteCount, in: span),
                let memory = cursor.integer(UInt32.self, in: span), memoriesKiB.contains(memory),
                let passes = cursor.integer(UInt32.self, in: span), Self.passes.contains(passes),
                let lanes = cursor.integer(UInt32.self, in: span), Self.lanes.contains(lanes)
            else { return nil }
            return .argon2id(salt: salt, memoryKiB: memory, passes: passes, lanes: lanes)
        case .pbkdf2:
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
            guard let name = cursor.prefixed(externalName, in: span),
                let text = UTF8Text.string(span.extracting(name)),
                let wrapped = cursor.prefixed(Self.wrapped, in: span)
            else { return nil }
            return .external(name: text, wrapped: span.extracting(wrapped).copied())
        default:
            // A type that version 1 does not have, or has only reserved.
            return nil
        }
    }
}
