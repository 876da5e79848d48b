// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetIdentity
internal import SignetJOSE

/// Answers that are tokens (OpenID Connect Core 1.0, section 5.3.2).
extension UserInfoEndpoint {
    /// A form that the program does not expect.
    enum OtherForm {
        case json, token, signed, encrypted
        /// A token that holds claims where a signed token belongs.
        case unsigned
    }

    /// The claims of an answer that must be a token.
    func userInfo(
        in answer: TokenEndpointAnswer, of identity: VerifiedIdentity,
        verifiedBy verifier: UserInfoTokenVerifier
    ) async throws(AuthorizationError) -> UserInfo {
        guard let content = answer.compactToken else {
            // An error of the provider comes first.
            _ = try answer.root()
            throw mismatch(.json)
        }
        let signed: String
        do { signed = try verifier.signedToken(in: content) } catch { throw rejection(error) }
        // The section allows encrypted claims without a signature, which anybody can make.
        guard signed.utf8.first != UInt8(ascii: "{") else { throw mismatch(.unsigned) }
        do {
            return try await verifier.userInfo(in: signed, of: identity)
        } catch {
            throw rejection(error)
        }
    }

    /// Translates the reason why the claims or their token were rejected.
    func rejection(_ error: IdentityError) -> AuthorizationError {
        switch error.code {
        case .subject:
            AuthorizationError(.subjectMismatch, underlying: error, "\(messageOf: error)")
        case .notEncrypted: mismatch(.signed)
        // A token that is encrypted twice has the expected form outside.
        case .encrypted where form == .signed: mismatch(.encrypted)
        case .keySourceUnavailable, .keyHeldBack:
            AuthorizationError(
                (error.underlying as? KeySourceError)?.code == .cancelled
                    ? .cancelled : .unavailable,
                details: .init(retryAfter: error.retryAfterSeconds.map { Duration.seconds($0) }),
                underlying: error, "\(messageOf: error)")
        case .libraryFailure:
            AuthorizationError(.libraryFailure, underlying: error, "\(messageOf: error)")
        default:
            AuthorizationError(
                .invalidResponse, underlying: error,
                "The userinfo endpoint's token is rejected (\(error.code)): \(messageOf: error)")
        }
    }

    /// The error for an answer in another form: expected, found, and what to do.
    func mismatch(_ found: OtherForm) -> AuthorizationError {
        AuthorizationError(
            .formMismatch,
            "The userinfo endpoint's answer is \(found.phrase), and the program expects "
                + "\(form.phrase): register the client at the provider \(form.registration)"
                + "\(found.alternative).")
    }
}

extension UserInfoEndpoint.OtherForm {
    fileprivate var phrase: ErrorMessage {
        switch self {
        case .json: "JSON without a signature"
        case .token: "a token (application/jwt)"
        case .signed: "a token that is only signed"
        case .encrypted: "an encrypted token"
        case .unsigned: "a token whose claims nobody has signed"
        }
    }

    /// What the program can change instead of the registration.
    fileprivate var alternative: ErrorMessage {
        switch self {
        case .json: ", or expect .json"
        case .token: ", or expect .signed or .encrypted"
        case .signed: ", or expect .signed"
        case .encrypted: ", or expect .encrypted, with keys to decrypt"
        case .unsigned: ""
        }
    }
}

extension UserInfoEndpoint.Form {
    fileprivate var phrase: ErrorMessage {
        switch self {
        case .json: "JSON"
        case .signed: "a signed token"
        case .encrypted: "a signed token that is encrypted"
        }
    }

    /// The members of the client's registration that lead to this form.
    fileprivate var registration: ErrorMessage {
        switch self {
        case .json: "without userinfo_signed_response_alg and userinfo_encrypted_response_alg"
        case .signed: "with userinfo_signed_response_alg, without userinfo_encrypted_response_alg"
        case .encrypted: "with userinfo_signed_response_alg and userinfo_encrypted_response_alg"
        }
    }
}
