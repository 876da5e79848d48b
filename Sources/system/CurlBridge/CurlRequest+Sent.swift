// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetPlatform

extension CurlRequest {
    /// The fields to send besides those that HTTP needs. An empty one keeps libcurl from sending
    /// its own.
    var sentFields: [(name: String, value: String)] {
        let own = fields + [("Accept-Encoding", "identity"), ("Connection", "close")]
        let absent = ["Accept", "Content-Type", "Expect"].filter { name in
            !own.contains { $0.name.utf8.elementsEqual(name.utf8) }
        }
        return own + absent.map { ($0, "") }
    }
}

extension Duration {
    /// Whole milliseconds, rounded up, in [1, limit].
    func milliseconds(atMost limit: Int) -> Int {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 1 }
        guard seconds < limit / 1000 else { return limit }
        return min(limit, Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000) + 1)
    }
}
