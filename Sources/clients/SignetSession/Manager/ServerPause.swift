// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A server's `Retry-After`, as the record of a session keeps it for all processes.
struct ServerPause: Sendable {
    /// The longest that counts.
    static let maximum = Duration.seconds(3600)

    /// When the answer came, by this machine's time of day.
    let begin: NumericDate
    let length: Duration

    /// Nil for a length that is not positive. A longer one than the longest is cut.
    init?(from begin: NumericDate, for length: Duration) {
        guard length > .zero else { return nil }
        self.begin = begin
        self.length = min(length, Self.maximum)
    }

    /// What is left of it; nil after its end, and before its begin, because then the clock was set
    /// back and nobody knows.
    func remaining(at now: NumericDate) -> Duration? {
        let age = now.secondsSince1970 - begin.secondsSince1970
        guard age >= 0, age < length / .seconds(1) else { return nil }
        return length - .seconds(age)
    }
}
