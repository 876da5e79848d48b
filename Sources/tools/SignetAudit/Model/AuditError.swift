// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE
internal import TestVectors

/// Why vectors could not be run. Two errors are equal when their codes are.
public typealias AuditError = CodedError<AuditErrorDomain>

/// The domain of ``AuditError``.
public enum AuditErrorDomain: ErrorDomain {
    /// The message.
    public static func description(of error: AuditError) -> String { error.message }
}

extension AuditError.Code {
    /// The figures cannot be found.
    public static var vectorsNotFound: Self { Self(rawValue: "vectors_not_found") }
    /// A file is absent or cannot be read.
    public static var unreadable: Self { Self(rawValue: "unreadable") }
    /// A file does not have its format.
    public static var malformed: Self { Self(rawValue: "malformed") }
    /// A figure file differs from the manifest's.
    public static var digestMismatch: Self { Self(rawValue: "digest_mismatch") }
    /// The number of a file's cases differs from the number that it states.
    public static var countMismatch: Self { Self(rawValue: "count_mismatch") }
}

extension AuditError {
    init(_ error: TestVectorsError) {
        self.init(error.code == .notFound ? .vectorsNotFound : .unreadable, "\(messageOf: error)")
    }

    init(_ error: JSONError, in file: String) {
        self.init(.malformed, underlying: error, "\(shown: file): \(error)")
    }
}
