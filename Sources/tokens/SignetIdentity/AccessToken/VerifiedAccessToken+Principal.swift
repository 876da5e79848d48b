// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

extension VerifiedAccessToken {
    /// The party that an access token acts for. Users and clients have separate namespaces. A
    /// client's identifier may equal a user's, so look for each only among its own kind.
    ///
    /// Principals are compared byte by byte. Swift's own comparison of texts takes two spellings of
    /// "é" for equal.
    public enum Principal: Sendable, Hashable, CustomStringConvertible {
        /// The subject (`sub`): a person, or a machine to which the issuer gave a subject of its
        /// own, as Keycloak, Entra and Kubernetes do.
        case user(String)
        /// The client that requested the token for itself: the token has no `sub`
        /// (``SubjectRule/absentForClients``), or the client's identifier in it and nothing that only
        /// a person has (`sid`, `amr`, `nonce`, `preferred_username`, `email`).
        ///
        /// Where people choose their `sub`, an issuer must not give out a client's identifier as a
        /// person's `sub` (RFC 9068, section 5): a token without the claims of a person would be
        /// taken for the client's.
        case client(String)

        /// Whether the two principals are of the same kind and have the same bytes.
        public static func == (a: Principal, b: Principal) -> Bool {
            switch (a, b) {
            case (.user(let a), .user(let b)), (.client(let a), .client(let b)):
                a.utf8.elementsEqual(b.utf8)
            case (.user, .client), (.client, .user): false
            }
        }

        /// Hashes the kind and the bytes.
        public func hash(into hasher: inout Hasher) {
            let (isClient, text) =
                switch self {
                case .user(let text): (false, text)
                case .client(let text): (true, text)
                }
            hasher.combine(isClient)
            for octet in text.utf8 { hasher.combine(octet) }
        }

        /// The kind and the identifier, in printable ASCII.
        public var description: String {
            switch self {
            case .user(let subject): "user \(Self.printable(subject))"
            case .client(let client): "client \(Self.printable(client))"
            }
        }

        private static func printable(_ text: String) -> String {
            String(
                decoding: text.utf8.map { (0x20...0x7e).contains($0) ? $0 : UInt8(ascii: "?") },
                as: UTF8.self)
        }
    }
}
