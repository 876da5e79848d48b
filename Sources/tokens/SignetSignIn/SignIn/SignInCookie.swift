// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetIdentity

/// The cookie that binds a sign-in to its browser.
///
/// `__Host-` makes a browser accept the cookie only from this host, over https, for all paths: no
/// subdomain can plant it. `state` chooses among eight names, so that sign-ins in several tabs
/// seldom overwrite each other, and a request never carries more than eight cookies.
struct SignInCookie: Sendable {
    private static let prefix = "__Host-signet-signin-"
    private static let digits = Array("01234567".utf8)

    private let form: HostCookie

    init(_ mode: CodeFlow.ResponseMode) {
        // Lax cookies do not come with a POST from the provider's page.
        form = HostCookie(mode == .query ? .lax : .none)
    }

    /// The value of `Set-Cookie` that keeps a ticket.
    func set(_ ticket: String, for state: AuthorizationState) -> String {
        form.setting(ticket, named: Self.name(state), forSeconds: Int64(PendingSignIn.lifetime))
    }

    /// The value of `Set-Cookie` that removes the ticket.
    func clear(for state: AuthorizationState) -> String { form.clearing(Self.name(state)) }

    /// The ticket in the value of a `Cookie` field; nil if there is none.
    static func ticket(in cookies: String, for state: AuthorizationState) -> String? {
        HostCookie.values(of: name(state), in: [cookies]).first
    }

    private static func name(_ state: AuthorizationState) -> String {
        let sum = state.exposedText.utf8.reduce(0 as UInt8) { $0 &* 31 &+ $1 }
        // The upper three bits: 0 to 7.
        return prefix + String(decoding: [digits[Int(sum >> 5)]], as: UTF8.self)
    }
}
