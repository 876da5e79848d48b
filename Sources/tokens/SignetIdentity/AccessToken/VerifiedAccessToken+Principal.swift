// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

extension VerifiedAccessToken {
    /// Who acts by an access token. Users and clients have separate namespaces: a client's
    /// identifier may equal a user's, so look each up only among its own kind.
    ///
    /// Compared byte by byte, unlike the texts in them: Swift takes two spellings of "é" for equal.
    public enum Principal: Sendable, Hashable, CustomStringConvertible {
        /// What `sub` names: a person, or a machine to which the issuer gave a subject of its own,
        /// as Keycloak, Entra and Kubernetes do.
        case user(String)
        /// The client that requested the token for itself: the token has no `sub`
        /// (``SubjectRule/absentForClients``), or the client's identifier in it and nothing that only
        /// a person has (`sid`, `amr`, `nonce`, `preferred_username`, `email`).
        ///
        /// Where people choose their `sub`, an issuer must not give out a client's identifier as one
        /// (RFC 9068, section 5): a token without those claims would be taken for the client's.
        case client(String)

        /// Whether both are of one kind and have the same bytes.
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
