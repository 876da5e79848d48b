// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The file of vectors, and its publisher.
public struct AuditOrigin: Sendable, Hashable {
    /// The document or project that published the vectors.
    public let document: String
    /// Its version: a commit or a release; "unknown" if not known.
    public let version: String
    /// The SHA-256 of the file, in hexadecimal. A figure file with a different hash is not run.
    public let sha256: String

    /// Whether the vectors are Signet's own cases, beside the published vectors.
    public var isOwn: Bool { document == Self.own }

    /// The name of the publisher of Signet's own cases in the manifest.
    static let own = "Signet"
}
