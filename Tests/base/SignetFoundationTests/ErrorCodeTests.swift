// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetBase
import SignetCrypto
import SignetEmail
import SignetIdentity
import SignetJOSE
import SignetSignIn
import SignetVault
import TestSupport
import Testing

/// Programs and logs store the texts of codes: none may change.
@Suite("Error codes")
struct ErrorCodeTests {
    static let table: [CodeTexts] = [
        CodeTexts(
            "CryptographyError",
            [
                CryptographyError.Code.authenticationFailure, .invalidKey, .invalidKeySize,
                .invalidNonceSize, .invalidParameter, .tooLarge, .unsupported, .libraryFailure,
            ],
            """
            authenticationFailure invalidKey invalidKeySize invalidNonceSize invalidParameter
            tooLarge unsupported libraryFailure
            """),
        CodeTexts(
            "JOSEEncodingError",
            [
                JOSEEncodingError.Code.invalidCharacter, .invalidLength, .nonZeroTrailingBits,
            ],
            """
            invalidCharacter invalidLength nonZeroTrailingBits
            """),
        CodeTexts(
            "JSONError",
            [
                JSONError.Code.malformed, .duplicateMember, .tooDeep, .tooLarge, .invalidUTF8,
                .typeMismatch, .missingMember, .numberOutOfRange, .unsupportedType,
            ],
            """
            malformed duplicateMember tooDeep tooLarge invalidUTF8 typeMismatch missingMember
            numberOutOfRange unsupportedType
            """),
        CodeTexts(
            "KeyError",
            [
                KeyError.Code.malformed, .tooLarge, .unsupportedKeyType, .unsupportedAlgorithm,
                .invalidKeyMaterial, .keyTooShort, .algorithmMismatch, .algorithmRequired,
                .operationNotAllowed, .privateKeyRequired, .privateKeyPublished, .wrongKeyClass,
                .encryptedKey, .notASecret, .mixedKeySet, .duplicateKeyID, .notValidNow,
                .libraryFailure,
            ],
            """
            malformed tooLarge unsupportedKeyType unsupportedAlgorithm invalidKeyMaterial
            keyTooShort algorithmMismatch algorithmRequired operationNotAllowed privateKeyRequired
            privateKeyPublished wrongKeyClass encryptedKey notASecret mixedKeySet duplicateKeyID
            notValidNow libraryFailure
            """),
        CodeTexts(
            "TokenError",
            [
                TokenError.Code.malformed, .tooLarge, .algorithmNotAllowed, .criticalUnsupported,
                .noMatchingKey, .ambiguousKey, .signatureInvalid, .decryptionFailed, .typeMismatch,
                .claimMissing,
                .claimInvalid, .issuerMismatch, .audienceMismatch, .expired, .notYetValid, .tooOld,
                .invalidPolicy, .signingFailed, .unsupportedType, .libraryFailure,
            ],
            """
            malformed tooLarge algorithmNotAllowed criticalUnsupported noMatchingKey ambiguousKey
            signatureInvalid decryptionFailed typeMismatch claimMissing claimInvalid issuerMismatch
            audienceMismatch expired notYetValid tooOld invalidPolicy signingFailed
            unsupportedType libraryFailure
            """),
        CodeTexts(
            "IdentityConfigurationError",
            [
                IdentityConfigurationError.Code.invalidURL, .invalidIdentifier, .outOfRange,
                .contradiction, .invalidSecret, .invalidKeys,
            ],
            """
            invalidURL invalidIdentifier outOfRange contradiction invalidSecret invalidKeys
            """),
        CodeTexts(
            "IdentityError",
            [
                IdentityError.Code.malformed, .tooLarge, .duplicateMember, .encrypted,
                .unsupportedAlg, .algMismatch, .critUnknown, .typeMismatch, .unknownKid,
                .keyHeldBack, .keyUnusable, .badSignature, .issuer, .audienceMissing,
                .audienceUntrusted, .azp, .subject, .expired, .notYetValid, .issuedInFuture,
                .tooOld, .lifetimeTooLong, .nonceMissing, .nonceMismatch, .atHash, .cHash,
                .emailUnverified, .hostedDomain, .tenant, .authTooOld, .acr, .claimMissing,
                .claimInvalid, .valueNotAccepted, .insufficientScope, .keySourceUnavailable,
                .unsupportedType, .libraryFailure, .notEncrypted, .decryptionFailed,
            ],
            """
            malformed tooLarge duplicateMember encrypted unsupportedAlg algMismatch critUnknown
            typeMismatch unknownKid keyHeldBack keyUnusable badSignature issuer audienceMissing
            audienceUntrusted azp subject expired notYetValid issuedInFuture tooOld
            lifetimeTooLong nonceMissing nonceMismatch atHash cHash emailUnverified hostedDomain
            tenant authTooOld acr claimMissing claimInvalid valueNotAccepted insufficientScope
            keySourceUnavailable unsupportedType libraryFailure notEncrypted decryptionFailed
            """),
        CodeTexts(
            "SealedCookieError",
            [
                SealedCookieError.Code.notAuthentic, .expired, .repeated, .tooLarge,
                .libraryFailure,
            ],
            """
            notAuthentic expired repeated tooLarge libraryFailure
            """),
        CodeTexts(
            "BearerTokenError",
            [
                BearerTokenError.Code.missing, .repeated, .otherScheme, .malformed, .tooLarge,
                .conflict,
            ],
            """
            missing repeated otherScheme malformed tooLarge conflict
            """),
        CodeTexts(
            "KeySourceError",
            [
                KeySourceError.Code.unreachable, .timedOut, .status, .redirect, .tooLarge,
                .invalidDocument, .issuerMismatch, .noUsableKeys, .coolingDown, .keyHeldBack,
                .cancelled,
            ],
            """
            unreachable timedOut status redirect tooLarge invalidDocument issuerMismatch
            noUsableKeys coolingDown keyHeldBack cancelled
            """),
        CodeTexts(
            "TransportFailure",
            [
                TransportFailure.Code.unreachable, .timedOut, .notTrusted, .bodyTooLarge,
                .invalidResponse, .cancelled,
            ],
            """
            unreachable timedOut notTrusted bodyTooLarge invalidResponse cancelled
            """),
        CodeTexts(
            "AuthorizationError",
            [
                AuthorizationError.Code.malformed, .tooLarge, .repeatedParameter, .redirectMismatch,
                .fragment, .stateMissing, .stateMismatch, .issuerMissing, .issuerMismatch,
                .codeMissing, .refused, .unavailable, .invalidResponse, .formMismatch,
                .pkceRequired, .notPending, .expired, .storeUnavailable, .cancelled,
                .libraryFailure,
            ],
            """
            malformed tooLarge repeatedParameter redirectMismatch fragment stateMissing
            stateMismatch issuerMissing issuerMismatch codeMissing refused unavailable
            invalidResponse formMismatch pkceRequired notPending expired storeUnavailable cancelled
            libraryFailure
            """),
        CodeTexts(
            "EmailListError",
            [
                EmailListError.Code.tooLarge, .encoding, .line, .empty, .truncated,
            ],
            """
            tooLarge encoding line empty truncated
            """),
        CodeTexts(
            "EmailPolicyError",
            [
                EmailPolicyError.Code.noDomains, .atSign, .wildcard, .nonASCII, .singleLabel,
                .invalidDomain, .publicSuffix, .consumerDomain, .disposableDomain, .relayDomain,
            ],
            """
            noDomains atSign wildcard nonASCII singleLabel invalidDomain publicSuffix
            consumerDomain disposableDomain relayDomain
            """),
        CodeTexts(
            "MailboxError",
            [
                MailboxError.Code.empty, .tooLong, .controlCharacter, .nonASCII, .quotedLocalPart,
                .malformedQuotedString, .space, .missingAtSign, .severalAtSigns, .emptyLocalPart,
                .emptyDomain, .localPartTooLong, .comment, .routing, .localPartCharacter,
                .localPartDot, .encodedWord, .addressLiteral, .unconvertibleDomain, .trailingDot,
                .domainTooLong, .emptyLabel, .domainCharacter, .labelTooLong, .labelHyphen,
                .singleLabel, .numericTopLabel, .invalidOrganization,
            ],
            """
            empty tooLong controlCharacter nonASCII quotedLocalPart malformedQuotedString space
            missingAtSign severalAtSigns emptyLocalPart emptyDomain localPartTooLong comment
            routing localPartCharacter localPartDot encodedWord addressLiteral unconvertibleDomain
            trailingDot domainTooLong emptyLabel domainCharacter labelTooLong labelHyphen
            singleLabel numericTopLabel invalidOrganization
            """),
        CodeTexts(
            "StoreError",
            [
                StoreError.Code.locked, .corrupt, .rolledBack, .otherVault, .unavailable, .busy,
                .timedOut, .cancelled, .authenticationFailure, .missingKeyFile, .alreadyExists,
                .conflict, .invalidItem, .invalidValue, .tooLarge, .emptyMatch, .readOnly,
                .insecureFile, .notAVault, .invalidParameter, .unsupported, .forked,
            ],
            """
            locked corrupt rolledBack otherVault unavailable busy timedOut cancelled
            authenticationFailure missingKeyFile alreadyExists conflict invalidItem invalidValue
            tooLarge emptyMatch readOnly insecureFile notAVault invalidParameter unsupported
            forked
            """),
    ]

