// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Why a call to a store failed.
///
/// ```swift
/// do {
///     try vault.write { writer in try writer.remove(account) }
/// } catch let error as StoreError {
///     switch error.kind {
///     case .locked: print("unlock it:", error.message)
///     case .corrupt: print("nothing was changed:", error.code.rawValue)
///     case .unavailable, .refused: print(error)
///     }
/// }
/// ```
///
/// An absent item is not an error: it is nil, or false. An error never carries a value, a
/// passphrase or a key. Two errors are equal when their codes are.
public typealias StoreError = CodedError<StoreErrorDomain>

/// The domain of ``StoreError``.
public enum StoreErrorDomain: ErrorDomain {
    /// Details beyond the code. Comparing errors ignores them.
    public struct Details: Equatable, Sendable {
        /// The vault for which the disk had no space.
        var fullDisk: String?
        var needsConsent = false

        /// Details are always equal: only the codes of errors are compared.
        public static func == (a: Self, b: Self) -> Bool { true }
    }
}

extension StoreError.Code {
    /// The store is locked: unlock it and ask again. The item may or may not exist.
    public static var locked: Self { Self(rawValue: "locked") }
    /// The stored data is not what was written: changed, moved, cut off or partly rolled back.
    public static var corrupt: Self { Self(rawValue: "corrupt") }
    /// The whole store is older than its anchor.
    public static var rolledBack: Self { Self(rawValue: "rolledBack") }
    /// The file is a different vault than expected.
    public static var otherVault: Self { Self(rawValue: "otherVault") }
    /// The store cannot be reached: no file, no daemon, no bus, or a full disk.
    public static var unavailable: Self { Self(rawValue: "unavailable") }
    /// Another process held the store for longer than the time allowed.
    public static var busy: Self { Self(rawValue: "busy") }
    /// The call's deadline passed. A write may or may not have happened.
    public static var timedOut: Self { Self(rawValue: "timedOut") }
    /// The call was cancelled. A write may or may not have happened.
    public static var cancelled: Self { Self(rawValue: "cancelled") }
    /// No key slot opens with this passphrase or key.
    public static var authenticationFailure: Self { Self(rawValue: "authenticationFailure") }
    /// The key file does not exist. The vault exists, and its key is elsewhere.
    public static var missingKeyFile: Self { Self(rawValue: "missingKeyFile") }
    /// The item or file already exists.
    public static var alreadyExists: Self { Self(rawValue: "alreadyExists") }
    /// Another writer changed the item since it was read.
    public static var conflict: Self { Self(rawValue: "conflict") }
    /// A part of the item's key or details is empty or too long.
    public static var invalidItem: Self { Self(rawValue: "invalidItem") }
    /// The value does not have the requested type or length.
    public static var invalidValue: Self { Self(rawValue: "invalidValue") }
    /// The value is too long for the store.
    public static var tooLarge: Self { Self(rawValue: "tooLarge") }
    /// The call would match items that it does not name.
    public static var emptyMatch: Self { Self(rawValue: "emptyMatch") }
    /// The store was opened read-only, or is on a read-only file system.
    public static var readOnly: Self { Self(rawValue: "readOnly") }
    /// The file, its owner, its mode or its folder would let other users read or replace it.
    public static var insecureFile: Self { Self(rawValue: "insecureFile") }
    /// The file is not a vault of a supported version.
    public static var notAVault: Self { Self(rawValue: "notAVault") }
    /// A parameter is outside its documented range.
    public static var invalidParameter: Self { Self(rawValue: "invalidParameter") }
    /// This machine's libraries, or this store, do not support the request.
    public static var unsupported: Self { Self(rawValue: "unsupported") }
    /// The process was forked after the store was opened: open it again in the child.
    public static var forked: Self { Self(rawValue: "forked") }
}

extension StoreError {
    /// The consequence of an error for the requested item.
    public enum Kind: Sendable, Hashable {
        /// The item may exist: unlock first.
        case locked
        /// The item cannot be trusted.
        case corrupt
        /// The store could not be reached.
        case unavailable
        /// The request itself was rejected.
        case refused
    }

    /// Whether the disk was full for this very vault: more space in its log may be all that is
    /// needed. Another vault's error may pass through a write's closure.
    func isDiskFull(of path: String) -> Bool {
        details.fullDisk?.utf8.elementsEqual(path.utf8) ?? false
    }

    /// Whether the store is open, and asks a person before it gives the item.
    package var needsConsent: Bool { details.needsConsent }

    /// Makes an error with a code and a sentence, for stores, tests and code that wraps Signet.
    ///
    /// - Parameters:
    ///   - code: the stable reason.
    ///   - underlying: the error of a lower layer that this error stands for.
    ///   - message: a sentence for people, without anything secret.
    public init(_ code: Code, underlying: (any Error)? = nil, _ message: ErrorMessage) {
        self.init(code, details: .init(), underlying: underlying, message)
    }

    /// A write to the vault at `path` for which there was no space.
    package static func diskFull(of path: String, message: ErrorMessage) -> StoreError {
        StoreError(.unavailable, details: .init(fullDisk: path), message)
    }

    /// An item that an open store keeps locked until a person consents.
    package static func consent(_ message: ErrorMessage) -> StoreError {
        StoreError(.locked, details: .init(needsConsent: true), message)
    }

    /// The consequence for the requested item. No case means that the item is absent.
    public var kind: Kind {
        switch code {
        case .locked, .authenticationFailure, .missingKeyFile: .locked
        case .corrupt, .rolledBack, .otherVault, .notAVault: .corrupt
        case .unavailable, .busy, .timedOut, .cancelled, .insecureFile, .forked: .unavailable
        default: .refused
        }
    }
}
