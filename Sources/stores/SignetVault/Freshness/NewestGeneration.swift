// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase

/// The newest generation of one vault file that this process has read or written, through any of
/// its objects. A copy of the file under another path has its own.
package final class NewestGeneration: Sendable {
    private let generation = Locked<UInt64>(0)

    /// 0 before anything was read.
    package var value: UInt64 { generation.withLock { $0 } }

    package func note(_ found: UInt64) { generation.withLock { $0 = max($0, found) } }

    /// Continues with a generation that may be lower, after a restore.
    package func lower(to found: UInt64) { generation.withLock { $0 = found } }
}
