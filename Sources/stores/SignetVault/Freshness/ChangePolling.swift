// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import SignetBase

/// Polls one vault twice a second while the process has listeners. Each object polls for itself,
/// because another object may be closed at any time.
final class ChangePolling: Sendable {
    private static let pauseMilliseconds = 500

    private let hub: ChangeHub
    private let isPolling = Locked(false)

    init(_ hub: ChangeHub) { self.hub = hub }

    /// Polls from now on, unless it does so already.
    ///
    /// - Parameter poll: polls once; false when there is nothing left to poll.
    func start(_ poll: @escaping @Sendable () -> Bool) {
        let isFirst = isPolling.withLock { isPolling in
            defer { isPolling = true }
            return !isPolling
        }
        if isFirst { schedule(poll) }
    }

    private func schedule(_ poll: @escaping @Sendable () -> Bool) {
        DispatchQueue.global(qos: .utility)
            .asyncAfter(deadline: .now() + .milliseconds(Self.pauseMilliseconds)) { [weak self] in
                guard let self, continuesForListeners() else { return }
                if poll() { schedule(poll) } else { isPolling.withLock { $0 = false } }
            }
    }

    /// Whether there are listeners; if not, notes that polling has ended. Both inside the lock: a
    /// listener that comes now finds no poll scheduled, and starts one.
    private func continuesForListeners() -> Bool {
        isPolling.withLock { isPolling in
            isPolling = hub.listenerCount > 0
            return isPolling
        }
    }
}
