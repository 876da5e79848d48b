// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A private folder, removed with its content when its last holder is gone.
package final class PrivateFolder: Sendable {
    package let path: String

    package init() throws {
        // In memory where possible: thousands of rounds wait for no disk, and power cuts belong to
        // the simulated disk.
        let memory = "/dev/shm"
        let parent =
            FileManager.default.isWritableFile(atPath: memory)
            ? memory : FileManager.default.temporaryDirectory.path
        path = parent + "/signet-test-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700]
        )
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
