// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The file of vectors, and its publisher.
public struct AuditOrigin: Sendable, Hashable {
    /// The document or project that published them.
    public let document: String
    /// Its version: a commit or a release; "unknown" if not known.
    public let version: String
    /// The SHA-256 of the file, in hexadecimal. A figure file with another hash is not run.
    public let sha256: String

    /// Whether they are Signet's own cases, beside the published ones.
    public var isOwn: Bool { document == Self.own }

    /// What the manifest calls the publisher of Signet's own cases.
    static let own = "Signet"
}
