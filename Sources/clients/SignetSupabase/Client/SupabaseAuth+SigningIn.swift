// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import SignetIdentity
public import SignetJOSE

extension SupabaseAuth {
    /// Signs in with a provider's own ID token.
    ///
    /// - Parameters:
    ///   - idToken: the provider's ID token.
    ///   - provider: the issuer of the token.
    ///   - nonce: the original nonce, if the provider was given a nonce. The provider receives
    ///     `AuthorizationNonce.sha256Hex()`, which GoTrue expects in the token.
    ///   - accessToken: the provider's access token, if its ID token has `at_hash`.
    ///   - captcha: the answer to the project's CAPTCHA, if it has one.
    /// - Throws: `missingIDToken` for an empty token; `refused` if the token is invalid, is for
    ///   another application, or does not have this nonce.
    public func signIn(
        idToken: String, provider: SupabaseProvider, nonce: AuthorizationNonce? = nil,
        accessToken: String? = nil, captcha: String? = nil
    ) async throws(SupabaseError) -> SessionGrant {
        try Self.check(provider)
        guard !idToken.utf8.isEmpty else {
            throw SupabaseError(
                .missingIDToken,
                "\(reported: SignInText.noIDToken(from: provider.displayName))")
        }
        return try await send(
            .grant(
                "id_token",
                members: [
                    "provider": .string(provider.name), "id_token": .string(idToken),
                    "access_token": accessToken.map { .string($0) },
                    "nonce": nonce.map { .string($0.exposedText) },
                    "gotrue_meta_security": SupabaseCall.security(captcha),
                ])
        ).grant()
    }

    /// Signs in with a password, which is sent and not kept.
    ///
    /// - Throws: `refused` with `invalid_credentials`.
    public func signIn(
        _ destination: SupabaseDestination, password: String, captcha: String? = nil
    ) async throws(SupabaseError) -> SessionGrant {
        try await send(
            .grant(
                "password",
                members: [
                    destination.member.name: destination.member.value,
                    "password": .string(password),
                    "gotrue_meta_security": SupabaseCall.security(captcha),
                ])
        ).grant()
    }

    /// Creates an account with a password.
    ///
    /// - Parameters:
    ///   - destination: the phone number or the address.
    ///   - password: the new password.
    ///   - channel: how a code reaches a phone.
    ///   - metadata: the metadata of the user, who may change them.
    ///   - captcha: the answer to the project's CAPTCHA, if it has one.
    public func signUp(
        _ destination: SupabaseDestination, password: String,
        by channel: SupabaseDestination.Channel = .sms, metadata: [String: JSONValue] = [:],
        captcha: String? = nil
    ) async throws(SupabaseError) -> SupabaseSignUp {
        var call = SupabaseCall(method: .post, path: "signup")
        call.members = [
            destination.member.name: destination.member.value, "password": .string(password),
            "data": .object(metadata), "gotrue_meta_security": SupabaseCall.security(captcha),
        ]
        if case .phone = destination { call.members["channel"] = .string(channel.rawValue) }
        return try await send(call).signUp()
    }

    /// Creates a guest account. The guest may add an address later (``update(_:with:)``).
    public func signInAnonymously(
        metadata: [String: JSONValue] = [:], captcha: String? = nil
    ) async throws(SupabaseError) -> SessionGrant {
        var call = SupabaseCall(method: .post, path: "signup")
        call.members = [
            "data": .object(metadata), "gotrue_meta_security": SupabaseCall.security(captcha),
        ]
        return try await send(call).grant()
    }

    static func check(_ provider: SupabaseProvider) throws(SupabaseError) {
        guard provider.isValid else {
            throw SupabaseError(
                .invalidInput, "A provider's name is 1 to 64 letters, digits and _-:.")
        }
    }
}

extension AuthorizationNonce {
    /// The SHA-256 of the nonce in lower-case hexadecimal. Give this to the provider, and the nonce
    /// itself to ``SupabaseAuth``.
    ///
    /// - Throws: `libraryFailure`.
    public func sha256Hex() throws(AuthorizationError) -> String {
        do throws(CryptographyError) {
            return try MessageDigest.digest(exposedText.utf8, using: .sha256).hexadecimalText
        } catch {
            throw AuthorizationError(.libraryFailure, underlying: error, "libcrypto lacks SHA-256.")
        }
    }
}
