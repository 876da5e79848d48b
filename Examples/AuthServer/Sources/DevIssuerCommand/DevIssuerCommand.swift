// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import DevIssuer
internal import Foundation
internal import Hummingbird
internal import Logging

/// The command `dev-issuer`.
@main
struct DevIssuerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dev-issuer",
        abstract:
            "An OpenID provider for development, on this machine only. It vouches for anyone.",
        discussion: """
            A token for curl:

              curl -s -H 'Content-Type: application/json' http://127.0.0.1:PORT/dev/token \\
                -d '{"person": {"sub": "110000000000000000001", "email": "ada@company.example"}}'

            `claims` in that body overwrites or (null) takes away any claim, `key` is current, unpublished or impostor, `lifetime` is
            in seconds. POST /dev/rotate-keys changes the signing key (with ?forget=1 the earlier ones are withdrawn).
            """)

    @Option(help: "The port; 0 takes a free one.") var port: Int = 0
    @Option(
        name: .customLong("client-id"), help: "A client identifier; may be given several times.")
    var clientIDs: [String] = ["dev-client"]
    @Option(
        name: .customLong("redirect-uri"),
        help: "Where /authorize may send a browser; may be given several times.")
    var redirectURIs: [String] = []
    @Option(help: "How long access tokens are good, in seconds.") var tokenLifetime = 3_600
    @Option(help: "The person whom /authorize signs in.") var sub = "110000000000000000001"
    @Option(help: "That person's address.") var email = "ada@company.example"
    @Option(help: "That person's name.") var name = "Ada Example"
    @Option(help: "A file to write the issuer to once it listens, for scripts.") var issuerFile:
        String?

    func run() async throws {
        let logger = Logger(label: "dev-issuer") { label in
            var handler = StreamLogHandler.standardError(label: label)
            handler.logLevel = .notice
            return handler
        }
        let issuer = try DevIssuer(
            DevIssuerConfiguration(
                port: port, clientIDs: clientIDs, redirectURIs: redirectURIs,
                person: Person(sub: sub, email: email, name: name), tokenLifetime: tokenLifetime),
            logger: logger)
        let application = issuer.application { text in
            logger.warning(
                "FOR DEVELOPMENT ONLY: \(text) vouches for anyone who asks. Never let a real server trust it."
            )
            guard let issuerFile else { return }
            try? Data("\(text)\n".utf8).write(
                to: URL(fileURLWithPath: issuerFile), options: .atomic)
        }
        try await application.runService()
    }
}
