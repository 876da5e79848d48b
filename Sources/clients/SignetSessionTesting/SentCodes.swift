// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The codes that a server in memory has sent: one for each address.
struct SentCodes {
    private static let lifetime = Duration.seconds(600)

    private struct Code {
        let text: String
        let end: Duration
    }

    private var codes: [[UInt8]: Code] = [:]
    private var count = 0

    mutating func send(to address: String, at now: Duration) {
        count += 1
        // Six digits that differ from one code to the next.
        let text = String(100_000 + count &* 7_919 % 900_000)
        codes[Array(address.utf8)] = Code(text: text, end: now + Self.lifetime)
    }

    func valid(for address: String, at now: Duration) -> String? {
        codes[Array(address.utf8)].flatMap { now < $0.end ? $0.text : nil }
    }

    mutating func use(_ text: String, for address: String, at now: Duration) -> Bool {
        guard let valid = valid(for: address, at: now), Array(valid.utf8) == Array(text.utf8)
        else { return false }
        codes[Array(address.utf8)] = nil
        return true
    }
}
