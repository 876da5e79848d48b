// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAudit
internal import SignetIdentity
internal import SignetJOSE
internal import SignetVault

extension Advice {
    /// Every option that a row names is one of the commands of its situations, or of the command
    /// that it stands behind. The first row that fits is taken.
    package static let table = token + key + store + identity + keySource + audit

    private static let signs: Set<Situation> = [.signing, .signingClaims]
    private static let verifies: Set<Situation> = [.verifying, .verifyingClaims]
    private static let verifiesIssued: Set<Situation> = [.verifyingIDToken, .verifyingAccessToken]

    private static let token: [Advice] = [
        Advice(
            Cause(TokenError.Code.noMatchingKey), verifies,
            "'signet jwt inspect' shows the token's \"kid\". If it is one of this issuer's, take "
                + "the newest keys: signet jwks fetch{--issuer URL}"),
        Advice(
            Cause(TokenError.Code.noMatchingKey, .unusableKey), verifies,
            "Newer keys do not help: standard error says why this one was left out."),
        Advice(
            Cause(TokenError.Code.ambiguousKey), verifies,
            "Give the keys of the set a \"kid\", or the one key by itself."),
        Advice(
            Cause(TokenError.Code.algorithmNotAllowed), verifies,
            "'signet jwt inspect' shows the token's \"alg\"; the key's is in its file, or what "
                + "--algorithm says."),
        Advice(
            Cause(TokenError.Code.typeMismatch), [.verifyingClaims],
            "Name the type that you expect, for example --type at+jwt"),
        Advice(
            Cause(TokenError.Code.expired), [.verifyingClaims],
            "Ask for a new token, or check this machine's clock."),
        Advice(
            Cause(TokenError.Code.notYetValid), [.verifyingClaims], "Check this machine's clock."),
        Advice(
            Cause(TokenError.Code.claimMissing), [.signingClaims],
            "--lifetime SECONDS, or write exp into the claims."),
    ]

    private static let key: [Advice] = [
        Advice(
            Cause(KeyError.Code.algorithmRequired),
            signs.union(verifies).union([.makingKeys]), "Name it: --algorithm NAME"),
        Advice(
            Cause(KeyError.Code.privateKeyRequired), signs,
            "Name the file with the private key: --key FILE"),
        Advice(
            Cause(KeyError.Code.mixedKeySet), signs.union(verifies).union([.makingKeys]),
            "Keep secrets and published keys in files of their own."),
    ]

    private static let store: [Advice] = [
        Advice(
            Cause(StoreError.Code.locked), [.usingVault, .movingItems],
            "Unlock the keyring on the desktop, or have it asked for with --unlock."),
        Advice(
            Cause(StoreError.Code.locked, .consent), [.usingVault, .movingItems],
            "With --unlock it may ask."),
        Advice(
            Cause(StoreError.Code.authenticationFailure), [.usingVault],
            "Which ways into the vault there are: signet vault slot list{--vault}"),
        Advice(
            Cause(StoreError.Code.corrupt), [.usingVault],
            "Where the damage is: signet vault verify{--vault}{--key-file}{--passphrase-file}"
                + "{--credential}{--keyring}. What is whole: signet vault salvage{--vault}"
                + "{--key-file}{--passphrase-file}{--credential}{--keyring} --output NEW-FILE"),
        Advice(
            Cause(StoreError.Code.rolledBack), [.usingVault],
            "Otherwise put the newest backup back: signet vault restore{--vault} --input FILE"),
        Advice(
            Cause(StoreError.Code.busy), [.usingVault, .movingItems],
            "Another process is writing; wait longer with --timeout SECONDS."),
        Advice(
            Cause(StoreError.Code.timedOut), [.usingVault, .movingItems],
            "Wait longer with --timeout SECONDS."),
        Advice(
            Cause(StoreError.Code.conflict), [.usingVault],
            "Look at what is there now, and run the command again."),
    ]

