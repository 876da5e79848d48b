// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension InputShape {
    /// Says what the input is, and what to do about it.
    ///
    /// - Parameter subject: what was refused, for example `The token`.
    package func sentence(about subject: ErrorMessage) -> ErrorMessage {
        let (finding, remedy) = words
        return remedy.map { "\(subject) \(finding). \($0)" } ?? "\(subject) \(finding)."
    }

    /// The predicate of a sentence, for a message that says more.
    package var finding: ErrorMessage { words.finding }

    private var words: (finding: ErrorMessage, remedy: ErrorMessage?) {
        switch self {
        case .empty: ("is empty", nil)
        case .utf16: ("is UTF-16", "Save it as UTF-8.")
        case .byteOrderMark:
            ("begins with a byte-order mark", "Save it as UTF-8 without one.")
        case .gzip: ("is compressed", "Unpack it: gunzip < FILE")
        case .der:
            (
                "is DER, which is binary",
                "PEM of a key: openssl pkey -inform DER -in FILE -out KEY.pem"
            )
        case .pkcs12:
            ("is PKCS#12", "Take the key out: openssl pkcs12 -in FILE -nodes -nocerts")
        case .markup: ("is HTML or XML, as a page for an error or for signing in is", nil)
        case .openSSHKey:
            (
                "is in OpenSSH's own form",
                "Convert a copy of an RSA or ECDSA key: ssh-keygen -p -m PEM -f COPY"
            )
        case .sshPublicKey:
            (
                "is a public key of SSH",
                "PEM of an RSA or ECDSA key: ssh-keygen -e -m PKCS8 -f FILE"
            )
        case .encryptedPEM:
            ("is encrypted", "Decrypt it first: openssl pkey -in KEY.pem -out PLAIN.pem")
        case .pem: ("is PEM", nil)
        case .ageKey: ("is a key of age, which Signet does not use", nil)
        case .hexadecimal: ("is hexadecimal", "Its bytes: xxd -r -p FILE")
        case .comment: ("begins with a comment", "Take that line away.")
        case .json: ("is JSON", nil)
        case .jsonArray: ("is a JSON array", nil)
        case .quoted: ("is in quotation marks", "Take them away.")
        case .bearer: ("begins as a header field", "Give only what follows \"Bearer\".")
        case .answer:
            ("is an answer of HTTP with its header fields", "Give its body alone: curl without -i.")
        case .severalTokens: ("holds several tokens", "Give one of them.")
        case .encryptedToken: ("has five parts: it is encrypted (JWE), which is not read here", nil)
        case .token: ("is a token (JWS)", nil)
        case .cutToken: ("ends too early", "It was cut short.")
        case .whiteSpace: ("has white space around it or in it", "Take it away.")
        case .padding: ("has padding (=), which RFC 7515 leaves out", "Take it away.")
        case .otherBase64:
            (
                "has + or /, as base64 has, and not base64url",
                "Convert it: tr '+/' '-_' < FILE"
            )
        }
    }
}
