// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The vectors of one file. They are read only by ``cases()``.
public struct AuditSuite: Sendable, CustomStringConvertible {
    /// The name of the suite: that of its file.
    public let name: String
    /// Its file and its publisher.
    public let origin: AuditOrigin
    /// The subject of the file, for a suite that cannot be read.
    public let subject: String
    /// How many cases the publisher (or the manifest) says there are. The runner counts a different
    /// number as a deviation.
    public package(set) var declaredCount: Int

    package var loader: @Sendable () throws(AuditError) -> [AuditCase]

    /// The document that published it.
    public var source: String { origin.document }

    /// Reads the cases.
    /// - Throws: ``AuditError`` if the file is unreadable, is not the file that the manifest names,
    ///   or holds no case, or more or fewer cases than it states.
    public func cases() throws(AuditError) -> [AuditCase] {
        let cases = try loader()
        guard cases.count == declaredCount else {
            throw AuditError(
                .countMismatch,
                "\(shown: name) holds \(cases.count) cases and says that there are \(declaredCount)."
            )
        }
        // An empty suite would pass whatever the library does.
        guard !cases.isEmpty else {
            throw AuditError(.countMismatch, "\(shown: name) holds no case.")
        }
        return cases
    }

    /// The name of the suite.
    public var description: String { name }
}
