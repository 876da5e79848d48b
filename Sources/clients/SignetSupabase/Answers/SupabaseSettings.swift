// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

/// A project's public settings. A setting is nil if the server does not state it.
public struct SupabaseSettings: Sendable {
    /// Whether only people with an account can sign in.
    public let disablesSignUp: Bool?
    /// Whether e-mail addresses count as confirmed without a message to them.
    public let mailerAutoconfirm: Bool?
    /// Whether phone numbers count as confirmed without a message to them.
    public let phoneAutoconfirm: Bool?
    /// The enabled providers, including `email` and `phone`.
    public let providers: Set<SupabaseProvider>

    /// The most members of `external` that are read.
    private static let maximumProviderCount = 256

    init(_ node: JSONNode) throws(SupabaseError) {
        disablesSignUp = node.member("disable_signup")?.boolValue
        mailerAutoconfirm = node.member("mailer_autoconfirm")?.boolValue
        phoneAutoconfirm = node.member("phone_autoconfirm")?.boolValue
        var providers = Set<SupabaseProvider>()
        if let external = node.member("external") {
            for (name, isOn) in external.members.prefix(Self.maximumProviderCount)
            where isOn.boolValue == true
                && name.byteCount <= SupabaseProvider.maximumNameByteCount
            {
                let provider = SupabaseProvider(name.swiftString())
                if provider.isValid { providers.insert(provider) }
            }
        }
        self.providers = providers
    }
}
