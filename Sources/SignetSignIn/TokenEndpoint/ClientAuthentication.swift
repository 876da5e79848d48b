// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import SignetIdentity

/// How a client proves itself to the token endpoint (RFC 6749, section 2.3.1). Printing it shows nothing of the secret.
public struct ClientAuthentication: Sendable, CustomStringConvertible, CustomReflectable {
    enum Method: String {
        case none
        case basic = "client_secret_basic"
        case post = "client_secret_post"
    }

    let method: Method
    private let secret: SecretKey

    /// By nothing: a native or browser app, which cannot keep a secret. PKCE binds its code, and
    /// cannot be left out.
    public static let none = ClientAuthentication(.none, "")

    /// By a secret in `Authorization`: what every provider takes. It is form-encoded first (RFC
    /// 6749, section 2.3.1), which some servers do not undo: a secret with other characters than
    /// letters, digits and `-._~` is better sent by ``clientSecretPost(_:)``.
    public static func clientSecretBasic(_ secret: String) -> ClientAuthentication {
        ClientAuthentication(.basic, secret)
    }

    /// By a secret in the body: for Apple, say, whose secret is a signed token of at most six months.
    public static func clientSecretPost(_ secret: String) -> ClientAuthentication {
        ClientAuthentication(.post, secret)
    }

    private init(_ method: Method, _ secret: String) {
        self.method = method
        self.secret = SecretKey(copying: secret.utf8)
    }

    func check() throws(IdentityConfigurationError) {
        guard method == .none || (1...8192).contains(secret.byteCount) else {
            throw IdentityConfigurationError(.invalidSecret, "A client secret has 1 to 8192 bytes.")
        }
    }

    var exposedSecret: String {
        secret.withExposedBytes { bytes in
            String(decoding: (0..<bytes.count).map { bytes[$0] }, as: UTF8.self)
        }
    }

    /// The method, and nothing of the secret.
    public var description: String { "ClientAuthentication(\(method.rawValue), redacted)" }

    /// Shows the method only.
    public var customMirror: Mirror { Mirror(self, children: ["method": method.rawValue]) }
}
