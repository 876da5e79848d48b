// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SystemBridge

/// Where a verifier or a signer takes the time from, so that tests can hold it still.
public struct TokenClock: Sendable {
    /// The time now.
    public let now: @Sendable () -> NumericDate

    /// A clock of the caller's.
    public init(now: @escaping @Sendable () -> NumericDate) { self.now = now }

    /// The system's clock, in whole seconds.
    public static let system = TokenClock {
        NumericDate(secondsSince1970: Double(WallClock.secondsSince1970()))
    }

    /// A clock that stands still.
    public static func fixed(secondsSince1970: Double) -> TokenClock {
        let time = NumericDate(secondsSince1970: secondsSince1970)
        return TokenClock { time }
    }
}
