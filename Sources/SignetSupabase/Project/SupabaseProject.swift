// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetIdentity

/// A Supabase project, or another server of GoTrue's below `/auth/v1`.
public struct SupabaseProject: Sendable, CustomStringConvertible {
    /// The project's address, without `/auth/v1`.
    public let url: EndpointURL
    /// The address of its authentication server, which is the issuer of its tokens.
    public let authURL: EndpointURL

    /// Say yes only where this project has asked every user from its first day on to confirm their
    /// e-mail address ("Confirm email"). While it did not, anybody could sign up with anybody's
    /// address, which counts as confirmed ever since: GoTrue's answers do not tell the two apart.
    public var hasAlwaysConfirmedEmail = false

    /// A project of supabase.co.
    ///
    /// - Parameter ref: its reference, the first label of `https://REF.supabase.co`.
    /// - Throws: `invalidIdentifier`.
    public init(ref: String) throws(IdentityConfigurationError) {
        let reference = try Identifier.label(ref, "project reference")
        try self.init(url: EndpointURL("https://\(reference).supabase.co"))
    }

    /// A project at an address of its own: https, or http on this machine.
    ///
    /// - Throws: `invalidURL` for an address with a query.
    public init(url: EndpointURL) throws(IdentityConfigurationError) {
        self.url = url
        authURL = try url.appending(path: "auth/v1")
    }

    /// The address.
    public var description: String { "SupabaseProject(\(url))" }
}
