// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension SessionManager {
    /// The exchanges of this manager that have not ended.
    struct Exchanges {
        typealias Work = Task<Result<StoredSession, SessionError>, Never>

        /// Whether the manager has stopped asking the server.
        fileprivate(set) var isDrained = false
        fileprivate var running: [Int: Work] = [:]
        fileprivate var lastNumber = 0
        /// The number of the exchange that has exclusive access to the item.
        fileprivate var exclusiveNumber: Int?
    }

    /// Waits until the running exchange has ended, and from then on asks the server for no token.
    /// Await this call before the program ends, such as at SIGTERM: an exchange that is cut off
    /// between the server's answer and the write may cost the session.
    ///
    /// When it returns, the successor is in the store, or the exchange has failed. A call that has
    /// not asked the server yet ends at once, and asks nothing. A successor that the store could
    /// not write is tried once more at the end. Draining takes at most a wait for another process,
    /// a request (``SessionOptions/requestTimeout`` each) and 90 s of a store that is busy. If the
    /// store fails for a different reason, the wait and the 90 s may come twice. Draining goes on
    /// if the task is cancelled.
    ///
    /// Afterwards ``accessToken()`` gives the token in hand, or a token that another process has
    /// stored, as long as it has not expired, and throws `drained` otherwise. Tokens are not
    /// exchanged ahead of need. ``adopt(_:)`` and ``signOut(_:)`` still work. A drained manager
    /// stays so; draining it again does no harm.
    public func drain() async {
        exchanges.isDrained = true
        cancelScheduledRefresh()
        // If a successor is not written yet, an exchange goes on waiting for its turn to write it.
        if unsaved == nil {
            for (number, work) in exchanges.running where number != exchanges.exclusiveNumber {
                work.cancel()
            }
        }
        var last: Result<StoredSession, SessionError>?
        while let work = exchanges.running.values.first { last = await work.value }
        // Tries to write once more, unless the store was busy all that time.
        if case .failure(let error) = last, let code = error.storeError?.code,
            [.busy, .timedOut].contains(code)
        {
            return
        }
        if let unsaved { _ = await beginExchange(of: unsaved.parent, isForced: true).value }
    }

    /// Begins an exchange, for which ``drain()`` waits.
    func beginExchange(of used: StoredSession, isForced: Bool) -> Exchanges.Work {
        exchanges.lastNumber += 1
        let number = exchanges.lastNumber
        let work = Exchanges.Work {
            let result = await self.runExchange(used, isForced: isForced, number: number)
            self.exchanges.running[number] = nil
            return result
        }
        exchanges.running[number] = work
        return work
    }

    /// Runs the part of an exchange for which it has exclusive access to the item.
    func markingExclusive<R>(_ number: Int, _ body: () async -> R) async -> R {
        exchanges.exclusiveNumber = number
        defer { if exchanges.exclusiveNumber == number { exchanges.exclusiveNumber = nil } }
        return await body()
    }
}

extension SessionError {
    static var drained: SessionError {
        SessionError(
            .drained,
            "The manager was drained, because the program ends: it asks the server for no token.")
    }
}
