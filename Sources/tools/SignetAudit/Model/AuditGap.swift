// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Published vectors that were not run, and why. They are listed, never counted as passed.
public struct AuditGap: Sendable, Hashable {
    /// Why there was no run.
    public enum Reason: String, Sendable, Hashable, CaseIterable {
        /// Signet does not offer the algorithm, or not with such parameters.
        case notOffered = "not offered"
        /// Signet offers the algorithm, and the files are not on this machine, or their figures
        /// were left out: for a licence, to keep a file small, or because no interface takes them.
        case notRun = "not run"
        /// The case is slow, and slow cases were not requested.
        case slow = "slow"
    }

    /// The document that published the vectors.
    public let source: String
    /// The algorithm or the file that the vectors are about.
    public let subject: String
    /// The number of cases; nil if unknown without the files.
    public let count: Int?
    /// Why there was no run.
    public let reason: Reason
    /// More about the reason.
    public let detail: String

    /// Makes an entry.
    public init(source: String, subject: String, count: Int?, reason: Reason, detail: String) {
        self.source = source
        self.subject = subject
        self.count = count
        self.reason = reason
        self.detail = detail
    }
}
