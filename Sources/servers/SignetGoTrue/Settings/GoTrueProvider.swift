// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts
public import SignetIdentity
internal import SignetJOSE
public import SignetSignIn

/// A provider that people may sign in with, by ID tokens alone or also through a browser.
public struct GoTrueProvider: Sendable {
    let verifier: IDTokenVerifier
    let signIn: SignIn?

    /// Accepts ID tokens that apps got from the provider, and no sign-in by browser.
    public init(_ verifier: IDTokenVerifier) {
        self.verifier = verifier
        signIn = nil
    }

    /// Accepts ID tokens, and sign-in by browser. The redirect URI of `signIn` must be the
    /// service's address, then `/callback/` and the provider's name in `GoTrueService`. The service
    /// does not check the URI.
    public init(_ signIn: SignIn) {
        verifier = signIn.verifier
        self.signIn = signIn
    }
}

/// The providers by their names.
struct GoTrueProviders: Sendable {
    /// The longest name, in bytes.
    static let maximumNameByteCount = 64
    /// The members that `GET /settings` has beside the providers' names.
    private static let reserved = ["email", "phone", "anonymous_users"]

    private let named: [(name: String, provider: GoTrueProvider)]

    /// - Throws: `invalidParameter` for a name that is not 1 to 64 letters, digits, `_`, `-`, `:`
    ///   and `.`, or is `email`, `phone` or `anonymous_users`.
    init(_ providers: [String: GoTrueProvider]) throws(AccountError) {
        for name in providers.keys {
            let isPlain = name.utf8.allSatisfy {
                $0.isASCIILetter || $0.isASCIIDigit || "_-:.".utf8.contains($0)
            }
            guard (1...Self.maximumNameByteCount).contains(name.utf8.count), isPlain else {
                throw AccountError(
                    .invalidParameter,
                    "The provider's name \"\(shown: name)\" is not 1 to "
                        + "\(Self.maximumNameByteCount) letters, digits and \"_-:.\".")
            }
            guard !Self.reserved.contains(where: { $0.utf8.elementsEqual(name.utf8) }) else {
                throw AccountError(
                    .invalidParameter, "The provider's name \"\(shown: name)\" is reserved.")
            }
        }
        named = providers.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    var names: [String] { named.map(\.name) }

    func provider(_ name: ReceivedText) -> GoTrueProvider? {
        named.first { name.isEqual(to: $0.name) }?.provider
    }

    /// The name of the provider that has this issuer; the issuer itself if no configured provider
    /// has it.
    func name(ofIssuer issuer: String) -> String { known(issuer)?.name ?? issuer }

    /// Whether a configured provider has this issuer.
    func hasIssuer(_ issuer: String) -> Bool { known(issuer) != nil }

    private func known(_ issuer: String) -> (name: String, provider: GoTrueProvider)? {
        named.first { $0.provider.verifier.provider.mayIssue(issuer) }
    }
}