    @Test("Error codes keep their texts", arguments: table)
    func text(_ codes: CodeTexts) {
        #expect(codes.found == codes.expected)
    }

    static let descriptions: [(error: any Error, text: String)] = [
        (CryptographyError(.invalidKey, "No."), "invalidKey: No."),
        (
            JOSEEncodingError(code: .invalidLength),
            "No byte string has a base64url text of this length. It may be truncated."
        ),
        (JOSEEncodingError(code: .init(rawValue: "x")), "The base64url text is invalid (x)."),
        (JSONError(code: .malformed, offset: 5), "The text is not JSON, at byte 5."),
        (JSONError(code: .missingMember, path: "a.b"), "A required member is absent, at a.b."),
        (
            JSONError(code: .tooDeep, offset: 3, path: "a"),
            "Arrays and objects are nested too deeply, at a, at byte 3."
        ),
        (JSONError(code: .tooLarge, path: ""), "The JSON text is too large."),
        (JSONError(code: .init(rawValue: "x")), "The JSON text is invalid (x)."),
        (TokenError(.expired, "No."), "expired: No."),
        (TokenError(.claimInvalid, claim: "aud", "No."), "claimInvalid (aud): No."),
        (
            IdentityError(.claimInvalid, claim: "aud", retryAfterSeconds: 3, "No."),
            "claimInvalid (aud): No."
        ),
        (KeySourceError(.coolingDown, retryAfterSeconds: 3, "No."), "coolingDown: No."),
        (AuthorizationError(.stateMissing, "No."), "stateMissing: No."),
        (
            AuthorizationError(.refused, refusal: .init(error: "access_denied"), "No."),
            "refused (access_denied): No."
        ),
        (
            AuthorizationError(.refused, refusal: .init(error: "strange"), "No."),
            "refused (other): No."
        ),
        (SignInError.identity(IdentityError(.subject, claim: "sub", "No.")), "subject (sub): No."),
        (SignInError.metadata(KeySourceError(.timedOut, "No.")), "timedOut: No."),
        (MailboxError(.empty, "No."), "empty: No."),
        (EmailListError(.line, line: 3, "No."), "line: Line 3: No."),
        (EmailListError(.empty, "No."), "empty: No."),
        (StoreError(.locked, "No."), "locked: No."),
    ]

