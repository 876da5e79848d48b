// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import SignetBase

/// Polls one vault twice a second while the process has listeners. Each object polls for itself,
/// because another object may be closed at any time.
final class ChangeLooking: Sendable {
    private static let pauseMilliseconds = 500

    private let hub: ChangeHub
    private let isLooking = Locked(false)

    init(_ hub: ChangeHub) { self.hub = hub }

    /// - Parameter look: polls once; false when there is nothing left to poll.
    func start(_ look: @escaping @Sendable () -> Bool) {
        let starts = isLooking.withLock { isLooking in
            defer { isLooking = true }
            return !isLooking
        }
        if starts { schedule(look) }
    }

    private func schedule(_ look: @escaping @Sendable () -> Bool) {
        DispatchQueue.global(qos: .utility)
            .asyncAfter(deadline: .now() + .milliseconds(Self.pauseMilliseconds)) { [weak self] in
                guard let self, goesOn() else { return }
                if look() { schedule(look) } else { isLooking.withLock { $0 = false } }
            }
    }

    /// Inside the lock: a listener that comes now finds no poll scheduled, and starts one.
    private func goesOn() -> Bool {
        isLooking.withLock { isLooking in
            isLooking = hub.listenerCount > 0
            return isLooking
        }
    }
}
