// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// How a vault is used by this process. Nothing of it is stored in the file.
///
/// ```swift
/// var options = VaultOptions()
/// options.autoLockSeconds = 600
/// ```
public struct VaultOptions: Sendable {
    /// How much a read proves unless the call says otherwise.
    public var readLevel: ReadLevel = .strict
    /// Milliseconds to wait for other processes that write, 0 to 600 000.
    public var busyTimeoutMilliseconds: Int = 10_000
    /// Seconds without a call after which the vault locks itself; nil for never.
    public var autoLockSeconds: Int?
    /// Whether the vault is read and never written, nor anything beside it. A vault on a file
    /// system that is mounted read-only is read in this way whatever this says.
    ///
    /// The file must have no log (`-wal`) that holds something, else opening is `unavailable`. No
    /// lock is taken, so that it must not change meanwhile: each call compares the file's length
    /// and times with those at the opening, and is `unavailable` once they differ or a log is
    /// there. An anchor is asked, not moved on. Writes are `readOnly`.
    public var isReadOnly = false
    /// Notices that an older copy of the whole file was put back.
    public var anchor: (any RollbackAnchor)?
    /// The vault that the file must be, by ``FileVault/id``; nil for any. Without it, another vault
    /// that opens with the same passphrase or key passes for this one, and an anchor knows nothing
    /// of it. Not for making a vault.
    public var expectedID: [UInt8]?
    /// Where the time comes from: the time of day for created and modified, the time that passes
    /// for ``autoLockSeconds``.
    public var clock = TimeSource.system

    /// The name of SQLite's file system, for tests that let the disk fail; nil for the system's.
    package var fileSystemName: String?

    /// The defaults.
    public init() {}
}
