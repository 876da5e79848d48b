// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetIdentity

/// The website where browsers sign in, with Auth.js 5. Its visitors are users here.
package struct Website: Sendable {
    /// Whose pages may change something with the website's cookie.
    let origins: SiteOrigins
    private let secrets: [String]
    private let cookieName: AuthJSSessions.CookieName

    /// Nil if no website is named.
    init?(_ settings: Settings) throws {
        secrets = AuthJSSessions.secrets(environment: settings.values)
        guard !secrets.isEmpty || settings["AUTH_WEBSITE"] != nil else { return nil }
        let origin = try settings.required(
            "AUTH_WEBSITE", "the origin of the website whose AUTH_SECRET this is")
        origins = try settings.checked("AUTH_WEBSITE") { try SiteOrigins([origin]) }
        // Auth.js chooses the name in the same way.
        cookieName = origin.hasPrefix("https:") ? .secure : .unencrypted
        // A short secret is found at the start.
        _ = try settings.checked("AUTH_SECRET") { try sessions(clock: .system) }
    }

    /// Opens the website's cookies.
    func sessions(clock: TimeSource) throws -> AuthJSSessions {
        try AuthJSSessions(.v5, secrets: secrets, cookieName: cookieName, clock: clock)
    }
}
