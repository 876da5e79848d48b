// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetIdentity
internal import SignetJSON

/// Pins the keys that a host's certificate may have, as SHA-256 of its SubjectPublicKeyInfo (RFC
/// 7469, section 2.4), in addition to all other certificate checks.
///
/// libcurl checks only the server's own certificate (the leaf): a new certificate for the same key
/// works, a certificate for another key does not. So at least two keys are required. Use a backup
/// key as the second, which needs no certificate yet. If a proxy intercepts TLS, as in some
/// companies, each exchange with the host fails (`notPinned`).
///
///     openssl x509 -in certificate.pem -pubkey -noout | openssl pkey -pubin -outform DER |
///         openssl dgst -sha256 -binary | base64
public struct PinnedKeys: Sendable {
    /// The most keys for a host.
    public static var maximumCount: Int { 16 }

    /// The host, in lower case. Its subdomains are not pinned.
    public let host: String
    /// SHA-256's length, in bytes, and in base64 with padding.
    private static let digestByteCount = 32
    private static let textByteCount = 44
    private let digests: [String]

    /// Makes pins for a host and all of its ports. Only https is then allowed for this host.
    ///
    /// - Parameters:
    ///   - host: the host's name, without a scheme.
    ///   - spkiSHA256: standard base64 with padding, optionally prefixed with `sha256/` or
    ///     `sha256//`.
    /// - Throws: `invalidURL` for a malformed host; `invalidIdentifier` for fewer than two
    ///   different keys or more than 16, and for a pin that is not base64 of 32 bytes.
    public init(
        host: String, spkiSHA256: [String]
    ) throws(IdentityConfigurationError) {
        let url = try EndpointURL("https://\(host)")
        guard url.path.isEmpty, url.query == nil, url.port == nil else {
            throw IdentityConfigurationError(
                .invalidURL, "Keys are pinned for a host, without port and path.")
        }
        var digests: [[UInt8]] = []
        for text in spkiSHA256 {
            let digest = try Self.digest(text)
            if !digests.contains(digest) { digests.append(digest) }
        }
        guard (2...Self.maximumCount).contains(digests.count) else {
            throw Self.invalid(
                "are 2 to \(Self.maximumCount) different keys, one of them a backup, not \(digests.count)"
            )
        }
        self.host = url.host
        self.digests = digests.map { Base64Standard.encode($0) }
    }

    func hasSameHost(as other: PinnedKeys) -> Bool { host.utf8.elementsEqual(other.host.utf8) }

    /// The form that libcurl takes.
    var setting: String { digests.map { "sha256//\($0)" }.joined(separator: ";") }

    private static func digest(_ text: String) throws(IdentityConfigurationError) -> [UInt8] {
        // From the end: a digest may begin with the '/' that a prefix ends with.
        let base64 = Array(text.utf8.suffix(textByteCount))
        let prefix = text.utf8.dropLast(textByteCount)
        guard ["", "sha256/", "sha256//"].contains(where: { prefix.elementsEqual($0.utf8) }),
            base64.count == textByteCount, let digest = Base64Standard.decode(base64.span),
            digest.count == digestByteCount
        else { throw invalid("are SHA-256 in standard base64: 44 characters each") }
        return digest
    }

    private static func invalid(_ what: ErrorMessage) -> IdentityConfigurationError {
        IdentityConfigurationError(.invalidIdentifier, "The keys that are pinned \(what).")
    }
}
