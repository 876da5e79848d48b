// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import CLibsecret
internal import Dispatch
internal import SignetPlatform

/// Does work with the Secret Service, piece by piece, on its own thread outside Swift's pool.
///
/// The caller gets an answer by the deadline, even if the thread is stuck in a library: the call is
/// cancelled, and if the thread still does not return after a while, a new thread replaces it. The
/// time spent waiting for earlier work counts.
package final class ServiceThread: @unchecked Sendable {
    private struct State {
        var waiting: [ServiceJob] = []
        var runner: ServiceRunner?
        var current: ServiceJob?
    }

    /// What a thread does next.
    enum Step {
        case work(ServiceJob)
        case wait
        case stop
    }

    /// The process's thread. There is a single bus with a single service, hence a single queue.
    package static let shared = ServiceThread()

    /// How long a cancelled call may take to return before its thread is replaced.
    private static let graceMilliseconds = 2000

    private let state = Locked(State())
    private let processIdentity = ProcessIdentity.current
    // A queue of its own, so that deadlines pass on time however busy the global queues are.
    private let deadlines = DispatchQueue(label: "signet.secret-service.deadlines")

    /// A separate thread, for tests. Everything else uses ``shared``.
    package init() {}

    /// Does `work` on the service's thread.
    ///
    /// - Parameters:
    ///   - milliseconds: the deadline, from now; at least 1.
    ///   - promptLimit: for a prompt that the service shows; without it the deadline holds for a
    ///     prompt too.
    /// - Returns: the result of `work`; a failure if the deadline passes or the task is cancelled
    ///   first.
    package func run<R: Sendable>(
        milliseconds: Int, promptLimit: PromptLimit? = nil,
        _ work: @escaping @Sendable (KeyringConnection) -> R
    ) async -> Result<R, SecretServiceFailure> {
        let job = ServiceJob(promptLimit: promptLimit)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                startJob(job, milliseconds: milliseconds, work: work) {
                    continuation.resume(returning: $0)
                }
            }
        } onCancel: {
            fail(job, with: SecretServiceFailure(.cancelled, operation: "cancelled by its task"))
        }
    }

    /// Does `work` on the service's thread, like the async form, but blocks the calling thread
    /// meanwhile. Must never be called from within `work`.
    package func runBlocking<R: Sendable>(
        milliseconds: Int, promptLimit: PromptLimit? = nil,
        _ work: @escaping @Sendable (KeyringConnection) -> R
    ) -> Result<R, SecretServiceFailure> {
        let outcome = Locked<Result<R, SecretServiceFailure>?>(nil)
        let isAnswered = DispatchSemaphore(value: 0)
        startJob(ServiceJob(promptLimit: promptLimit), milliseconds: milliseconds, work: work) {
            result in
            outcome.withLock { $0 = result }
            isAnswered.signal()
        }
        isAnswered.wait()
        return outcome.withLock { $0 }
            ?? .failure(SecretServiceFailure(.other, operation: "no answer"))
    }

    /// Queues the work of a job. Its result, or its failure, goes to `deliver`, once.
    private func startJob<R: Sendable>(
        _ job: ServiceJob, milliseconds: Int, work: @escaping @Sendable (KeyringConnection) -> R,
        deliver: @escaping @Sendable (Result<R, SecretServiceFailure>) -> Void
    ) {
        job.prepare(
            work: { connection in
                let result = work(connection)
                job.deliver { deliver(.success(result)) }
            },
            otherwise: { deliver(.failure($0)) })
        submit(job, milliseconds: milliseconds)
    }

    // MARK: The queue

    private func submit(_ job: ServiceJob, milliseconds: Int) {
        // In a child of `fork` neither the thread nor the queue of the deadlines exists, so nothing
        // would ever answer.
        guard ProcessIdentity.current == processIdentity else {
            job.fail(SecretServiceFailure(.forked, operation: "queue"))
            return
        }
        // The queue keeps the job until the deadline. Once answered, a job holds next to nothing.
        deadlines.asyncAfter(deadline: .now() + .milliseconds(max(milliseconds, 1))) {
            self.deadlinePassed(job)
        }
        let runner = state.withLock { state -> ServiceRunner in
            state.waiting.append(job)
            if let runner = state.runner { return runner }
            let runner = ServiceRunner(self)
            state.runner = runner
            return runner
        }
        if start(runner) {
            runner.wake()
        } else {
            fail(job, with: SecretServiceFailure(.other, operation: "pthread_create"))
        }
    }

    /// Ends the job, unless it waits for a person: that wait has its own end.
    private func deadlinePassed(_ job: ServiceJob) {
        guard let end = job.promptEnd else {
            return fail(job, with: SecretServiceFailure(.timedOut, operation: "deadline"))
        }
        guard end > .now() else {
            return fail(job, with: SecretServiceFailure(.timedOut, operation: "prompt"))
        }
        deadlines.asyncAfter(deadline: end) { self.deadlinePassed(job) }
    }

    private func fail(_ job: ServiceJob, with failure: SecretServiceFailure) {
        guard job.fail(failure) else { return }
        state.withLock { state in state.waiting.removeAll { $0 === job } }
        deadlines.asyncAfter(deadline: .now() + .milliseconds(Self.graceMilliseconds)) {
            self.replaceThread(stuckIn: job)
        }
    }

    /// Starts a new thread for the waiting jobs, if the old thread is still in the job that should
    /// have ended.
    private func replaceThread(stuckIn job: ServiceJob) {
        let runner = state.withLock { state -> ServiceRunner? in
            guard state.current === job else { return nil }
            state.current = nil
            let runner = ServiceRunner(self)
            state.runner = runner
            return runner
        }
        // If no thread can be started, the waiting jobs end at their deadlines.
        if let runner { _ = start(runner) }
    }

    /// Starts a runner. If it does not start, it is forgotten, so the next call tries again.
    private func start(_ runner: ServiceRunner) -> Bool {
        if runner.start() { return true }
        state.withLock { state in
            if state.runner === runner { state.runner = nil }
        }
        return false
    }

    /// Takes the first job of the queue. A thread that was replaced stops.
    func nextStep(of runner: ServiceRunner) -> Step {
        state.withLock { state in
            guard state.runner === runner else { return .stop }
            guard !state.waiting.isEmpty else { return .wait }
            let job = state.waiting.removeFirst()
            state.current = job
            return .work(job)
        }
    }

    func noteJobEnd(of runner: ServiceRunner) {
        state.withLock { state in
            if state.runner === runner { state.current = nil }
        }
    }
}
