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

    private static let signing: Set<Situation> = [.signing, .signingClaims]
    private static let verifying: Set<Situation> = [.verifying, .verifyingClaims]
    private static let verifyingIssued: Set<Situation> = [.verifyingIDToken, .verifyingAccessToken]

    private static let token: [Advice] = [
        Advice(
            Cause(TokenError.Code.malformed, detail: .encrypted), when: verifying,
            text: "Decrypt it first, and verify what is in it: signet jwe decrypt --key FILE"),
        Advice(
            Cause(TokenError.Code.malformed, detail: .signed), when: [.decrypting],
            text: "It needs no decrypting. Verify it: signet jwt verify --key FILE"),
        Advice(
            Cause(TokenError.Code.decryptionFailed), when: [.decrypting],
            text:
                "'signet jwt inspect' shows the token's \"kid\" and the kind of key that it takes."
        ),
        Advice(
            Cause(TokenError.Code.noMatchingKey), when: [.decrypting],
            text: "'signet jwt inspect' shows the token's \"kid\": give the key of that name."),
        Advice(
            Cause(TokenError.Code.algorithmNotAllowed), when: [.decrypting],
            text:
                "'signet jwt inspect' shows the token's \"alg\" and \"enc\"; the key's are in its "
                + "file, or what --algorithm and --content say."),
        Advice(
            Cause(TokenError.Code.noMatchingKey, detail: .fetched), when: [.verifyingClaims],
            text:
                "These are the newest keys of that address. 'signet jwt inspect' shows the token's "
                + "\"kid\" and \"iss\": is it this issuer's?"),
        Advice(
            Cause(TokenError.Code.noMatchingKey), when: verifying,
            text:
                "'signet jwt inspect' shows the token's \"kid\". If it is one of this issuer's, take "
                + "the newest keys: signet jwks fetch{--issuer URL}"),
        Advice(
            Cause(TokenError.Code.noMatchingKey, detail: .unusableKey), when: verifying,
            text: "Newer keys do not help: standard error says why this one was left out."),
        Advice(
            Cause(TokenError.Code.noMatchingKey), when: [.checkingReports],
            text: "If the set's keys have no \"kid\", give the right one by itself: --key FILE"),
        Advice(
            Cause(TokenError.Code.ambiguousKey), when: verifying,
            text: "Give the keys of the set a \"kid\", or the one key by itself."),
        Advice(
            Cause(TokenError.Code.algorithmNotAllowed), when: verifying,
            text:
                "'signet jwt inspect' shows the token's \"alg\"; the key's is in its file, or what "
                + "--algorithm says."),
        Advice(
            Cause(TokenError.Code.algorithmNotAllowed), when: [.checkingReports],
            text: "For an RSA key that names no algorithm: --algorithm NAME"),
        Advice(
            Cause(TokenError.Code.typeMismatch), when: [.verifyingClaims],
            text: "Name the type that you expect, for example --type at+jwt"),
        Advice(
            Cause(TokenError.Code.expired), when: [.verifyingClaims],
            text: "Ask for a new token, or check this machine's clock."),
        Advice(
            Cause(TokenError.Code.notYetValid), when: [.verifyingClaims],
            text: "Check this machine's clock."),
        Advice(
            Cause(TokenError.Code.claimMissing), when: [.signingClaims],
            text: "Say when it expires: --exp 15m"),
    ]

    private static let key: [Advice] = [
        Advice(
            Cause(KeyError.Code.algorithmRequired),
            when: signing.union(verifying).union([.makingKeys, .encrypting, .decrypting])
                .union([.auditing, .checkingReports]),
            text: "Name it: --algorithm NAME"),
        Advice(
            Cause(KeyError.Code.privateKeyRequired), when: signing.union([.decrypting]),
            text: "Name the file with the private key: --key FILE"),
        Advice(
            Cause(KeyError.Code.privateKeyRequired), when: [.auditing],
            text: "Name the file with the private key: --sign FILE"),
        Advice(
            Cause(KeyError.Code.mixedKeySet),
            when: signing.union(verifying).union([.makingKeys, .checkingReports]),
            text: "Keep secrets and published keys in files of their own."),
    ]

    private static let store: [Advice] = [
        Advice(
            Cause(StoreError.Code.locked), when: [.usingVault, .movingItems],
            text: "Unlock the keyring on the desktop, or have it asked for with --unlock."),
        Advice(
            Cause(StoreError.Code.locked, detail: .consent), when: [.usingVault, .movingItems],
            text: "With --unlock it may ask."),
        Advice(
            Cause(StoreError.Code.authenticationFailure), when: [.usingVault],
            text: "Which ways into the vault there are: signet vault slot list{--vault}"),
        Advice(
            Cause(StoreError.Code.corrupt), when: [.usingVault],
            text: "Where the damage is: signet vault verify{--vault}{--key-file}{--passphrase-file}"
                + "{--credential}{--keyring}. What is whole: signet vault salvage{--vault}"
                + "{--key-file}{--passphrase-file}{--credential}{--keyring} --output NEW-FILE"),
        Advice(
            Cause(StoreError.Code.rolledBack), when: [.usingVault],
            text: "Otherwise put the newest backup back: signet vault restore{--vault} --input FILE"
        ),
        Advice(
            Cause(StoreError.Code.busy), when: [.usingVault, .movingItems],
            text: "Another process is writing; wait longer with --timeout SECONDS."),
        Advice(
            Cause(StoreError.Code.timedOut), when: [.usingVault, .movingItems],
            text: "Wait longer with --timeout SECONDS."),
        Advice(
            Cause(StoreError.Code.conflict), when: [.usingVault],
            text: "Look at what is there now, and run the command again."),
    ]

    private static let identity: [Advice] = [
        Advice(
            Cause(IdentityError.Code.audienceMissing), when: [.verifyingIDToken],
            text: "Name the client that the token was made for: --client-id"),
        Advice(
            Cause(IdentityError.Code.audienceMissing), when: [.verifyingAccessToken],
            text: "Name this server as the issuer does: --audience"),
        Advice(
            Cause(IdentityError.Code.audienceUntrusted), when: [.verifyingIDToken, .signingIn],
            text: "If you trust the other audience (at Zitadel, your project), name it: "
                + "--trusted-audience NAME"),
        Advice(
            Cause(IdentityError.Code.azp), when: [.verifyingIDToken],
            text: "Name the client that asked for the token too: --client-id or --authorized-party"),
        Advice(
            Cause(IdentityError.Code.azp, detail: .google), when: [.verifyingIDToken],
            text:
                "Is it a service account's token, which shows no person? signet accesstoken verify "
                + "--profile issuer --issuer https://accounts.google.com --audience NAME"),
        Advice(
            Cause(IdentityError.Code.azp), when: [.verifyingAccessToken],
            text: "Name the client that asked for the token: --client-id"),
        Advice(
            Cause(IdentityError.Code.azp), when: [.verifyingAccessToken],
            text: "Name the pages that asked for the token: --origin"),
        Advice(
            Cause(IdentityError.Code.issuer), when: verifyingIssued,
            text: "Look at iss with 'signet jwt inspect': is it this issuer's?"),
        Advice(
            Cause(IdentityError.Code.nonceMissing), when: [.verifyingIDToken],
            text: "The request that led to this token had no nonce: leave --nonce-file out."),
        Advice(
            Cause(IdentityError.Code.nonceMismatch), when: [.verifyingIDToken],
            text: "Give the nonce that was sent: --nonce-file; where the client hashes it, "
                + "--nonce-sha256."),
        Advice(
            Cause(IdentityError.Code.unknownKid), when: verifyingIssued,
            text: "Take the issuer's newest keys; leave --jwks out to have them fetched."),
        Advice(
            Cause(IdentityError.Code.unknownKid, detail: .fetched), when: verifyingIssued,
            text:
                "These are the issuer's newest keys. 'signet jwt inspect' shows the token's kid and "
                + "iss: is it this issuer's?"),
        Advice(
            Cause(IdentityError.Code.unknownKid, detail: .severalKeys), when: verifyingIssued,
            text:
                "The token must name its key: 'signet jwt inspect' shows its kid. If the issuer writes "
                + "none, give the one key that signs: --jwks FILE"),
        Advice(
            Cause(IdentityError.Code.unknownKid, detail: .unnamedKey), when: verifyingIssued,
            text: "Look at the token with 'signet jwt inspect': is it this issuer's?"),
        Advice(
            Cause(IdentityError.Code.expired), when: verifyingIssued,
            text: "Ask for a new token, or check this machine's clock."),
        Advice(
            Cause(IdentityError.Code.expired), when: [.signingIn],
            text: "Check this machine's clock."),
        Advice(
            Cause(IdentityError.Code.notYetValid), when: verifyingIssued.union([.signingIn]),
            text: "Check this machine's clock."),
        Advice(
            Cause(IdentityError.Code.issuedInFuture), when: verifyingIssued.union([.signingIn]),
            text: "Check this machine's clock."),
        Advice(
            Cause(IdentityError.Code.keySourceUnavailable), when: verifyingIssued,
            text:
                "'signet jwks fetch' says more. Try again, or give the keys in a file: --jwks FILE"),
        Advice(
            Cause(IdentityError.Code.keySourceUnavailable), when: [.signingIn],
            text: "What is wrong with the keys: signet jwks fetch{--issuer URL}"),
        Advice(
            Cause(IdentityError.Code.senderBound), when: [.verifyingAccessToken],
            text:
                "Ask for a token without DPoP or mutual TLS; --binding-not-checked accepts this one."
        ),
        Advice(
            Cause(IdentityError.Code.typeMismatch), when: [.verifyingAccessToken],
            text: "'signet jwt inspect' shows typ. If it is an access token, name what the issuer "
                + "writes, as in: --type at+jwt"),
        Advice(
            Cause(IdentityError.Code.subject), when: [.verifyingAccessToken],
            text: "Is it a client's own token, without sub? --clients-without-subject"),
        Advice(
            Cause(IdentityError.Code.insufficientScope), when: [.verifyingAccessToken],
            text: "The token is good. Its client has to be granted more."),
    ]

    private static let keySource: [Advice] = [
        Advice(
            Cause(KeySourceError.Code.issuerMismatch),
            when: verifyingIssued.union([.fetchingKeys, .signingIn]),
            text: "Write the issuer as it writes itself, to the last slash."),
        Advice(
            Cause(KeySourceError.Code.noUsableKeys), when: [.fetchingKeys],
            text: "Leave --algorithm out to see which keys there are."),
        Advice(
            Cause(KeySourceError.Code.noUsableKeys), when: [.verifyingClaims],
            text: "Which keys there are: signet jwks fetch --url URL"),
        Advice(
            Cause(KeySourceError.Code.redirect), when: [.fetchingKeys, .verifyingClaims],
            text: "Name the address that it leads to, if you trust it."),
    ]

    private static let audit: [Advice] =
        [
            Advice(
                Cause(AuditError.Code.vectorsNotFound), when: [.auditing],
                text: "Set SIGNET_TEST_VECTORS to the folder that holds MANIFEST.json "
                    + "(TestVectors/Figures in the sources)."),
            Advice(
                Cause(AuditError.Code.unreadable), when: [.auditing],
                text: "Check what --vectors, SIGNET_TEST_VECTORS and SIGNET_WYCHEPROOF name."),
            Advice(
                Cause(AuditError.Code.malformed), when: [.comparingReports],
                text: "Write the reports to compare with: signet audit --json --output FILE"),
        ]
        + [AuditError.Code.malformed, .digestMismatch, .countMismatch].map {
            Advice(Cause($0), when: [.auditing], text: "Take the vectors from the sources again.")
        }
}
