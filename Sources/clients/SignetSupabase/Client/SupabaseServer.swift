// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetIdentity

/// A project's authentication server, as its clients reach it: ``SupabaseAuth``, and the
/// administrator's.
package struct SupabaseServer: Sendable {
    package let project: SupabaseProject
    /// The API version whose errors have codes.
    private let version: TransportRequest.Field
    private let answers: SupabaseAnswer.Limits
    private let transport: any IdentityTransport
    private let timeout: Duration

    /// - Throws: `outOfRange` for a timeout.
    package init(
        _ project: SupabaseProject, answers: SupabaseAnswer.Limits = .ofOneUser,
        transport: any IdentityTransport, timeout: Duration
    ) throws(IdentityConfigurationError) {
        version = try TransportRequest.Field(name: "X-Supabase-Api-Version", value: "2024-01-01")
        try TransportRequest.checkTimeout(timeout)
        self.project = project
        self.answers = answers
        self.transport = transport
        self.timeout = timeout
    }

    /// Sends a request, once.
    package func send(
        _ call: SupabaseCall, fields: [TransportRequest.Field]
    ) async throws(SupabaseError) -> SupabaseAnswer {
        let bearer = call.bearer.map { "Bearer " + $0.exposedText }
        let request = TransportRequest(
            url: try call.url(below: project.authURL), method: call.method, body: try call.body(),
            authorization: bearer, fields: [version] + fields,
            maximumBodyByteCount: answers.maximumByteCount, timeout: timeout)
        // A separate time limit: a sign-in must not wait for a transport that hangs.
        switch await TimedExchange.outcome(of: request, over: transport, clock: .system) {
        case .success(let response): return try SupabaseAnswer(response, limits: answers)
        case .failure(let failure): throw Self.error(failure)
        }
    }

    private static func error(_ failure: TransportFailure) -> SupabaseError {
        switch failure.code {
        case .cancelled: SupabaseError(.cancelled, underlying: failure, "The call was cancelled.")
        case .timedOut:
            SupabaseError(.timedOut, underlying: failure, "The server did not answer in time.")
        case .notTrusted, .notPinned:
            SupabaseError(
                .notTrusted, underlying: failure,
                "The server's certificate, or its key, is not trusted.")
        case .invalidRequest:
            SupabaseError(
                .invalidInput, underlying: failure,
                "The transport does not send such a request: none was.")
        case .bodyTooLarge, .invalidResponse:
            SupabaseError(
                .invalidAnswer, underlying: failure,
                "There was no answer of GoTrue's (\(failure.code)).")
        default:
            SupabaseError(
                .unreachable, underlying: failure, "There was no connection (\(failure.code)).")
        }
    }
}