    private static let identity: [Advice] = [
        Advice(
            Cause(IdentityError.Code.audienceMissing), [.verifyingIDToken],
            "Name the client that the token was made for: --client-id"),
        Advice(
            Cause(IdentityError.Code.audienceMissing), [.verifyingAccessToken],
            "Name this server as the issuer does: --audience"),
        Advice(
            Cause(IdentityError.Code.audienceUntrusted), [.verifyingIDToken, .signingIn],
            "If you trust the other audience (at Zitadel, your project), name it: "
                + "--trusted-audience NAME"),
        Advice(
            Cause(IdentityError.Code.azp), [.verifyingIDToken],
            "Name the client that asked for the token too: --client-id or --authorized-party"),
        Advice(
            Cause(IdentityError.Code.azp, .google), [.verifyingIDToken],
            "Is it a service account's token, which shows no person? signet accesstoken verify "
                + "--profile issuer --issuer https://accounts.google.com --audience NAME"),
        Advice(
            Cause(IdentityError.Code.azp), [.verifyingAccessToken],
            "Name the client that asked for the token: --client-id"),
        Advice(
            Cause(IdentityError.Code.azp), [.verifyingAccessToken],
            "Name the pages that asked for the token: --origin"),
        Advice(
            Cause(IdentityError.Code.issuer), verifiesIssued,
            "Look at iss with 'signet jwt inspect': is it this issuer's?"),
        Advice(
            Cause(IdentityError.Code.nonceMissing), [.verifyingIDToken],
            "The request that led to this token had no nonce: leave --nonce-file out."),
        Advice(
            Cause(IdentityError.Code.nonceMismatch), [.verifyingIDToken],
            "Give the nonce that was sent: --nonce-file; where the client hashes it, "
                + "--nonce-sha256."),
        Advice(
            Cause(IdentityError.Code.unknownKid), verifiesIssued,
            "Take the issuer's newest keys; leave --jwks out to have them fetched."),
        Advice(
            Cause(IdentityError.Code.unknownKid, .fetched), verifiesIssued,
            "These are the issuer's newest keys. 'signet jwt inspect' shows the token's kid and "
                + "iss: is it this issuer's?"),
        Advice(
            Cause(IdentityError.Code.unknownKid, .severalKeys), verifiesIssued,
            "The token must name its key: 'signet jwt inspect' shows its kid. If the issuer writes "
                + "none, give the one key that signs: --jwks FILE"),
        Advice(
            Cause(IdentityError.Code.unknownKid, .unnamedKey), verifiesIssued,
            "Look at the token with 'signet jwt inspect': is it this issuer's?"),
        Advice(
            Cause(IdentityError.Code.expired), verifiesIssued,
            "Ask for a new token, or check this machine's clock."),
        Advice(
            Cause(IdentityError.Code.expired), [.signingIn], "Check this machine's clock."),
        Advice(
            Cause(IdentityError.Code.notYetValid), verifiesIssued.union([.signingIn]),
            "Check this machine's clock."),
        Advice(
            Cause(IdentityError.Code.issuedInFuture), verifiesIssued.union([.signingIn]),
            "Check this machine's clock."),
        Advice(
            Cause(IdentityError.Code.keySourceUnavailable), verifiesIssued,
            "'signet jwks fetch' says more. Try again, or give the keys in a file: --jwks FILE"),
        Advice(
            Cause(IdentityError.Code.keySourceUnavailable), [.signingIn],
            "What is wrong with the keys: signet jwks fetch{--issuer URL}"),
        Advice(
            Cause(IdentityError.Code.senderBound), [.verifyingAccessToken],
            "Ask for a token without DPoP or mutual TLS; --binding-not-checked accepts this one."),
        Advice(
            Cause(IdentityError.Code.typeMismatch), [.verifyingAccessToken],
            "'signet jwt inspect' shows typ. If it is an access token, name what the issuer "
                + "writes, as in: --type at+jwt"),
        Advice(
            Cause(IdentityError.Code.subject), [.verifyingAccessToken],
            "Is it a client's own token, without sub? --clients-without-subject"),
        Advice(
            Cause(IdentityError.Code.insufficientScope), [.verifyingAccessToken],
            "The token is good. Its client has to be granted more."),
    ]

    private static let keySource: [Advice] = [
        Advice(
            Cause(KeySourceError.Code.issuerMismatch),
            verifiesIssued.union([.fetchingKeys, .signingIn]),
            "Write the issuer as it writes itself, to the last slash."),
        Advice(
            Cause(KeySourceError.Code.noUsableKeys), [.fetchingKeys],
            "Leave --algorithm out to see which keys there are."),
        Advice(
            Cause(KeySourceError.Code.redirect), [.fetchingKeys],
            "Name the address that it leads to, if you trust it."),
    ]

    private static let audit: [Advice] =
        [
            Advice(
                Cause(AuditError.Code.vectorsNotFound), [.auditing],
                "Set SIGNET_TEST_VECTORS to the folder that holds MANIFEST.json "
                    + "(TestVectors/Figures in the sources)."),
            Advice(
                Cause(AuditError.Code.unreadable), [.auditing],
                "Check what --vectors, SIGNET_TEST_VECTORS and SIGNET_WYCHEPROOF name."),
        ]
        + [AuditError.Code.malformed, .digestMismatch, .countMismatch].map {
            Advice(Cause($0), [.auditing], "Take the vectors from the sources again.")
        }
}
