// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetBase
public import SignetIdentity
internal import SignetJSON
internal import SignetSignIn

/// Hands codes and notices to a program of yours, which sends them through any provider: one signed
/// POST for each, by Standard Webhooks 1.0.0.
///
/// ```swift
/// let hook = try WebhookMessageSender(
///     EndpointURL("https://messages.example/hook"), secrets: [secret], transport: .curl)
/// ```
///
/// The body is JSON: `{"data":{"code":"314159","phone":"+1…","purpose":"sign-in"},
/// "type":"message.code"}` or `{"data":{"change":"password","email":"…","stands_for_others":false},
/// "type":"message.notice"}`. `webhook-id` is the message's own name and the body is the same at
/// each attempt, so the receiver drops what it has seen. The code is in the body: over https only
/// the receiver reads it. Nothing of it reaches a log or an error.
public struct WebhookMessageSender: MessageSender, Redacted {
    private static let secretCounts = 1...8
    /// The status by which a receiver refuses a message for good.
    private static let gone = 410

    private let url: EndpointURL
    private let secrets: [WebhookSecret]
    private let clock: TimeSource
    private let transport: any IdentityTransport

    /// Makes a sender to an address. Nothing is connected yet.
    ///
    /// - Parameters:
    ///   - url: where the receiver takes hooks.
    ///   - secrets: each signs every hook. To exchange a secret, give both until the receiver has
    ///     the new one.
    ///   - clock: for `webhook-timestamp`, which the receiver compares with its own time.
    ///   - transport: carries the requests, such as `SignetCurl`'s.
    /// - Throws: `invalidParameter` for no secret, or more than eight.
    public init(
        _ url: EndpointURL, secrets: [WebhookSecret], clock: TimeSource = .system,
        transport: some IdentityTransport
    ) throws(AccountError) {
        guard Self.secretCounts.contains(secrets.count) else {
            throw AccountError(
                .invalidParameter, "A hook is signed by 1 to 8 secrets, not \(secrets.count).")
        }
        self.url = url
        self.secrets = secrets
        self.clock = clock
        self.transport = transport
    }

    /// Hands a message over.
    ///
    /// - Throws: `messageRefused` if the receiver answers 410; `unavailable` for each other answer
    ///   but 2xx, for none, and for one that the transport refuses; `cancelled`.
    public func send(_ message: CodeMessage) async throws(AccountError) {
        try await post(
            "message.code", id: message.id, to: message.destination,
            members: [
                "purpose": .string(message.purpose.name),
                "code": .string(message.code.exposedText),
                "link": message.link.map { .string($0) },
            ].compactMapValues(\.self))
    }

    /// Hands a notice over.
    ///
    /// - Throws: `messageRefused`, `unavailable` and `cancelled`, by the same rules as for a code.
    public func send(_ notice: NoticeMessage) async throws(AccountError) {
        try await post(
            "message.notice", id: notice.id, to: notice.destination,
            members: [
                "change": .string(notice.change.name),
                "stands_for_others": .bool(notice.standsForOthers),
            ])
    }

    private func post(
        _ type: String, id: String, to destination: CodeDestination, members: [String: JSONValue]
    ) async throws(AccountError) {
        try MessageName.check(id)
        var data = members
        switch destination {
        case .phone: data["phone"] = .string(destination.exposedText)
        case .email: data["email"] = .string(destination.exposedText)
        }
        let request = try request(["type": .string(type), "data": .object(data)], id: id)
        let response = try await request.send(over: transport)
        switch response.status {
        case 200..<300: return
        case Self.gone:
            throw AccountError(.messageRefused, "The hook's receiver refuses the message (410).")
        default:
            throw AccountError(
                .unavailable,
                "The hook's receiver does not take the message now (\(response.status)).")
        }
    }

    private func request(
        _ members: JSONValue, id: String
    ) throws(AccountError) -> ProviderRequest {
        let body: [UInt8]
        do { body = try StrictJSON.encode(members) } catch { throw Self.unwritable(error) }
        let seconds = clock.now().secondsSince1970.rounded(.down)
        let timestamp = String(Int64(exactly: seconds) ?? 0)
        let signatures = try secrets.map { (secret) throws(AccountError) in
            try secret.signature(of: body, id: id, timestamp: timestamp)
        }
        do {
            return ProviderRequest(
                url: url, body: .init(body, contentType: "application/json"),
                fields: [
                    try .init(name: "webhook-id", value: id),
                    try .init(name: "webhook-timestamp", value: timestamp),
                    try .init(
                        name: "webhook-signature", value: signatures.joined(separator: " ")),
                ])
        } catch { throw Self.unwritable(error) }
    }

    private static func unwritable(_ error: any Error) -> AccountError {
        AccountError(.invalidParameter, underlying: error, "The hook cannot be written.")
    }
}
