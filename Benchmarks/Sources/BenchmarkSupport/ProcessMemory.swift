// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The resident memory of this process, in bytes, as proc(5) tells it.
package enum ProcessMemory {
    /// The most that it has been since the start or the last reset.
    package static func peak() throws -> Int { try status("VmHWM") }

    /// What it is now.
    package static func current() throws -> Int { try status("VmRSS") }

    /// proc(5): writing 5 to clear_refs resets the peak to the current size.
    package static func resetPeak() throws {
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: "/proc/self/clear_refs"))
        try file.write(contentsOf: Data("5".utf8))
        try file.close()
    }

    private static func status(_ name: String) throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        for line in status.split(separator: "\n") where line.hasPrefix("\(name):") {
            let digits = line.filter(\.isNumber)
            if let kibibytes = Int(digits) { return kibibytes * 1024 }
        }
        throw ProcessMemoryError(name: name)
    }
}

/// /proc/self/status does not say what was asked.
package struct ProcessMemoryError: Error {
    package let name: String
}
