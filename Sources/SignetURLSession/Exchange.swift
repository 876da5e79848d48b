// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import Foundation
internal import FoundationNetworking
internal import SignetIdentity
internal import SystemBridge

/// One request and what has come of it so far. It ends once, and whoever waits is told at that moment, whatever `URLSession` does then.
final class Exchange: Sendable {
    typealias Outcome = Result<TransportResponse, TransportFailure>

    private struct State {
        var waiter: CheckedContinuation<Outcome, Never>?
        var outcome: Outcome?
        var timer: (any DispatchSourceTimer)?
        var head: HTTPURLResponse?
        var body = [UInt8]()
    }

    private static let clock = DispatchQueue(label: "signet.exchange.clock")
    // A task's cancel() waits for the session's queue: it is never called where a Swift task is cancelled (swift-corelibs-foundation, issue
    // 5412), nor where time is kept.
    private static let ends = DispatchQueue(label: "signet.exchange.end")

    let task: URLSessionDataTask
    private let maximumBodyByteCount: Int
    private let state = Locked(State())

    init(task: URLSessionDataTask, maximumBodyByteCount: Int) {
        self.task = task
        self.maximumBodyByteCount = max(0, maximumBodyByteCount)
    }

    /// Sends the request, unless it was stopped before.
    func start(_ waiter: CheckedContinuation<Outcome, Never>, timeout: Duration) {
        let timer = DispatchSource.makeTimerSource(queue: Self.clock)
        timer.schedule(deadline: .now() + .milliseconds(timeout.wholeMilliseconds))
        timer.setEventHandler { [weak self] in
            self?.stop(TransportFailure(.timedOut, "No complete answer in time."))
        }
        timer.activate()
        let early = state.withLock { state -> Outcome? in
            guard state.outcome == nil else { return state.outcome }
            state.waiter = waiter
            state.timer = timer
            return nil
        }
        if let early {
            timer.cancel()
            waiter.resume(returning: early)
        } else {
            task.resume()
        }
    }

    /// Ends it without an answer.
    func stop(_ failure: TransportFailure) {
        if end(.failure(failure)) { cancelTask() }
    }

    func receive(head: URLResponse) {
        guard let head = head as? HTTPURLResponse else {
            return stop(TransportFailure(.invalidResponse, "What came is no answer of HTTP."))
        }
        if head.expectedContentLength > Int64(maximumBodyByteCount) { return stop(.longBody) }
        state.withLock { $0.head = head }
    }

    func receive(body data: Data) {
        let fits = state.withLock { state -> Bool in
            guard state.outcome == nil else { return true }
            guard data.count <= maximumBodyByteCount - state.body.count else { return false }
            state.body.append(contentsOf: data)
            return true
        }
        if !fits { stop(.longBody) }
    }

    /// Takes an answer after which `URLSession` would go on by itself.
    func takeAndStop(_ head: URLResponse?) {
        if let head = head as? HTTPURLResponse { state.withLock { $0.head = head } }
        complete(nil)
        cancelTask()
    }

    func complete(_ error: (any Error)?) {
        if let error {
            _ = end(
                .failure(TransportFailure(error, isEncrypted: task.originalRequest?.url?.scheme == "https")))
            return
        }
        let (told, body) = state.withLock { ($0.head, $0.body) }
        // Of a redirect to nowhere the head is not told.
        guard let head = told ?? task.response as? HTTPURLResponse else {
            _ = end(.failure(TransportFailure(.invalidResponse, "The answer has no head.")))
            return
        }
        let fields = head.allHeaderFields.compactMap { name, value -> TransportResponse.Field? in
            guard let name = name as? String, let value = value as? String else { return nil }
            return TransportResponse.Field(name: name, value: value)
        }
        _ = end(.success(TransportResponse(status: head.statusCode, fields: fields, body: body)))
    }

    private func end(_ outcome: Outcome) -> Bool {
        let ended = state.withLock { state -> State? in
            guard state.outcome == nil else { return nil }
            let before = state
            state = State(outcome: outcome)
            return before
        }
        ended?.timer?.cancel()
        ended?.waiter?.resume(returning: outcome)
        return ended != nil
    }

    private func cancelTask() {
        Self.ends.async { [task] in task.cancel() }
    }
}
