// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetPlatform
internal import Synchronization

/// Exchanges over libcurl, on a thread that begins with the first exchange and ends after some idle
/// time.
public final class CurlClient: Sendable {
    private let settings: CurlSettings
    private let loop = Locked<TransferLoop?>(nil)
    /// The process that the thread belongs to; 0 before the first exchange.
    private let process = Atomic<Int32>(0)

    /// A client; its thread begins with the first exchange.
    public init(_ settings: CurlSettings) { self.settings = settings }

    package convenience init() { self.init(CurlSettings()) }

    // Running transfers are finished.
    deinit {
        guard isOurs else { return }
        loop.withLock { $0 }?.finish()
    }

    /// Sends a request; returns its complete response, or why there is none. Cancelling the task
    /// ends the exchange at once.
    public func exchange(_ request: CurlRequest) async -> Result<CurlAnswer, CurlFailure> {
        guard request.timeout > .zero else { return .failure(CurlFailure(.timedOut)) }
        guard !CurlEnd.hasBegun else {
            // The thread would stay out of libcurl, and an exchange wait for its time. Repeated
            // calls let other tasks run.
            await Task.yield()
            return .failure(CurlFailure(.unavailable))
        }
        let transfer = Transfer(request)
        // The only time limit: libcurl's own would count the time in which a process was stopped,
        // and drop a response that has already arrived.
        let timer = Task.detached { await transfer.giveUpWhenTimeIsOver() }
        defer { timer.cancel() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                if transfer.attach(waiter) { giveToLoop(transfer) }
            }
        } onCancel: {
            transfer.giveUp(.cancelled)
        }
    }

    /// Gives a transfer to the running loop, or to a new one.
    private func giveToLoop(_ transfer: Transfer) {
        do {
            try checkProcess()
            try loop.withLock { (loop: inout TransferLoop?) throws(CurlFailure) in
                if let loop, loop.add(transfer) { return }
                loop = try TransferLoop.start(settings, with: transfer)
            }
        } catch {
            transfer.end(.failure(error))
        }
    }

    /// Whether this process owns the thread, or there has been none. In a child of `fork` the lock
    /// may have lost its holder.
    private var isOurs: Bool {
        let first = process.load(ordering: .relaxed)
        return first == 0 || first == ProcessIdentity.current
    }

    /// Throws in a child of `fork`, where there is no thread.
    private func checkProcess() throws(CurlFailure) {
        let current = ProcessIdentity.current
        let (_, first) = process.compareExchange(
            expected: 0, desired: current, ordering: .relaxed)
        guard first == 0 || first == current else { throw CurlFailure(.unavailable) }
    }
}
