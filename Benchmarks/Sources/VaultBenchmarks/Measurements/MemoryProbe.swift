// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import BenchmarkSupport
import Foundation
import SignetVault

/// Opens the vault in a process of its own, does one kind of work, and tells the peak of the resident memory.
struct MemoryProbe {
    enum Work: String, Codable, CodingKeyRepresentable, CaseIterable {
        /// Nothing: what the program and its libraries take.
        case nothing
        /// 10 000 lazy reads and 100 lists.
        case read
        /// 1 000 strict reads.
        case strict
        /// One transaction of 1000 items.
        case batch
        case verify
    }

    let work: String
    let path: String
    let count: Int

    func peak() throws -> Int {
        guard let work = Work(rawValue: work) else { throw BenchmarkError.usage(Options.help) }
        if work != .nothing { try run(work) }
        return try ProcessMemory.peak()
    }

    private func run(_ work: Work) throws {
        let vault = try ScaleRun.open(path, .lazy)
        switch work {
        case .nothing: break
        case .read:
            for _ in 0..<10_000 {
                keep(try vault.read { try $0.entry(Population.key(Int.random(in: 0..<count))) })
            }
            for _ in 0..<100 {
                let service = Population.service(Int.random(in: 0..<count))
                keep(try vault.read { try $0.list(service: service) })
            }
        case .strict:
            for _ in 0..<1000 {
                keep(
                    try vault.read { try $0.entry(Population.key(Int.random(in: 0..<count)), level: .strict) }
                )
            }
        case .batch:
            try vault.write { writer in
                for _ in 0..<1000 { try writer.put(Population.item(Int.random(in: 0..<count), writing: 9)) }
            }
        case .verify:
            guard try vault.verify().isClean else { throw BenchmarkError.wrongAnswer("verify") }
        }
    }

    static func measure(_ work: Work, path: String, count: Int) throws -> Int {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(
            fileURLWithPath: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
        process.arguments = ["--memory-probe", work.rawValue, path, String(count)]
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0,
            let peak = Int(text.trimmingCharacters(in: .whitespacesAndNewlines))
        else { throw BenchmarkError.setup("the memory probe failed") }
        return peak
    }
}
