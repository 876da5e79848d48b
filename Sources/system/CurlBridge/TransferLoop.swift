// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import CSignetCurl
internal import SignetBase

/// The thread that runs the exchanges of a ``CurlClient``, and the libcurl handle that only this
/// thread uses.
///
/// Callers on any thread put transfers into the inbox (``add(_:)``, ``drop(_:)``) and wake the
/// thread. The thread repeats four steps (`run`): it takes what is in the inbox, lets libcurl work,
/// tells the callers of ended transfers, and waits for a socket, for time or for a caller. It ends,
/// and closes all connections, when it has been idle for a while.
///
/// `@unchecked Sendable`: `inbox` and `sockets` have locks, and callers use the descriptor only
/// under the lock of `inbox`, while it is open. Only the thread uses anything else that changes.
@safe
final class TransferLoop: @unchecked Sendable {
    /// What callers want of the thread, until it looks.
    private struct Inbox {
        /// The transfers to begin.
        var begun: [Transfer] = []
        /// The transfers that are over, whatever libcurl is doing with them.
        var dropped: [Transfer] = []
        /// No client is left that could add a transfer.
        var hasNoClient = false
        var isClosed = false
    }

    private let inbox = Locked(Inbox())
    /// The sockets of the transfers in the table.
    private let sockets = Locked<[ObjectIdentifier: TransferSockets]>([:])
    private let settings: CurlSettings
    private let descriptor: Int32
    private let multi: UnsafeMutableRawPointer
    /// The transfers in libcurl's hands.
    private var table: [ObjectIdentifier: EasyTransfer] = [:]
    /// The value of the inbox when the thread last looked.
    private var hasNoClient = false
    /// When the table became empty; nil while it is not.
    private var idleSince: ContinuousClock.Instant?

    /// Starts the thread, which keeps this object until it ends. It starts with its first transfer:
    /// otherwise it might be idle for long enough to end before that arrives.
    static func start(
        _ settings: CurlSettings, with first: Transfer
    ) throws(CurlFailure) -> TransferLoop {
        guard CurlLibrary.isReady else { throw CurlFailure(.unavailable) }
        let loop = try TransferLoop(settings)
        _ = loop.add(first)
        let context = unsafe Unmanaged.passRetained(loop)
        let code = unsafe ccurl_thread_start(
            { context in
                if let context = unsafe context {
                    unsafe Unmanaged<TransferLoop>.fromOpaque(context).takeRetainedValue().run()
                }
                return nil
            }, context.toOpaque())
        guard code == 0 else {
            unsafe context.release()
            throw CurlFailure(.unavailable)
        }
        return loop
    }

    private init(_ settings: CurlSettings) throws(CurlFailure) {
        let descriptor = ccurl_wake_new()
        guard descriptor >= 0 else { throw CurlFailure(.unavailable) }
        guard
            let multi = unsafe ccurl_multi_new(settings.maximumConnectionsPerHost)
        else {
            ccurl_wake_free(descriptor)
            throw CurlFailure(.unavailable)
        }
        self.settings = settings
        self.descriptor = descriptor
        unsafe self.multi = multi
    }

    // If the inbox is closed, the thread has freed everything: connections are closed there, and
    // not on whichever thread releases this object last.
    deinit { if !inbox.withLock({ $0.isClosed }) { free() } }

    private func free() {
        unsafe ccurl_multi_free(multi)
        ccurl_wake_free(descriptor)
    }

    /// Takes a transfer; false if this loop has ended, so the caller must start a new loop.
    func add(_ transfer: Transfer) -> Bool {
        // A transfer that is over needs no loop, so there is nothing to start anew.
        guard transfer.recordLoop(self) else { return true }
        return changeInbox { $0.begun.append(transfer) }
    }

    /// Drops a transfer that is over.
    func drop(_ transfer: Transfer) { _ = changeInbox { $0.dropped.append(transfer) } }

    /// Ends the loop once the running transfers have ended.
    func finish() { _ = changeInbox { $0.hasNoClient = true } }

    /// Changes the inbox and wakes the thread; false if the loop has ended.
    private func changeInbox(_ change: (inout Inbox) -> Void) -> Bool {
        inbox.withLock { inbox in
            guard !inbox.isClosed else { return false }
            change(&inbox)
            ccurl_wake(descriptor)
            return true
        }
    }

