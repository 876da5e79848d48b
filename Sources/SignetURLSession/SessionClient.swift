// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import FoundationNetworking
internal import SignetIdentity

/// One `URLSession` and the exchanges that go through it.
///
/// One session for many exchanges and not one each: the end of a session races with its sockets in swift-corelibs-foundation (issues
/// 4791, 5321, 5411).
final class SessionClient: Sendable {
    private let session: URLSession
    private let delegate = ExchangeDelegate()

    init() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.httpCookieAcceptPolicy = .never
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: InlineQueue())
    }

    // The session holds its delegate until then, and the delegate nothing of this.
    deinit { session.finishTasksAndInvalidate() }

    func exchange(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse {
        if Task.isCancelled { throw .gaveUp }
        try ProxyEnvironment.process.checkStaysHere(request.url)
        let task = session.dataTask(with: try Self.urlRequest(for: request))
        let exchange = Exchange(task: task, maximumBodyByteCount: request.maximumBodyByteCount)
        delegate.add(exchange)
        defer { delegate.remove(exchange) }
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                exchange.start(continuation, timeout: request.timeout)
            }
        } onCancel: {
            exchange.stop(.gaveUp)
        }
        return try outcome.get()
    }

    private static func urlRequest(for request: TransportRequest) throws(TransportFailure) -> URLRequest {
        guard let url = URL(string: request.url.text) else {
            throw TransportFailure(.unreachable, "Foundation does not read this address.")
        }
        var made = URLRequest(url: url, cachePolicy: .reloadIgnoringLocalCacheData)
        // A net under the exchange's own clock: whole seconds only, and begun anew where a connection is waited for.
        made.timeoutInterval = Double(request.timeout.wholeMilliseconds / 1000) + 60
        made.httpShouldHandleCookies = false
        made.setValue(request.accept, forHTTPHeaderField: "Accept")
        made.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        made.setValue("signet", forHTTPHeaderField: "User-Agent")
        // An empty value keeps it from being sent: the language of this machine is nobody's business.
        made.setValue("en", forHTTPHeaderField: "Accept-Language")
        if let authorization = request.authorization {
            made.setValue(authorization, forHTTPHeaderField: "Authorization")
        }
        if case .post(let body, let contentType) = request.method {
            made.httpMethod = "POST"
            made.httpBody = Data(body)
            made.setValue(contentType, forHTTPHeaderField: "Content-Type")
        }
        return made
    }
}
