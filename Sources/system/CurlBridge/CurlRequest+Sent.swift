// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase

extension CurlRequest {
    /// The fields to send besides those that HTTP needs. An empty field keeps libcurl from sending
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
        guard self >= .zero else { return 1 }
        let milliseconds = Int(clamping: wholeMilliseconds)
        return milliseconds < limit ? milliseconds + 1 : limit
    }
}
