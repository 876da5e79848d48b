// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetBase
internal import SignetJOSE

/// `signet jwt inspect`
struct JWTInspectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect", abstract: "Show what a token says, WITHOUT verifying any of it.",
        discussion: """
            For finding out why a token is refused. Anyone can write such a token: do not trust it. \
            Quotation marks around it and "Bearer" before it are taken away. The times are shown in \
            UTC as well, with how far they are from now. Of an encrypted token (JWE) it shows the \
            header, and the key that decrypts it.

            EXAMPLES
              signet jwt inspect < token
              signet jwt inspect --json < token
            """,
        aliases: ["decode"])

    @Flag(
        help: """
            Print a JSON object: verified (always false), header, unverifiedClaims; of a JWE \
            header, encrypted, neededKey.
            """)
    var json = false

    @Argument(help: "The token; standard input without it.")
    var token: String?

    func run() throws {
        let octets = Self.bare(
            try Input.token(token, maximumByteCount: Input.maximumJWTByteCount))
        if let token = try UnopenedToken(octets) { return try show(token) }
        // Bytes that are not UTF-8 become characters that base64url does not have.
        let compact = String(decoding: octets, as: UTF8.self)
        // The strict readers first: what they refuse is not shown.
        _ = try UnverifiedToken(compact, maximumByteCount: Input.maximumJWTByteCount)
        let parts = compact.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header = try? Base64URL.decode(parts[0]),
            let claims = try? Base64URL.decode(parts[1])
        else { throw CommandFailure.refused("malformed", "The token cannot be read.") }
        let texts = ["header": header, "unverifiedClaims": claims].mapValues(JSONOutput.oneLine)
        guard !json else { return try Output.json(["verified": false], texts: texts) }
        try showHeader(header)
        try Output.line("claims: " + String(decoding: JSONOutput.oneLine(claims), as: UTF8.self))
        let times = ClaimTimes(
            claims: try JSONDocument(claims, limits: .init(maximumByteCount: claims.count)).root,
            now: CommandClock.current.now())
        if let text = times.text(.output) { try Output.line(text) }
    }

    private func show(_ token: UnopenedToken) throws {
        let (key, text): (String?, String) =
            switch token.decryption {
            case .takes(let key, let command):
                (key, "It takes \(key):\n         \(command)")
            case .notHere(let reason): (nil, "Signet does not decrypt it: \(reason).")
            }
        guard !json else {
            return try Output.json(
                ["verified": false, "encrypted": true, "neededKey": key.map(JSONValue.string)],
                texts: ["header": JSONOutput.oneLine(token.header)])
        }
        try showHeader(token.header)
        try Output.line("content: encrypted. " + text)
    }

    private func showHeader(_ header: [UInt8]) throws {
        try Output.line(
            TerminalStyle.output.marked("NOT VERIFIED: anyone can write this.", as: .warning))
        try Output.line("header: " + String(decoding: JSONOutput.oneLine(header), as: UTF8.self))
    }

    /// The token of a header field or a text in quotation marks, as people paste it. Only here,
    /// where nothing is verified.
    private static func bare(_ text: [UInt8]) -> [UInt8] {
        var text = text[...]
        let marks = "\"'".utf8
        if let mark = text.first, marks.contains(mark), text.last == mark, text.count > 1 {
            text = text.dropFirst().dropLast()
        }
        let scheme = "bearer ".utf8
        if text.prefix(scheme.count).map(\.lowercased).elementsEqual(scheme) {
            text = text.dropFirst(scheme.count)
        }
        return Input.withoutOuterSpace(Array(text))
    }
}
