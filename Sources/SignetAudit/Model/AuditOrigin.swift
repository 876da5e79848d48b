// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The file that vectors are in, and who published them.
public struct AuditOrigin: Sendable, Hashable {
    /// The document or project that published them.
    public let document: String
    /// Its version: a commit, a release; "unknown" when it is not.
    public let version: String
    /// The SHA-256 of the file that is read here, in hexadecimal. A figure file that has another is
    /// not run.
    public let sha256: String

    /// Whether they are Signet's own cases, beside the published ones.
    public var isOwn: Bool { document == Self.own }

    /// What the manifest calls the publisher of Signet's own cases.
    static let own = "Signet"
}
