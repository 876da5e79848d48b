// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetJSON

/// Files of the shared folder, which is beside the repository and not in it.
enum SharedFiles {
    /// A file's bytes; nil, with a message, when there is no shared folder.
    static func read(_ path: String) -> [UInt8]? {
        var folders: [URL] = []
        if let named = ProcessInfo.processInfo.environment["SIGNET_SHARED"] {
            folders.append(URL(fileURLWithPath: named))
        }
        var folder = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
        while folder.path != "/" {
            folders.append(folder.appendingPathComponent("shared"))
            folder.deleteLastPathComponent()
        }
        for folder in folders {
            if let data = try? Data(contentsOf: folder.appendingPathComponent(path)) {
                return Array(data)
            }
        }
        print("skipped: no shared/\(path) here or above; set SIGNET_SHARED to run it")
        return nil
    }
}

extension JSONNode {
    /// The names of an object's members, in order.
    var memberNames: [String] { members.map { $0.name.swiftString() } }
}

func document(_ text: String, _ limits: JSONDocument.Limits = .init()) throws -> JSONNode {
    try JSONDocument(Array(text.utf8), limits: limits).root
}
