// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The vectors of one file. They are read only when asked for.
public struct AuditSuite: Sendable, CustomStringConvertible {
    /// The name of the suite: that of its file.
    public let name: String
    /// Its file and its publisher.
    public let origin: AuditOrigin
    /// What it is about, for a suite of which nothing could be read.
    public let subject: String
    /// How many cases there are by the publisher's count (or the manifest's); the runner holds the
    /// suite to it.
    public let declaredCount: Int

    let loader: @Sendable () throws(AuditError) -> [AuditCase]

    /// The document that published it.
    public var source: String { origin.document }

    /// Reads the cases.
    /// - Throws: ``AuditError`` when the file is unreadable, is not the file that the manifest
    ///   names, holds no case, or not as many as it says.
    public func cases() throws(AuditError) -> [AuditCase] {
        let cases = try loader()
        guard cases.count == declaredCount else {
            throw AuditError(
                .countMismatch,
                "\(name) holds \(cases.count) cases and says that there are \(declaredCount)."
            )
        }
        // A suite of nothing would pass whatever the library does.
        guard !cases.isEmpty else { throw AuditError(.countMismatch, "\(name) holds no case.") }
        return cases
    }

    /// The name of the suite.
    public var description: String { name }
}
