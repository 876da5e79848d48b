// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetVault

/// Notes the generations of a vault of its own in an anchor that other processes use as well.
enum Noting {
    static func run(_ path: String, count: UInt64) throws {
        let anchor = FileAnchor(path: path)
        let id = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
        var (lower, refused) = (0, 0)
        for generation in 1...count {
            while true {
                do {
                    try anchor.advance(vault: id, to: generation)
                    break
                } catch {
                    // Others were in the way for too long, which is an answer.
                    guard error.code == .busy else { throw error }
                    refused += 1
                }
            }
            if try anchor.generation(ofVault: id) != generation { lower += 1 }
            if generation == 1 { Line.write("begun") }
        }
        Line.write("lower \(lower) refused \(refused)")
    }
}
