// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetIdentity
internal import SignetJOSE

extension CommandFailure {
    /// - Parameters:
    ///   - algorithms: what the issuer signs with. The advice says what was expected, and never
    ///     what the token says, which is the sender's choice.
    ///   - isAccessToken: whether it comes from `signet accesstoken verify`.
    ///   - wereFetched: whether the issuer was asked for its keys just now.
    init(
        _ error: IdentityError, expecting algorithms: [String] = [], isAccessToken: Bool = false,
        wereFetched: Bool = false
    ) {
        self.init(
            status: HTTPRefusal(error).status >= 500 ? .unavailable : .refused,
            code: error.code.rawValue,
            message: error.message,
            advice: error.keyProblem.map(Self.advice)
                ?? (isAccessToken ? Self.accessTokenAdvice(error.code) : nil)
                    ?? Self.advice(error.code),
            claim: error.claim)
        if wereFetched, error.code == .unknownKid, error.keyProblem == nil {
            advice =
                "These are the issuer's newest keys. 'signet jwt inspect' shows the token's kid and "
                + "iss: is it this issuer's?"
        }
        guard !algorithms.isEmpty, error.code == .algMismatch || error.code == .unsupportedAlg
        else { return }
        let names = algorithms.joined(separator: ", ")
        advice = "Expected: \(names). 'signet jwt inspect' shows the token's \"alg\"."
    }

    init(_ error: IdentityConfigurationError) {
        self.init(
            status: .usage, code: error.code.rawValue, message: error.message,
            advice: "See the command's --help.")
    }

    /// Tells an unreachable source from a wrong one: only the first is worth another try.
    init(_ error: KeySourceError) {
        let status: Status =
            switch error.code {
            case .redirect, .tooLarge, .invalidDocument, .issuerMismatch, .noUsableKeys: .refused
            default: .unavailable
            }
        let advice: String? =
            switch error.code {
            case .issuerMismatch: "Write the issuer as it writes itself, to the last slash."
            case .noUsableKeys: "Leave --algorithm out to see which keys there are."
            case .redirect: "Name the address that it leads to, if you trust it."
            default: nil
            }
        self.init(status: status, code: error.code.rawValue, message: error.message, advice: advice)
    }

    private static func advice(_ code: IdentityError.Code) -> String? {
        switch code {
        case .audienceMissing: "Name the client that the token was made for: --client-id"
        case .audienceUntrusted:
            "If you trust the other audience (at Zitadel, your project), name it: "
                + "--trusted-audience NAME"
        case .azp: "Name the client that asked for the token too: --client-id or --authorized-party"
        case .issuer: "Look at iss with 'signet jwt inspect': is it this issuer's?"
        case .nonceMissing:
            "The request that led to this token had no nonce: leave --nonce-file out."
        case .nonceMismatch:
            "Give the nonce that was sent: --nonce-file; where the client hashes it, --nonce-sha256."
        case .unknownKid: "Take the issuer's newest keys; leave --jwks out to have them fetched."
        case .expired: "Ask for a new token, or check this machine's clock."
        case .notYetValid, .issuedInFuture: "Check this machine's clock."
        case .keySourceUnavailable:
            "'signet jwks fetch' says more. Try again, or give the keys in a file: --jwks FILE"
        default: nil
        }
    }

    /// Newer keys would not help.
    private static func advice(_ problem: IdentityError.KeyProblem) -> String {
        switch problem {
        case .ambiguous:
            "The token must name its key: 'signet jwt inspect' shows its kid. If the issuer writes "
                + "none, give the one key that signs: --jwks FILE"
        case .unnamed: "Look at the token with 'signet jwt inspect': is it this issuer's?"
        }
    }

    private static func accessTokenAdvice(_ code: IdentityError.Code) -> String? {
        switch code {
        case .audienceMissing: "Name this server as the issuer does: --audience"
        case .azp: "Name the client that asked for the token: --client-id (clerk: --origin)"
        case .senderBound:
            "Ask for a token without DPoP or mutual TLS; --binding-not-checked accepts this one."
        case .typeMismatch:
            "'signet jwt inspect' shows typ. If it is an access token, name what the issuer writes, "
                + "as in: --type at+jwt"
        case .subject: "Is it a client's own token, without sub? --clients-without-subject"
        case .insufficientScope: "The token is good. Its client has to be granted more."
        default: nil
        }
    }
}
