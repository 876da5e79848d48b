// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// How this process uses a vault. None of it is stored in the file.
///
/// ```swift
/// var options = VaultOptions()
/// options.autoLockSeconds = 600
/// ```
public struct VaultOptions: Sendable {
    /// How much a read proves unless the call says otherwise.
    public var readLevel: ReadLevel = .strict
    /// How long to wait for other processes that write, in milliseconds, 0 to 600,000.
    public var busyTimeoutMilliseconds: Int = 10_000
    /// The idle time in seconds after which the vault locks itself; nil for never.
    public var autoLockSeconds: Int?
    /// Whether the vault and everything beside it are only read. A vault on a read-only file system
    /// is always opened this way.
    ///
    /// If there is anything in the file's log (`-wal`), opening is `unavailable`. No lock is taken,
    /// so the file must not change: each call compares the file's length and times with their
    /// values at the opening, and is `unavailable` if they differ or a log appears. An anchor is
    /// read, not advanced. Writes are `readOnly`.
    public var isReadOnly = false
    /// Detects that an older copy of the whole file was restored.
    public var anchor: (any RollbackAnchor)?
    /// Accepts, at the first unlock, a vault that is older than this process or the anchor knows:
    /// another program restored a backup. The process and the anchor continue with the vault that
    /// is found. Not needed after ``FileVault/restore(from:to:options:)`` of this process, unless
    /// there is an anchor.
    ///
    /// Set it for a single opening, when you know of the restore: any older copy is accepted.
    public var acceptsRestored = false
    /// The ``FileVault/id`` that the file must have; nil for any. Without it, another vault that
    /// opens with the same passphrase or key passes for this vault, and an anchor does not know it.
    /// Not for creating a vault.
    public var expectedID: [UInt8]?
    /// The source of the time: the time of day for created and modified, elapsed time for
    /// ``autoLockSeconds``.
    public var clock = TimeSource.system

    /// The name of SQLite's file system, for tests with failing disks; nil for the system's.
    package var fileSystemName: String?

    /// The defaults.
    public init() {}
}
