// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Why a store did not do what it was asked.
///
/// An absent item is no error: it is nil, or false. It never carries a value, a passphrase or a key. Two errors are equal when their
/// codes are.
public struct StoreError: Error, Sendable, Equatable, CustomStringConvertible {
    /// A stable, machine-readable reason. More may be added in a minor version.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The text of the code, which does not change between versions.
        public let rawValue: String

        /// A code from its text.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The store is locked: unlock it and ask again. Says nothing about whether the item is there.
        public static let locked = Code(rawValue: "locked")
        /// What is stored is not what was written: changed, moved, cut off or partly rolled back.
        public static let corrupt = Code(rawValue: "corrupt")
        /// The whole store is older than its anchor says.
        public static let rolledBack = Code(rawValue: "rolledBack")
        /// The file is another vault than the one expected.
        public static let otherVault = Code(rawValue: "otherVault")
        /// The store cannot be reached: no file, no daemon, no bus, a full disk.
        public static let unavailable = Code(rawValue: "unavailable")
        /// Another process held the store for longer than the time allowed.
        public static let busy = Code(rawValue: "busy")
        /// The call's deadline passed. A write may or may not have happened.
        public static let timedOut = Code(rawValue: "timedOut")
        /// The call was cancelled. A write may or may not have happened.
        public static let cancelled = Code(rawValue: "cancelled")
        /// No key slot opens with the passphrase or the key given.
        public static let authenticationFailure = Code(rawValue: "authenticationFailure")
        /// There is no key file where one is named: the vault is there, and its key is elsewhere.
        public static let missingKeyFile = Code(rawValue: "missingKeyFile")
        /// There is such an item, or such a file, already.
        public static let alreadyExists = Code(rawValue: "alreadyExists")
        /// The item was written by somebody else since it was read.
        public static let conflict = Code(rawValue: "conflict")
        /// A part of the item's key or details is empty or too long.
        public static let invalidItem = Code(rawValue: "invalidItem")
        /// The value is not of the type or length asked for.
        public static let invalidValue = Code(rawValue: "invalidValue")
        /// The value is longer than the store takes.
        public static let tooLarge = Code(rawValue: "tooLarge")
        /// The call would match items that it does not name.
        public static let emptyMatch = Code(rawValue: "emptyMatch")
        /// The store was opened to be read only, or is on a file system that is mounted read-only.
        public static let readOnly = Code(rawValue: "readOnly")
        /// The file, its owner, its mode or its folder would let others read or replace it.
        public static let insecureFile = Code(rawValue: "insecureFile")
        /// The file is no vault of a version that is known here.
        public static let notAVault = Code(rawValue: "notAVault")
        /// A parameter is outside the range that its documentation gives.
        public static let invalidParameter = Code(rawValue: "invalidParameter")
        /// This machine's libraries do not offer it, or this store does not.
        public static let unsupported = Code(rawValue: "unsupported")
        /// The process was forked after the store was opened: open it again in the child.
        public static let forked = Code(rawValue: "forked")
    }

    /// What an error says about the item that was asked for.
    public enum Answer: Sendable, Hashable {
        /// It may be there: unlock first.
        case locked
        /// It cannot be trusted.
        case corrupt
        /// Nobody could look.
        case unavailable
        /// The request itself was not accepted.
        case refused
    }

    /// The stable reason.
    public let code: Code
    /// A sentence for a person: what was wrong and what to do.
    public let message: String
    /// Whether the disk was full: more room in the log may be all that is needed.
    package private(set) var isDiskFull = false

    /// An error with a code and a sentence, for stores, for tests and for code that wraps Signet.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// A write for which there was no room.
    package static func diskFull(_ message: String) -> StoreError {
        var error = StoreError(.unavailable, message)
        error.isDiskFull = true
        return error
    }

    /// Which of the four answers it is; none of them means that an item is absent.
    public var answer: Answer {
        switch code {
        case .locked, .authenticationFailure, .missingKeyFile: .locked
        case .corrupt, .rolledBack, .otherVault, .notAVault: .corrupt
        case .unavailable, .busy, .timedOut, .cancelled, .insecureFile, .forked: .unavailable
        default: .refused
        }
    }

    /// Compares the codes only, so that a better sentence breaks no test.
    public static func == (a: StoreError, b: StoreError) -> Bool { a.code == b.code }

    /// The code and the sentence.
    public var description: String { "\(code.rawValue): \(message)" }
}
