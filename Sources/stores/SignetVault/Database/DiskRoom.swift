// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetPlatform

/// Says how many bytes a write misses on a full disk, for the text of its error.
///
/// A write needs room for its log. It has the free space of the disk, and the part of the log's file
/// that it writes over. All numbers are bytes.
struct DiskRoom {
    /// The free bytes of the file system; nil if the system does not say.
    private let free: Int64?
    /// The length of the log's file.
    private var log: Int64 = 0
    /// The part of the log that is not in the vault's file yet: a write comes after it.
    private var used: Int64 = 0
    /// By how much the vault's file must grow for that part.
    private var growth: Int64 = 0

    /// Counts only the free space.
    init(free: Int64?) { self.free = free }

    /// - Parameter isCheckpointed: whether the next write begins at the log's start.
    init(besideFileAt path: String, isCheckpointed: Bool) {
        free = PrivatePlace.freeByteCount(besideFileAt: path)
        log = PrivatePlace.logByteCount(ofFileAt: path)
        guard !isCheckpointed, let content = PrivatePlace.LogContent(ofFileAt: path) else { return }
        used = content.committedFrameCount * VaultFormat.frameByteCount
        let length = content.databasePageCount * VaultFormat.pageByteCount
        growth = max(0, length - PrivatePlace.byteCount(ofFileAt: path))
    }

    /// How many bytes must become free for a log of this length; nil if there should be enough, so
    /// that a quota or another limit is in the way, or if the system does not say.
    func missing(for needed: Int64) -> Int64? {
        guard let free else { return nil }
        // The write begins after the used part of the log, or at the log's start once the used part
        // is checkpointed. The easier way counts.
        let missingAfterLog = used + needed - log - free
        let missingAtStart = max(growth - free, growth + needed - log - free)
        let missing = min(missingAfterLog, missingAtStart)
        return missing > 0 ? missing : nil
    }

    /// What is there and what is missing, as a part of a sentence; nil like ``missing(for:)``.
    func shortage(for needed: Int64) -> ErrorMessage? {
        guard let free, let missing = missing(for: needed) else { return nil }
        let log: ErrorMessage = log > 0 ? "its log has \(log), and " : ""
        return "\(log)\(free) are free: at least \(missing) bytes are missing"
    }
}
