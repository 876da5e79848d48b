// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import Foundation
internal import SignetLogin
internal import SignetPlatform

/// Keeps signals from cutting off an exchange: from the request that spends a refresh token or a
/// code until what the server gave for it is stored. Cut off in between, it would cost the session.
///
/// 1. ``begin(_:notice:)``, before the request: signals that would end or stop the process are held
///    back from now on.
/// 2. The request, and storing what the server gave. A signal that comes is noted, and the user is
///    told that it has to wait.
/// 3. ``releaseSignIn()``, ``settle()`` or ``settleIfOver(isDone:)``: the noted signal acts.
///
/// Before and after an exchange, this type changes nothing about signals. A process has one
/// exchange, because its signals are shared.
final class RunningExchange: Sendable {
    static let current = RunningExchange()

    /// How long a signal waits at most: a request's limit, and 90 s of a busy store.
    private static let limit = Duration.seconds(30 + 90)

    private struct State {
        /// The running exchange; nil for none. A refresh ends with the work that `waiting` waits
        /// for, or when its manager is drained; a sign-in with ``releaseSignIn()`` or
        /// ``settle()``.
        var kind: ExchangeKind?
        var listener: SignalListener?
        /// A signal that has come, and has not acted yet. A signal that ends the process takes
        /// precedence over a signal that stops it.
        var signal: EndingSignal?
        /// Whether the signal no longer has to wait, though the work goes on.
        var isOver = false
        var drains: [@Sendable () async -> Void] = []
        /// The semaphore that the main thread waits for.
        var waiter: DispatchSemaphore?

        /// Whether a signal has come that ends the process.
        var isEnding: Bool { signal?.stops == false }
    }

    /// Why a signal no longer has to wait.
    private enum WaitEnd { case refreshHasEnded, timeIsOver }

    private let state = Locked(State())

    /// - Parameter drain: returns once a refresh has ended, and keeps a new refresh from beginning.
    func add(drain: @escaping @Sendable () async -> Void) {
        state.withLock { $0.drains.append(drain) }
    }

    /// Call it right before the request. Signals are held back when it returns.
    ///
    /// - Parameter notice: tells the user that a signal has come and has to wait.
    /// - Throws: if signals cannot be held back, or a signal has come: then send no request.
    func begin(_ kind: ExchangeKind, notice: @escaping @Sendable () -> Void) throws(SystemFailure) {
        try state.withLock { state throws(SystemFailure) in
            guard !state.isEnding else { throw .interrupted }
            if state.listener == nil {
                state.listener = try SignalListener { self.receive($0, notice) }
            }
            state.kind = kind
        }
    }

    /// Ends a sign-in whose request gave no tokens.
    func releaseSignIn() {
        let listener = state.withLock { state -> SignalListener? in
            guard state.kind == .signIn else { return nil }
            state.kind = nil
            return state.listener.take()
        }
        listener?.end()
        let stop = state.withLock { state -> EndingSignal? in
            guard let signal = state.signal else { return nil }
            if signal.stops { return state.signal.take() }
            state.isOver = true
            state.waiter?.signal()
            return nil
        }
        stop?.act()
    }

    /// Ends the exchange, if it runs, and lets a signal act that has come. Call it only from the
    /// main thread.
    func settle() {
        let listener = state.withLock { state in
            state.kind = nil
            return state.listener.take()
        }
        listener?.end()
        let signal = state.withLock { state -> EndingSignal? in
            state.isOver = false
            // A signal that ends the process stays, so nothing begins any more.
            return state.isEnding ? state.signal : state.signal.take()
        }
        guard let signal else { return }
        if !signal.stops { OpenedVaults.close() }
        signal.act()
    }

    /// - Parameter waiter: what wakes the main thread.
    func setWaiter(_ waiter: DispatchSemaphore) { state.withLock { $0.waiter = waiter } }

    /// Lets a signal act if it no longer has to wait.
    ///
    /// - Parameter isDone: whether the work has ended that the main thread waited for.
    func settleIfOver(isDone: Bool) {
        let isOver = state.withLock { $0.isOver || (isDone && $0.kind == .refresh) }
        if isOver { settle() }
    }

    /// Notes a signal. The first signal that ends the process takes the place of a signal that only
    /// stops it; all further signals change nothing.
    private func receive(_ signal: EndingSignal, _ notice: @Sendable () -> Void) {
        let (isFirst, isFirstToEnd) = state.withLock { state in
            let isFirst = state.signal == nil && state.kind != nil
            let isFirstToEnd = !signal.stops && !state.isEnding
            if isFirstToEnd || state.signal == nil { state.signal = signal }
            return (isFirst, isFirstToEnd)
        }
        if isFirst { notice() }
        if isFirstToEnd { limitWait() }
    }

    /// Lets the signal act once no refresh runs, or when ``limit`` is over.
    private func limitWait() {
        let drains = state.withLock { $0.drains }
        Task.detached { [self] in
            for drain in drains { await drain() }
            endWait(.refreshHasEnded)
        }
        Task.detached { [self] in
            await TimeSource.system.sleep(for: Self.limit)
            endWait(.timeIsOver)
        }
    }

    private func endWait(_ end: WaitEnd) {
        state.withLock { state in
            // During a sign-in the signal still waits for the sign-in's end.
            if end == .refreshHasEnded, state.kind != .refresh { return }
            state.isOver = true
            state.waiter?.signal()
        }
    }
}

extension SystemFailure {
    fileprivate static var interrupted: SystemFailure {
        SystemFailure(operation: "ask the server", errno: EINTR, reason: "a signal has come")
    }
}
