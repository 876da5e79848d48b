// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetIdentity
internal import SignetJOSE

extension BackChannelLogout {
    /// Like `receive(_:ending:)`, with the request's body (`application/x-www-form-urlencoded`),
    /// which holds `logout_token` once.
    public func receive(
        form body: String, ending end: (VerifiedLogout) async throws -> Void
    ) async -> Answer {
        // An empty token is rejected as malformed.
        await receive(Self.token(in: body)?.swiftString() ?? "", ending: end)
    }

    private static func token(in body: String) -> ReceivedText? {
        guard body.utf8.count <= AuthorizationCallback.maximumByteCount,
            let parameters = FormEncoding.decode(body)
        else { return nil }
        let tokens = parameters.filter { $0.name.isEqual(to: "logout_token") }
        return tokens.count == 1 ? tokens.first?.value : nil
    }
}
