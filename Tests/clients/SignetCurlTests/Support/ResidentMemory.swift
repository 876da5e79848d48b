// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// The memory of this process, and what else it holds, from the kernel.
enum ResidentMemory {
    static func kilobytes() throws -> Int { try number("VmRSS:") }

    /// The most since ``resetPeak()``.
    static func peakKilobytes() throws -> Int { try number("VmHWM:") }

    static func resetPeak() throws {
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: "/proc/self/clear_refs"))
        try file.write(contentsOf: Data("5".utf8))
    }

    private static func number(_ name: String) throws -> Int {
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: "/proc/self/status"))
        let text = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix(name) }),
            let kilobytes = line.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
        else { throw KeyServer.Failure(description: "no \(name)") }
        return kilobytes
    }
}
