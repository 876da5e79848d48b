// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetAccounts
internal import SignetIdentity

extension SMTPServer {
    /// A server from a configuration: `smtps://smtp.example` uses TLS from the first byte (port
    /// 465), `smtp://smtp.example` STARTTLS (587), and `smtp://127.0.0.1` neither, for a relay on
    /// this machine (25). Another port follows the host: `smtp://smtp.example:2525`.
    ///
    /// - Throws: `invalidParameter` for anything else, including a user and a password, which come
    ///   from a store.
    public init(address: String) throws(AccountError) {
        let octets = Array(address.utf8)
        let isImplicit = octets.starts(with: "smtps://".utf8)
        let scheme = isImplicit ? "smtps://" : "smtp://"
        guard octets.starts(with: scheme.utf8) else { throw Self.notAnAddress }
        let place = String(decoding: octets.dropFirst(scheme.utf8.count), as: UTF8.self)
        // `EndpointURL` has the rules for hosts and ports. A mail server's address has no path.
        guard let url = try? EndpointURL("https://" + place), url.path.isEmpty, url.query == nil
        else { throw Self.notAnAddress }
        if isImplicit {
            self = .tls(url.host, port: url.port ?? 465)
        } else if url.host.utf8.elementsEqual("127.0.0.1".utf8) {
            self = .unencryptedOnThisMachine(port: url.port ?? 25)
        } else {
            self = .startTLS(url.host, port: url.port ?? 587)
        }
    }

    private static var notAnAddress: AccountError {
        invalid(
            "A mail server's address must be smtps://HOST or smtp://HOST, optionally with :PORT.")
    }
}
