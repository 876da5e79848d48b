// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetJOSE
internal import SignetLogin
internal import SignetPlatform

/// The server at which `signet login` signs in, and as which client.
struct OpenIDOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The issuer, including any final slash; not needed for a known account.",
            valueName: "url"))
    var issuer: String?

    @Option(
        name: .customLong("client-id"),
        help: ArgumentHelp("The client's id at the issuer.", valueName: "id"))
    var clientID: String?

    @Option(file: "File with the client's secret, if a native program has one (Google).")
    var clientSecretFile: String?

    @Option(
        help: ArgumentHelp(
            "A scope besides openid; may be repeated. (default: email profile offline_access)",
            valueName: "name"))
    var scope: [String] = []

    @Option(
        help: ArgumentHelp(
            "Algorithm of its ID tokens; may be repeated. (default: RS256)", valueName: "name"))
    var algorithm: [String] = []

    @Option(
        help: ArgumentHelp(
            "A further audience of its ID tokens, such as a project at Zitadel; may be repeated.",
            valueName: "name"))
    var trustedAudience: [String] = []

    /// Whether none of these options was given.
    var isEmpty: Bool { !namesServer && trustedAudience.isEmpty }

    /// Whether the options say which server it is, or as which client.
    var namesServer: Bool {
        issuer != nil || clientID != nil || clientSecretFile != nil || !scope.isEmpty
            || !algorithm.isEmpty
    }

    /// The settings from the options. Without options they are the settings of a known account,
    /// which may get different trusted audiences.
    func settings(of known: AccountSettings?) throws -> AccountSettings.OpenID {
        if !namesServer, var settings = known?.openID {
            if !trustedAudience.isEmpty { settings.trustedAudiences = trustedAudience }
            return settings
        }
        guard let issuer, let clientID else {
            throw CommandFailure.missing([("--issuer", issuer), ("--client-id", clientID)])
        }
        return AccountSettings.OpenID(
            issuer: issuer, clientID: clientID, clientSecret: try secret(),
            algorithms: algorithm.isEmpty ? ["RS256"] : algorithm,
            scopes: scope.isEmpty ? nil : scope, trustedAudiences: trustedAudience)
    }

    private func secret() throws -> String? {
        guard let file = clientSecretFile else { return nil }
        let contents = try Input.contents(file, maximumByteCount: 8_192)
        if contents.isOpenToOthers { Input.warn(about: file) }
        var bytes = contents.bytes
        while let last = bytes.last, last == 0x0a || last == 0x0d { bytes.removeLast() }
        return try Self.clientSecret(bytes, in: file)
    }

    /// The secret alone, of visible characters and blanks (RFC 6749, appendix A.2). Google's
    /// console gives a JSON file with it, which is none.
    private static func clientSecret(_ bytes: [UInt8], in file: String) throws -> String {
        let isJSON = (try? JSONDocument(bytes).root.kind) == .object
        guard !isJSON, !bytes.isEmpty, bytes.allSatisfy({ (0x20..<0x7f).contains($0) }) else {
            let shape = InputShape(of: bytes.span)
            throw CommandFailure.refused(
                "malformed",
                (isJSON ? InputShape.json : shape)?.sentence(about: "\(typed: file)")
                    ?? "\(typed: file) holds characters that no client's secret has.",
                advice: "The file holds the client's secret alone, on one line.")
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
