// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase

/// Runs long computations, such as deriving a hash from a password, on its own threads: some at
/// once, some queued in order, and all further computations refused. A thread ends when nothing
/// waits.
///
///     let queue = try DerivationQueue(concurrency: 2, length: 64)
///     let hash = try await queue.run { try derive(password) }  // `busy` if 64 wait already
package final class DerivationQueue: Sendable {
    // A caller's work is a job. `startOrQueue` starts a thread with it, lets it wait, or refuses it.
    // A thread runs waiting jobs until none is left (`runJobs`).

    private struct Job: Sendable {
        /// By which a cancelled caller finds its job.
        let id: UInt64
        /// Does the work, and returns the closure that resumes its caller.
        let run: @Sendable () -> @Sendable () -> Void
        /// Resumes the caller with an error, without doing the work.
        let refuse: @Sendable (AccountError) -> Void
    }

    private struct State {
        var lastID: UInt64 = 0
        /// How many threads run.
        var running = 0
        var waiting: [Job] = []
    }

    private enum Admission {
        case startsThread, waits
        case refused(AccountError)
    }

    private let concurrency: Int
    private let length: Int
    private let state = Locked(State())

    /// - Parameters:
    ///   - concurrency: how many computations run at once.
    ///   - length: how many more may wait.
    /// - Throws: `invalidParameter` for numbers out of their ranges.
    package init(concurrency: Int, length: Int) throws(AccountError) {
        if let fault = ParameterRange.fault(
            .init("concurrency", value: concurrency, in: 1...1024),
            .init("length", value: length, in: 0...10_000))
        {
            throw AccountError(.invalidParameter, fault)
        }
        self.concurrency = concurrency
        self.length = length
    }

    /// Runs `work` on one of the queue's threads, and waits for its end. A cancelled caller leaves
    /// the queue; work that has begun is finished.
    ///
    /// - Throws: what `work` throws, `busy`, `cancelled`, `unavailable`.
    package func run<Value: Sendable>(
        _ work: @escaping @Sendable () throws(AccountError) -> Value
    ) async throws(AccountError) -> Value {
        let id = state.withLock { state in
            state.lastID &+= 1
            return state.lastID
        }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation {
                (continuation: CheckedContinuation<Result<Value, AccountError>, Never>) in
                startOrQueue(
                    Job(
                        id: id,
                        run: {
                            let result = Result(catching: work)
                            return { continuation.resume(returning: result) }
                        },
                        refuse: { continuation.resume(returning: .failure($0)) }))
            }
        } onCancel: {
            removeWaiting(id)?.refuse(Self.cancelled)
        }
        return try result.get()
    }

    /// Takes a job out of the queue; nil if it does not wait there.
    private func removeWaiting(_ id: UInt64) -> Job? {
        state.withLock { state -> Job? in
            let place = state.waiting.firstIndex { $0.id == id }
            return place.map { state.waiting.remove(at: $0) }
        }
    }

    /// Starts a thread with the job, or lets the job wait, or refuses it.
    private func startOrQueue(_ job: Job) {
        // Under the lock: a cancellation finds the job in the queue, or is seen here.
        let admission: Admission = state.withLock { state in
            if Task.isCancelled { return .refused(Self.cancelled) }
            if state.running < concurrency {
                state.running += 1
                return .startsThread
            }
            guard state.waiting.count < length else { return .refused(Self.busy) }
            state.waiting.append(job)
            return .waits
        }
        switch admission {
        case .waits: break
        case .refused(let error): job.refuse(error)
        case .startsThread:
            let hasStarted = SystemThread.start { self.runJobs(from: job) }
            if !hasStarted { refuseWithoutThread(job) }
        }
    }

    /// Runs a job, and then the waiting jobs until none is left.
    private func runJobs(from first: Job) {
        var job: Job? = first
        while let current = job {
            let resumeCaller = current.run()
            job = state.withLock { state in
                if !state.waiting.isEmpty { return state.waiting.removeFirst() }
                state.running -= 1
                return nil
            }
            // Resumes the caller last, so that it finds the thread free for its next work.
            resumeCaller()
        }
    }

    /// Refuses a job for which no thread could be started. Waiting jobs are refused too, if no
    /// thread is left to run them.
    private func refuseWithoutThread(_ job: Job) {
        let stranded = state.withLock { state -> [Job] in
            state.running -= 1
            guard state.running == 0 else { return [] }
            defer { state.waiting = [] }
            return state.waiting
        }
        for job in [job] + stranded {
            job.refuse(AccountError(.unavailable, "The system starts no thread."))
        }
    }

    private static var busy: AccountError {
        AccountError(
            .busy, retryAfter: .seconds(1),
            "Too many passwords are being checked. Please try again in a moment.")
    }

    private static var cancelled: AccountError {
        AccountError(.cancelled, "The caller's task was cancelled.")
    }
}
