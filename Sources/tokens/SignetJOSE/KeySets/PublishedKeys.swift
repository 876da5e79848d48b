// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import SignetMemory

/// The keys that an issuer publishes, restricted to the accepted algorithms. They come as a JWK set
/// or, at Google and Firebase, as certificates by `kid` (a key's identifier):
///
/// ```
/// {"keys":[{"kty":"RSA","kid":"a","n":"…","e":"AQAB"}]}
/// {"a":"-----BEGIN CERTIFICATE-----\n…"}
/// ```
package struct PublishedKeys: Sendable {
    package let keys: KeySet
    /// The `issuer` member of each key that has it, by `kid`; an unclear issuer is empty, which no
    /// token's issuer equals.
    package let issuers: [ReceivedText.Key: ReceivedText]
    /// The last second (since 1970) in which all usable keys are valid, if they expire.
    package let notAfter: Int64?

    /// Reads a JWK set (RFC 7517, section 5). Skips members that cannot be used, are for algorithms
    /// that are not accepted or have a private half.
    ///
    /// - Throws: `malformed`, `tooLarge`, `libraryFailure`.
    package init(
        jwks: [UInt8], algorithms: [SignatureAlgorithm], maximumKeyCount: Int
    ) throws(KeyError) {
        let members = try JWKSetDocument.members(
            jwks, maximumCount: maximumKeyCount, acceptsBareArray: false)
        // The loader skips a key for which the closure throws, and keeps the reason.
        var loader = KeyLoader(algorithms: algorithms, count: members.count)
        var issuers: [ReceivedText.Key: ReceivedText] = [:]
        for (index, member) in members.enumerated() {
            try loader.add(at: index, keyID: KeyDocument.shownKeyID(of: member)) {
                () throws(KeyError) in
                try Self.refusePrivateHalf(in: member)
                return try JWK(member)
            }
            // The key's own issuer, as Microsoft Entra writes it.
            if let keyID = member.member("kid")?.text, let node = member.member("issuer") {
                let issuer = node.text ?? Self.unclearIssuer
                let earlier = issuers[keyID.key] ?? issuer
                issuers[keyID.key] = earlier.isEqual(to: issuer) ? issuer : Self.unclearIssuer
            }
        }
        keys = loader.set
        self.issuers = issuers
        notAfter = nil
    }

    /// Reads a JSON object of X.509 certificates in PEM by `kid`. Skips certificates that cannot be
    /// used, are not valid now or have keys for algorithms that are not accepted. The certificates'
    /// signers are not checked.
    ///
    /// - Throws: `malformed`, `tooLarge`, `libraryFailure`.
    package init(
        certificates: [UInt8], algorithms: [SignatureAlgorithm], maximumKeyCount: Int,
        secondsSince1970 now: Int64
    ) throws(KeyError) {
        let root = try KeyDocument.parse(
            certificates, maximumByteCount: KeySet.maximumByteCount,
            subject: "The set of certificates"
        ).root
        guard root.kind == .object else {
            throw KeyError(
                .malformed,
                "Certificates come as a JSON object of PEM texts by \"kid\", not as \(root.kind.phrase)."
            )
        }
        guard root.count <= maximumKeyCount else {
            throw KeyError(
                .tooLarge,
                "A set has at most \(maximumKeyCount) certificates; this one has \(root.count).")
        }
        // The loader skips a key for which the closure throws, and keeps the reason.
        var loader = KeyLoader(algorithms: algorithms, count: root.count)
        var notAfter: Int64?
        for (index, member) in root.members.enumerated() {
            // When the certificate expires, once it was read.
            var end: Int64?
            let isUsable = try loader.add(
                at: index, keyID: try? KeyDocument.string(member.name, of: "kid")
            ) {
                () throws(KeyError) in
                let keyID = try KeyDocument.string(member.name, of: "kid")
                let certificate = try Self.readCertificate(member.value, validAt: now)
                end = certificate.notAfter
                return try JWK(certificate, keyID: keyID)
            }
            // A key that is skipped does not shorten the life of the usable keys.
            if isUsable, let end { notAfter = min(notAfter ?? end, end) }
        }
        keys = loader.set
        issuers = [:]
        self.notAfter = notAfter
    }

    /// The issuer of a key whose `issuer` is no string, or of two keys that disagree. Leaving it
    /// out would be wrong, because a key without an issuer is valid for every tenant.
    private static let unclearIssuer = ReceivedText("")

    /// The members that only private keys have.
    private static let privateMembers = ["d", "p", "q", "dp", "dq", "qi"]

    private static func refusePrivateHalf(in member: JSONNode) throws(KeyError) {
        for name in privateMembers where KeyDocument.present(name, in: member) != nil {
            throw KeyError(
                .privateKeyPublished,
                "The key is published with its private half: anybody can sign with it.")
        }
    }

    /// Reads a certificate in PEM, which must allow signatures and be valid at `now`.
    private static func readCertificate(
        _ node: JSONNode, validAt now: Int64
    ) throws(KeyError) -> X509Certificate {
        guard let pem = node.text else {
            throw KeyError(.malformed, "The certificate is \(node.kind.phrase), not a string.")
        }
        let certificate = try PEM.certificate(pem.utf8.span)
        try certificate.requireSignatures()
        guard now >= certificate.notBefore else {
            throw KeyError(.notValidNow, "The certificate is not valid yet.")
        }
        guard now <= certificate.notAfter else {
            throw KeyError(.notValidNow, "The certificate has expired.")
        }
        return certificate
    }
}
