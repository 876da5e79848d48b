// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

@_exported public import SignetBase

/// Why the figures could not be had. Two errors are equal when their codes are.
public typealias TestVectorsError = CodedError<TestVectorsErrorDomain>

/// The domain of ``TestVectorsError``.
public enum TestVectorsErrorDomain: ErrorDomain {
    /// The message.
    public static func description(of error: TestVectorsError) -> String { error.message }
}

extension TestVectorsError.Code {
    /// No folder with a manifest is where one was looked for.
    public static var notFound: Self { Self(rawValue: "not_found") }
    /// A file is absent or cannot be read.
    public static var unreadable: Self { Self(rawValue: "unreadable") }
}
