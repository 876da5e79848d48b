// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// How much one verifier's memory grows while it refuses one hostile token, measured in a process of its own.
struct MemoryMeasurement: Codable {
    let token: String
    let party: String
    let byteCount: Int
    let goal: String?

    var kibibytes: Int { (byteCount + 1023) / 1024 }
    var title: String { "\(token), \(party)" }

    /// Issue 2: a hostile token of 10 MB costs less than 1 MB.
    private static let limit = 1_000_000

    static func all() throws -> [MemoryMeasurement] {
        var results = [MemoryMeasurement]()
        for token in HostileToken.allCases {
            for subject in MemoryProbe.Subject.allCases {
                let growth = try probe(subject, token)
                let goal = "< 1 MB: \(growth < limit ? "reached" : "missed")"
                results.append(
                    MemoryMeasurement(
                        token: token.title, party: subject.title, byteCount: growth,
                        goal: subject == .jwtKit ? nil : goal))
            }
        }
        return results
    }

    private static func probe(_ subject: MemoryProbe.Subject, _ token: HostileToken) throws -> Int {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(
            fileURLWithPath: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
        process.arguments = ["--memory-probe", subject.rawValue, token.rawValue]
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0,
            let growth = Int(text.trimmingCharacters(in: .whitespacesAndNewlines))
        else { throw BenchmarkError.setup("the memory probe failed") }
        return growth
    }
}
