// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

/// Several providers behind one endpoint. It finds a token's verifier by its `iss`.
///
/// ```swift
/// let google = try IDTokenVerifier(
///     .google(clientIDs: ["1093-web.apps.googleusercontent.com"]), keys: .fetched(over: .curl))
/// let apple = try IDTokenVerifier(
///     .apple(clientIDs: ["com.example.app"]), keys: .fetched(over: .curl))
/// let providers = try IDTokenVerifiers([google, apple])
/// ```
///
/// A token only chooses among the verifiers that you made. The chosen one checks all of it.
public struct IDTokenVerifiers: Sendable {
    private let verifiers: [IDTokenVerifier]
    private let maximumTokenByteCount: Int

    /// - Throws: `contradiction` if the list is empty, or two verifiers accept tokens of one
    ///   issuer.
    public init(_ verifiers: [IDTokenVerifier]) throws(IdentityConfigurationError) {
        for (index, verifier) in verifiers.enumerated() {
            for other in verifiers[..<index]
            where verifier.provider.issuer.overlaps(other.provider.issuer) {
                throw IdentityConfigurationError(
                    .contradiction,
                    "Two verifiers accept tokens of one issuer (\(verifier.provider.issuer.canonical))."
                )
            }
        }
        guard !verifiers.isEmpty else {
            throw IdentityConfigurationError(.contradiction, "The list of verifiers is empty.")
        }
        self.verifiers = verifiers
        maximumTokenByteCount = verifiers.map(\.maximumTokenByteCount).max() ?? 0
    }

    /// The verifier of the provider with this `iss`. It looks at nothing else of the token, and
    /// verifies nothing yet.
    ///
    /// - Throws: `issuer` if no provider has it; `tooLarge`, `malformed` and so on for a token that
    ///   no verifier would accept.
    public func verifier(for idToken: some StringProtocol) throws(IdentityError) -> IDTokenVerifier
    {
        let issuer: String?
        do throws(TokenError) {
            issuer = try UnverifiedToken(
                idToken, maximumByteCount: maximumTokenByteCount, nullIsAbsent: true
            ).issuer
        } catch {
            throw IdentityError(error)
        }
        let text = issuer.map { ReceivedText($0) }
        for verifier in verifiers where text.map(verifier.provider.issuer.accepts) == true {
            return verifier
        }
        throw IdentityError(.issuer, claim: "iss", "The token is not from any of the providers.")
    }
}
