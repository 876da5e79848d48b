// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeyServer

/// The memory of this process, from the kernel.
enum ResidentMemory {
    static func kilobytes() throws -> Int {
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: "/proc/self/status"))
        let text = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("VmRSS:") }),
            let kilobytes = line.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
        else { throw KeyServer.Failure(description: "no VmRSS") }
        return kilobytes
    }
}
