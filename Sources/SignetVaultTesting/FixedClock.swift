// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetVault
internal import SystemBridge

/// A clock that stands still until it is told to go on, for stores that take their time from outside:
/// `InMemoryStore(now: clock.now)`, or `VaultOptions.now = clock.now`.
public final class FixedClock: Sendable {
    private let hand: Locked<ItemTime>

    /// A clock that stands at a time; without one, somewhere in the year 2026.
    public init(at time: ItemTime = ItemTime(milliseconds: 1_780_000_000_000)) {
        hand = Locked(time)
    }

    /// Where it stands. May be set back as well.
    public var time: ItemTime {
        get { hand.withLock { $0 } }
        set { hand.withLock { $0 = newValue } }
    }

    /// Lets milliseconds pass.
    public func advance(milliseconds: UInt64) {
        hand.withLock { time in
            let (sum, isOver) = time.milliseconds.addingReportingOverflow(milliseconds)
            time = ItemTime(milliseconds: isOver ? .max : sum)
        }
    }

    /// What a store takes its time from.
    public var now: @Sendable () -> ItemTime {
        { [self] in time }
    }
}
