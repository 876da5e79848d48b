// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A server's `Retry-After`, which the record of a session keeps for all processes.
struct ServerPause: Sendable {
    /// The longest pause that counts.
    static let maximum = Duration.seconds(3600)

    /// When the answer came, by this machine's time of day.
    let begin: NumericDate
    let length: Duration

    /// Nil for a length that is not positive. A length above ``maximum`` is cut.
    init?(from begin: NumericDate, for length: Duration) {
        guard length > .zero else { return nil }
        self.begin = begin
        self.length = min(length, Self.maximum)
    }

    /// The remaining pause; nil after its end. Also nil before its begin: then the clock was set
    /// back, and the remaining time is unknown.
    func remaining(at now: NumericDate) -> Duration? {
        let age = now.secondsSince1970 - begin.secondsSince1970
        guard age >= 0, age < length / .seconds(1) else { return nil }
        return length - .seconds(age)
    }
}
