// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import CurlBridge
internal import SignetAccounts
internal import SignetBase
internal import SignetCrypto
internal import SignetIdentity

/// A mail server that relays messages: over TLS, or on this machine. Printing shows nothing of user
/// and password.
///
///     let server = SMTPServer.tls("smtp.example").signingIn(as: "app", password: "from a vault")
///
/// Its certificate and name are verified as by `CurlTransport`, TLS 1.2 is required, and no setting
/// turns that off.
public struct SMTPServer: Sendable, CustomStringConvertible, CustomReflectable {
    /// A PEM file with the trusted authorities' certificates, **replacing** the system's.
    public var authorities: String?
    /// The limit for one message: over 0, and less than `Outbox.sendingTime`.
    public var timeout = Duration.seconds(20)

    private static let maximumCredentialByteCount = 1_024

    let protection: MailRequest.Protection
    let host: String
    let port: Int
    private var user: String?
    private var password: SecretKey?

    /// A server with TLS from the first byte (RFC 8314).
    public static func tls(_ host: String, port: Int = 465) -> SMTPServer {
        SMTPServer(.implicit, host: host, port: port)
    }

    /// A server with STARTTLS (RFC 3207). If the server does not offer it, nothing is sent.
    public static func startTLS(_ host: String, port: Int = 587) -> SMTPServer {
        SMTPServer(.startTLS, host: host, port: port)
    }

    /// A server without TLS on 127.0.0.1: a relay on this machine, or a test's.
    public static func unencryptedOnThisMachine(port: Int = 25) -> SMTPServer {
        SMTPServer(.none, host: "127.0.0.1", port: port)
    }

    /// The same server, with a user and a password (RFC 4954). If the server offers no way to sign
    /// in, it gets the message without them.
    public func signingIn(as user: String, password: String) -> SMTPServer {
        var server = self
        server.user = user
        server.password = SecretKey(copying: password.utf8)
        return server
    }

    private init(_ protection: MailRequest.Protection, host: String, port: Int) {
        self.protection = protection
        self.host = host
        self.port = port
    }

    /// Host and port.
    public var description: String { "SMTPServer(\(host):\(port), redacted)" }

    /// Only host and port.
    public var customMirror: Mirror { Mirror(self, children: ["host": host, "port": port]) }

    /// - Throws: `invalidParameter` for an impossible timeout, host, port, user or password.
    func check() throws(AccountError) {
        guard timeout > .zero, timeout < Outbox.sendingTime else {
            throw Self.invalid(
                "timeout is over 0 s and less than \(Outbox.sendingTime), not \(timeout).")
        }
        // Host and port follow the same rules as in a URL of https.
        guard let url = try? EndpointURL("https://\(host):\(port)"), url.path.isEmpty,
            url.query == nil, url.port == port
        else { throw Self.invalid("A mail server has a host and a port, and no more.") }
        guard let (user, password) = credentials else { return }
        let isAllowed = [user, password].allSatisfy { text in
            (1...Self.maximumCredentialByteCount).contains(text.utf8.count)
                && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f }
        }
        guard isAllowed else {
            throw Self.invalid("User and password have 1 to 1,024 bytes, none of them a control.")
        }
    }

    /// The client of libcurl that sends, with the trusted authorities.
    func client() throws(AccountError) -> CurlClient {
        guard let settings = CurlSettings(authorities: authorities) else {
            throw Self.invalid(
                "The file of authorities cannot be read, or holds no certificate in PEM.")
        }
        return CurlClient(settings)
    }

    /// The address for libcurl, such as `smtps://smtp.example:465/app.example`.
    ///
    /// - Parameter domain: the client's own name (RFC 5321, section 4.1.1.1).
    func url(from domain: String) -> String {
        "\(protection == .implicit ? "smtps" : "smtp")://\(host):\(port)/\(domain)"
    }

    /// User and password as texts; nil without them.
    var credentials: (user: String, password: String)? {
        guard let user, let password else { return nil }
        let text = password.withExposedBytes { bytes in
            String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
        }
        return (user, text)
    }

    static func invalid(_ message: ErrorMessage) -> AccountError {
        AccountError(.invalidParameter, message)
    }
}
