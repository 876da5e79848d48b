// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetIdentity

/// A Supabase project, or another GoTrue server below `/auth/v1`.
public struct SupabaseProject: Sendable, CustomStringConvertible {
    /// The project's address, without `/auth/v1`.
    public let url: EndpointURL
    /// The address of its authentication server, which is the issuer of its tokens.
    public let authURL: EndpointURL

    /// Set this only if the project has required every user since its first day to confirm their
    /// e-mail address ("Confirm email"). Otherwise anyone could have signed up with any address,
    /// which still counts as confirmed: GoTrue's responses do not distinguish addresses that were
    /// confirmed from addresses that only count as confirmed.
    public var hasAlwaysConfirmedEmail = false

    /// A project of supabase.co.
    ///
    /// - Parameter ref: the project's reference, the first label of `https://REF.supabase.co`.
    /// - Throws: `invalidIdentifier`.
    public init(ref: String) throws(IdentityConfigurationError) {
        let reference = try Identifier.label(ref, as: "project reference")
        try self.init(url: EndpointURL("https://\(reference).supabase.co"))
    }

    /// A project at another address: https, or http on this machine.
    ///
    /// - Throws: `invalidURL` for an address with a query.
    public init(url: EndpointURL) throws(IdentityConfigurationError) {
        self.url = url
        authURL = try url.appending(path: "auth/v1")
    }

    /// The address.
    public var description: String { "SupabaseProject(\(url))" }
}
