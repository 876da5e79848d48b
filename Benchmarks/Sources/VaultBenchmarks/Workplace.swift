// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A private folder for the files of one run.
struct Workplace {
    let vault: String
    let bare: String
    private let folder: URL

    init(in parent: String) throws {
        folder = URL(fileURLWithPath: parent).appendingPathComponent(
            "signet-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        vault = folder.appendingPathComponent("items.vault").path
        bare = folder.appendingPathComponent("items.sqlite").path
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }

    /// Bytes of a database and of what lies beside it.
    static func byteCount(_ path: String) throws -> Int {
        try ["", "-wal", "-shm"].reduce(0) { sum, suffix in
            guard FileManager.default.fileExists(atPath: path + suffix) else { return sum }
            let attributes = try FileManager.default.attributesOfItem(atPath: path + suffix)
            return sum + (attributes[.size] as? Int ?? 0)
        }
    }
}
