// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import CSignetCommit
internal import SignetAudit

/// What this program says of itself.
enum ProgramVersion {
    /// The commit that it was built from, with "-dirty" behind it where files were changed since;
    /// "unknown" if the build did not name it, for example where there was no Git.
    static let commit = String(
        decoding: (Int32(0)..<64).map(csignet_commit_octet).prefix { $0 != 0 }, as: UTF8.self)

    /// The version and the commit, for `--version`.
    static let text = "\(SignetVersion.current) (commit \(commit))"
}
