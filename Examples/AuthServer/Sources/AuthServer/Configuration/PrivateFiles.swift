// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// Files that nobody else reads.
package enum PrivateFiles {
    static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    /// Makes an empty file for its owner alone, unless there is one. What SQLite puts beside a database gets the mode of the database.
    static func makeFile(_ path: String) {
        // A folder that is not there is told by whoever opens the file.
        guard (try? Data().write(to: URL(fileURLWithPath: path), options: .withoutOverwriting)) != nil else {
            return
        }
        try? FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }

    /// Makes the folder of a file, for its owner alone, unless it is there.
    package static func makeFolder(ofFile path: String) throws {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }
}