    @Test(
        "An error prints its code, its subject and a sentence", arguments: descriptions.indices)
    func description(_ index: Int) {
        let (error, text) = Self.descriptions[index]
        #expect("\(error)" == text)
    }

    @Test("Errors are equal by code and subject, whatever their sentences")
    func equality() {
        #expect(CryptographyError(.invalidKey, "a") == CryptographyError(.invalidKey, "b"))
        #expect(CryptographyError(.invalidKey, "a") != CryptographyError(.tooLarge, "a"))
        #expect(
            TokenError(.expired, claim: "exp", "a")
                == TokenError(.expired, claim: "exp", detail: .encrypted, "b"))
        #expect(TokenError(.expired, claim: "exp", "a") != TokenError(.expired, "a"))
        #expect(IdentityError(.expired, retryAfterSeconds: 1, "a") == IdentityError(.expired, "b"))
        #expect(IdentityError(.expired, claim: "exp", "a") != IdentityError(.expired, "a"))
        #expect(KeySourceError(.status, retryAfterSeconds: 1, "a") == KeySourceError(.status, "b"))
        #expect(JSONError(code: .malformed, offset: 1, path: "a") == JSONError(code: .malformed))
        #expect(StoreError.diskFull(of: "v", message: "a") == StoreError(.unavailable, "b"))
        let (denied, invalid) = (
            ProviderRefusal(error: "access_denied"), ProviderRefusal(error: "invalid_grant")
        )
        #expect(
            AuthorizationError(.refused, refusal: denied, underlying: MailboxError(.empty, ""), "a")
                == AuthorizationError(.refused, refusal: denied, "b"))
        #expect(
            AuthorizationError(.refused, refusal: denied, "")
                != AuthorizationError(.refused, refusal: invalid, ""))
        #expect(EmailListError(.line, line: 1, "a") == EmailListError(.line, line: 1, "b"))
        #expect(
            Set([
                EmailListError(.line, line: 1, "a"), EmailListError(.line, line: 1, "b"),
                EmailListError(.line, ""),
            ]).count == 2)
        #expect(
            Set([MailboxError(.empty, "a"), MailboxError(.empty, "b"), MailboxError(.space, "a")])
                .count == 2)
        let cause = IdentityError(.expired, "a")
        #expect(SignInError.identity(cause) == .identity(IdentityError(.expired, "b")))
        #expect(SignInError.identity(cause) != .authorization(AuthorizationError(.expired, "a")))
    }

    @Test("A full code names the layers below, once each, and nothing that they say")
    func fullCodes() {
        struct Foreign: Error { let secret = "hunter2" }
        let token = TokenError(.expired, claim: "exp", "hunter2")
        let failure = TransportFailure(.timedOut, "")
        let keys = KeySourceError(.unreachable, underlying: failure, "")
        let cases: [(any AnyCodedError, String)] = [
            (token, "expired"),
            (IdentityError(.malformed, underlying: token, ""), "malformed.expired"),
            (IdentityError(.expired, underlying: token, ""), "expired"),
            (
                IdentityError(.keySourceUnavailable, underlying: keys, ""),
                "keySourceUnavailable.unreachable.timedOut"
            ), (StoreError(.unavailable, underlying: Foreign(), ""), "unavailable.Foreign"),
            (
                SignInError.authorization(
                    AuthorizationError(.storeUnavailable, underlying: Foreign(), "")),
                "storeUnavailable.Foreign"
            ), (SignInError.identity(IdentityError(.expired, "")), "expired"),
        ]
        for (error, code) in cases { #expect(error.fullCode == code) }
        let error = StoreError(.unavailable, underlying: Foreign(), "No room.")
        #expect("\(error)" == "unavailable: No room." && error == StoreError(.unavailable, ""))
    }

    @Test("A sign-in error shows its cause's code and message")
    func signIn() {
        let error = SignInError.authorization(AuthorizationError(.notPending, "No."))
        #expect(error.code.rawValue == "notPending" && "\(error.code)" == "notPending")
        #expect(
            error.message == "No."
                && error.cause == .authorization(AuthorizationError(.notPending, "")))
    }

    @Test("Dumping a JSON error shows its code and place")
    func dumped() {
        let children = Mirror(reflecting: JSONError(code: .malformed, offset: 5)).children
        #expect(children.map { $0.label ?? "" } == ["code", "offset", "path"])
        #expect(children.first.map { "\($0.value)" } == "malformed")
    }
}