    /// Shuts all connections, because the process ends.
    func shut() { for sockets in Array(sockets.withLock { $0 }.values) { sockets.shut() } }

    // MARK: The thread

    private func run() {
        ccurl_thread_named()
        CurlEnd.add(self) { self.shut() }
        CurlEnd.enter()
        while takeInbox() {
            if unsafe ccurl_multi_perform(multi) != 0 { endAllTransfers() }
            var code: Int32 = 0
            while let easy = unsafe ccurl_multi_next(multi, &code) {
                unsafe endTransfer(of: easy, code: code)
            }
            CurlEnd.leave()
            // Without this pause the thread would poll again and again on a machine that is out of
            // memory or descriptors.
            if unsafe ccurl_multi_poll(multi, descriptor, waitingTime()) != 0 { ccurl_pause(10) }
            ccurl_wake_taken(descriptor)
            CurlEnd.enter()
        }
        free()
        CurlEnd.leave()
        CurlEnd.remove(self)
    }

    /// Takes what callers have put into the inbox; false when the loop has to end.
    private func takeInbox() -> Bool {
        let isIdle = table.isEmpty
        let isIdleForLong =
            isIdle && idleSince.map { $0.duration(to: .now) >= settings.idleTime } ?? false
        idleSince = isIdle ? idleSince ?? .now : nil
        // Decided and closed under one lock, so no caller adds a transfer in between.
        let taken = inbox.withLock { inbox in
            let hasNoWork = isIdle && inbox.begun.isEmpty
            if hasNoWork, inbox.hasNoClient || isIdleForLong { inbox.isClosed = true }
            let taken = inbox
            inbox.begun = []
            inbox.dropped = []
            return taken
        }
        hasNoClient = taken.hasNoClient
        for transfer in taken.begun { addToLibcurl(transfer) }
        for transfer in taken.dropped { removeFromLibcurl(ObjectIdentifier(transfer)) }
        return !taken.isClosed
    }

    private func addToLibcurl(_ transfer: Transfer) {
        guard !transfer.isOver else { return }
        let easy: EasyTransfer
        do {
            easy = try EasyTransfer(transfer, settings: settings)
        } catch {
            return transfer.end(.failure(error))
        }
        guard unsafe ccurl_multi_add(multi, easy.easy) == 0 else {
            return transfer.end(.failure(CurlFailure(.unavailable)))
        }
        table[ObjectIdentifier(transfer)] = easy
        sockets.withLock { $0[ObjectIdentifier(transfer)] = transfer.sockets }
    }

    /// Tells the caller of a transfer that libcurl has ended with this code.
    @unsafe
    private func endTransfer(of easy: UnsafeMutableRawPointer, code: Int32) {
        guard let context = unsafe ccurl_context(easy) else { return }
        let ended = unsafe Unmanaged<EasyTransfer>.fromOpaque(context).takeUnretainedValue()
        removeFromLibcurl(ObjectIdentifier(ended.transfer))
        ended.transfer.end(ended.outcome(of: code))
    }

    /// Ends all transfers, because libcurl is no longer usable.
    private func endAllTransfers() {
        for (key, easy) in table {
            easy.transfer.end(.failure(CurlFailure(.unavailable)))
            removeFromLibcurl(key)
        }
    }

    private func removeFromLibcurl(_ key: ObjectIdentifier) {
        guard let easy = table[key] else { return }
        _ = unsafe ccurl_multi_remove(multi, easy.easy)
        table[key] = nil
        _ = sockets.withLock { $0.removeValue(forKey: key) }
    }

    /// In milliseconds; what has to be done wakes the thread earlier.
    private static let maximumWaitingTime: Int32 = 60_000

    /// How long the thread waits for libcurl or a caller, in milliseconds: no longer than it may
    /// stay idle.
    private func waitingTime() -> Int32 {
        if hasNoClient, table.isEmpty { return 0 }
        guard table.isEmpty else { return Self.maximumWaitingTime }
        guard let until = idleSince?.advanced(by: settings.idleTime) else { return 0 }
        return Int32(
            ContinuousClock.now.duration(to: until).milliseconds(
                atMost: Int(Self.maximumWaitingTime)))
    }
}
