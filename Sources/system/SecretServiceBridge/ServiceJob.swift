// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import SignetBase

/// How long to wait for the user once the service shows a prompt, instead of the deadline, and the
/// closure to call when it is shown.
package struct PromptLimit: Sendable {
    let milliseconds: Int
    let notice: (@Sendable () -> Void)?

    package init(seconds: Int, notice: (@Sendable () -> Void)? = nil) {
        milliseconds = seconds * 1000
        self.notice = notice
    }
}

/// A piece of work for the service's thread. It is answered exactly once: by the work, by the
/// deadline or by a cancellation, whichever comes first.
final class ServiceJob: @unchecked Sendable {
    private struct State {
        var isAnswered = false
        /// A failure that came before there was a caller to tell.
        var early: SecretServiceFailure?
        var tell: (@Sendable (SecretServiceFailure) -> Void)?
        var work: (@Sendable (KeyringConnection) -> Void)?
        /// The time until which the user may answer a prompt.
        var promptEnd: DispatchTime?
    }

    let cancellation = Cancellation()
    private let state = Locked(State())
    private let promptLimit: PromptLimit?

    init(promptLimit: PromptLimit? = nil) { self.promptLimit = promptLimit }

    /// The time until which the user may answer a prompt; nil if none was shown.
    var promptEnd: DispatchTime? { state.withLock { $0.promptEnd } }

    /// Records that the service shows a prompt: from now on the job waits for a person.
    func promptAppeared() {
        guard let promptLimit else { return }
        let isFirst = state.withLock { state in
            defer { state.promptEnd = .now() + .milliseconds(promptLimit.milliseconds) }
            return state.promptEnd == nil
        }
        if isFirst { promptLimit.notice?() }
    }

    /// Sets the work, and the closure that receives the failure if the work is not done.
    func prepare(
        work: @escaping @Sendable (KeyringConnection) -> Void,
        otherwise tell: @escaping @Sendable (SecretServiceFailure) -> Void
    ) {
        let early = state.withLock { state -> SecretServiceFailure? in
            guard let early = state.early else {
                state.work = work
                state.tell = tell
                return nil
            }
            state.isAnswered = true
            return early
        }
        if let early { tell(early) }
    }

    /// Does the work, unless the job was answered while it waited.
    func perform(_ connection: KeyringConnection) {
        let work = state.withLock { state in
            defer { state.work = nil }
            return state.isAnswered ? nil : state.work
        }
        work?(connection)
    }

    /// Delivers the work's result, unless the job was answered before.
    func deliver(_ handOver: () -> Void) {
        let isFirst = state.withLock { state -> Bool in
            guard !state.isAnswered else { return false }
            state.isAnswered = true
            state.tell = nil
            return true
        }
        if isFirst { handOver() }
    }

    /// Answers with a failure and tells the work to stop.
    ///
    /// - Returns: whether this failure was the answer: no answer came before it.
    @discardableResult
    func fail(_ failure: SecretServiceFailure) -> Bool {
        let (tell, isFirst) = state.withLock {
            state -> ((@Sendable (SecretServiceFailure) -> Void)?, Bool) in
            guard !state.isAnswered, state.early == nil else { return (nil, false) }
            guard let tell = state.tell else {
                state.early = failure
                return (nil, true)
            }
            state.isAnswered = true
            state.tell = nil
            state.work = nil
            return (tell, true)
        }
        guard isFirst else { return false }
        tell?(failure)
        cancellation.cancel()
        return true
    }
}
