// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// Files in which the system describes itself.
enum SystemFile {
    /// A file's whole content; nil if it cannot be read.
    ///
    /// Foundation's `contents(atPath:)` trusts the file's stated size. Files of /proc state none,
    /// and it then returns only their first page.
    static func bytes(_ path: String) -> Data? {
        guard let file = FileHandle(forReadingAtPath: path) else { return nil }
        return (try? file.readToEnd()) ?? nil
    }

    /// The first line of a file.
    static func line(_ path: String) -> String? {
        text(path)?.split(separator: "\n").first.map(String.init)
    }

    /// The values of every line `name separator value`.
    static func values(in path: String, of name: String, separator: Character) -> [String] {
        (text(path) ?? "").split(separator: "\n").compactMap { line in
            let parts = line.split(separator: separator, maxSplits: 1).map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            return parts.count == 2 && parts[0] == name ? parts[1] : nil
        }
    }

    private static func text(_ path: String) -> String? {
        bytes(path).map { String(decoding: $0, as: UTF8.self) }
    }
}
