// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetCrypto

/// Where the numbers come from, without names of hosts or folders.
package enum Environment {
    package static func line() -> String {
        let processor =
            value("model name", in: "/proc/cpuinfo", separator: ":") ?? "unknown processor"
        let cores = ProcessInfo.processInfo.activeProcessorCount
        let system = value("PRETTY_NAME", in: "/etc/os-release", separator: "=") ?? "Linux"
        return "\(processor), \(cores) cores, \(system), \(CryptoProvider.libraryVersion)"
    }

    private static func value(_ name: String, in path: String, separator: Character) -> String? {
        guard let file = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
        for line in file.split(separator: "\n") {
            let parts = line.split(separator: separator, maxSplits: 1)
            guard parts.count == 2, parts[0].trimmingCharacters(in: .whitespaces) == name else {
                continue
            }
            return parts[1].trimmingCharacters(in: CharacterSet(charactersIn: " \t\""))
        }
        return nil
    }
}
