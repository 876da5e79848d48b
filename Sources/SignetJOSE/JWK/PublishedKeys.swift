// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import OpenSSLBridge

/// The keys that an issuer publishes, restricted to the algorithms that its tokens are accepted with.
package struct PublishedKeys: Sendable {
    package let keys: KeySet
    /// The `issuer` member of each key that has one, by `kid`; empty where it is no string or two of them disagree.
    package let issuers: ReceivedTextTable<ReceivedText>
    /// The last second in which all of the usable keys are valid, where they have an end.
    package let notAfter: Int64?

    /// From a JWK set (RFC 7517, section 5). Members that cannot be used, of other algorithms, or
    /// with a private half are skipped.
    ///
    /// - Throws: `malformed`, `tooLarge`, `libraryFailure`.
    package init(
        jwks: [UInt8], algorithms: [SignatureAlgorithm], maximumKeyCount: Int
    ) throws(KeyError) {
        var keys = [VerificationKey]()
        var skipped = [SkippedKey]()
        var issuers = ReceivedTextTable<ReceivedText>()
        let rule = PublishedKeyRule(algorithms)
        for (index, member) in try JWKSetDocument.members(jwks, maximumCount: maximumKeyCount)
            .enumerated()
        {
            do throws(KeyError) {
                try Self.checkPublic(member)
                keys.append(try rule.key(JWK(member)))
            } catch {
                skipped.append(try SkippedKey(refused: index, member, error))
            }
            if let keyID = member.member("kid")?.text, let node = member.member("issuer") {
                let issuer = node.text ?? ReceivedText("")
                let earlier = issuers[keyID] ?? issuer
                // What is unclear must not be left out: a key without an issuer of its own is any tenant's.
                issuers[keyID] = earlier.isEqual(to: issuer) ? issuer : ReceivedText("")
            }
        }
        self.keys = KeySet(keys, skipped: skipped)
        self.issuers = issuers
        notAfter = nil
    }

    /// From a JSON object of X.509 certificates in PEM by `kid`. Certificates that cannot be used, are not valid at this time, or have keys of
    /// other algorithms are skipped. Who signed them is not looked at.
    ///
    /// - Throws: `malformed`, `tooLarge`, `libraryFailure`.
    package init(
        certificates: [UInt8], algorithms: [SignatureAlgorithm], maximumKeyCount: Int,
        secondsSince1970 now: Int64
    ) throws(KeyError) {
        let root = try KeyDocument.parse(certificates, maximumByteCount: KeySet.maximumByteCount)
            .root
        guard root.kind == .object else {
            throw KeyError(
                .malformed, "Certificates come as a JSON object of PEM texts by \"kid\".")
        }
        guard root.count <= maximumKeyCount else {
            throw KeyError(.tooLarge, "There are more than \(maximumKeyCount) certificates.")
        }
        var keys = [VerificationKey]()
        var skipped = [SkippedKey]()
        var notAfter: Int64?
        let rule = PublishedKeyRule(algorithms)
        for (index, member) in root.members.enumerated() {
            do throws(KeyError) {
                let keyID = try KeyDocument.string(member.name, of: "kid")
                guard let pem = member.value.text else {
                    throw KeyError(.malformed, "The certificate is not a string.")
                }
                let certificate = try PEM.certificate(pem.utf8.span)
                try Self.checkValidity(certificate, at: now)
                keys.append(try rule.key(JWK(certificate, keyID: keyID)))
                notAfter = min(notAfter ?? certificate.notAfter, certificate.notAfter)
            } catch {
                let keyID = try? KeyDocument.string(member.name, of: "kid")
                skipped.append(try SkippedKey(refused: index, keyID: keyID, error))
            }
        }
        self.keys = KeySet(keys, skipped: skipped)
        issuers = ReceivedTextTable()
        self.notAfter = notAfter
    }

    /// Whatever follows from any of these: the rest of a private RSA key, for example.
    private static let privateMembers = ["d", "p", "q", "dp", "dq", "qi"]

    private static func checkPublic(_ member: JSONNode) throws(KeyError) {
        guard privateMembers.allSatisfy({ KeyDocument.present($0, in: member) == nil }) else {
            throw KeyError(
                .privateKeyPublished,
                "The key is published with its private half: anybody can sign with it.")
        }
    }

    private static func checkValidity(_ certificate: Certificate, at now: Int64) throws(KeyError) {
        try certificate.requireSignatures()
        guard now >= certificate.notBefore else {
            throw KeyError(.notValidNow, "The certificate is not valid yet.")
        }
        guard now <= certificate.notAfter else {
            throw KeyError(.notValidNow, "The certificate has expired.")
        }
    }
}

/// Binds published keys to algorithms of a list.
private struct PublishedKeyRule {
    private let algorithms: [SignatureAlgorithm]
    /// The one algorithm of RSA keys that name none (RFC 8725, section 3.1): RS256 as OpenID
    /// Connect has it, where that is accepted.
    private let rsaAlgorithm: SignatureAlgorithm?

    init(_ algorithms: [SignatureAlgorithm]) {
        self.algorithms = algorithms
        let ofRSA = algorithms.filter { if case .rsa = $0.family { true } else { false } }
        rsaAlgorithm = ofRSA.contains(.rs256) ? .rs256 : ofRSA.first
    }

    func key(_ jwk: JWK) throws(KeyError) -> VerificationKey {
        let isUnmarkedRSA = jwk.algorithm == nil && jwk.keyType == "RSA"
        let key = try VerificationKey(jwk: jwk, algorithm: isUnmarkedRSA ? rsaAlgorithm : nil)
        guard algorithms.contains(where: key.answers) else {
            throw KeyError(
                .algorithmMismatch,
                "The key is for \(key.algorithm.name), which is not accepted here.")
        }
        return key
    }
}
