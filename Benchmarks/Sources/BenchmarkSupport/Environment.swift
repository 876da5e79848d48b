// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetCrypto

/// Where the numbers come from, without names of hosts or folders.
package struct Environment: Codable, Sendable {
    package let processor: String
    package let coreCount: Int
    package let system: String
    package let libcrypto: String
    package let swift: String

    package static func current() -> Environment {
        Environment(
            processor: value("model name", in: "/proc/cpuinfo", separator: ":") ?? "unknown",
            coreCount: ProcessInfo.processInfo.activeProcessorCount,
            system: value("PRETTY_NAME", in: "/etc/os-release", separator: "=") ?? "Linux",
            libcrypto: CryptoProvider.libraryVersion, swift: swiftVersion() ?? "6.3 or later")
    }

    private static func value(_ name: String, in path: String, separator: Character) -> String? {
        guard let file = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
        for line in file.split(separator: "\n") {
            let parts = line.split(separator: separator, maxSplits: 1)
            guard parts.count == 2, parts[0].trimmingCharacters(in: .whitespaces) == name else { continue }
            return parts[1].trimmingCharacters(in: CharacterSet(charactersIn: " \t\""))
        }
        return nil
    }

    /// The compiler does not tell its programs its full version, so the one on the path is asked.
    private static func swiftVersion() -> String? {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["swift", "--version"]
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return nil }
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard let range = text.range(of: "Swift version ") else { return nil }
        return text[range.upperBound...].split(separator: " ").first.map(String.init)
    }
}
