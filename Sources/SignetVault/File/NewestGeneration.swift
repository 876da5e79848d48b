// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetPlatform

/// The newest generation of one vault file that this process has read or written, through any of
/// its objects, until the process ends.
///
/// A copy of the file under another path has its own. It costs some hundred bytes for each vault
/// that the process ever unlocks.
final class NewestGeneration: Sendable {
    private static let all = Locked<[[UInt8]: NewestGeneration]>([:])

    private let generation = Locked<UInt64>(0)

    private init() {}

    /// That of the vault with this id in this file.
    static func of(_ id: [UInt8], at path: String) -> NewestGeneration {
        let name = id + Array(path.utf8)
        return all.withLock { all in
            if let known = all[name] { return known }
            let new = NewestGeneration()
            all[name] = new
            return new
        }
    }

    /// 0 before anything was read.
    var value: UInt64 { generation.withLock { $0 } }

    func note(_ found: UInt64) { generation.withLock { $0 = max($0, found) } }

    /// Continues with a generation that may be lower, after a restore.
    func lower(to found: UInt64) { generation.withLock { $0 = found } }
}
