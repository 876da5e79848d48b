// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetBase
package import SignetIdentity

extension TimeSource {
    /// A time of day in 2026 at which no time passes, however long the machine takes; a task that
    /// sleeps by it wakes. A test that lets time pass has a `ManualClock`, which begins then too.
    package static var still: TimeSource {
        still(elapsed: { .zero })
    }

    /// The same time of day, and elapsed time as a test says.
    package static func still(elapsed: @escaping @Sendable () -> Duration) -> TimeSource {
        TimeSource(now: { NumericDate(secondsSince1970: 1_780_000_000) }, elapsed: elapsed)
    }
}

extension TokenVerificationOptions {
    /// The recommended values, by ``SignetPlatform/TimeSource/still``.
    package static var still: TokenVerificationOptions {
        var options = TokenVerificationOptions()
        options.clock = .still
        options.keySet = .still
        return options
    }
}

extension KeySetOptions {
    /// The recommended values, by ``SignetPlatform/TimeSource/still``.
    package static var still: KeySetOptions {
        var options = KeySetOptions()
        options.clock = .still
        return options
    }
}
