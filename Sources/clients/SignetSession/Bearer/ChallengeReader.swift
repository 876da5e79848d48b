// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase

/// Reads the challenges of `WWW-Authenticate` (RFC 9110, section 11.6.1), in time that is linear in
/// their length. Reads all challenges, or none. ``StepUpChallenge`` looks for its own among them.
///
/// `Bearer realm="api", error="invalid_token", Basic realm="api"` has two challenges. A comma
/// separates parameters as well as challenges: a word with `=` after it is a parameter, and any
/// other word is the scheme that begins the next challenge.
struct ChallengeReader {
    struct Parameter {
        let name: [UInt8]
        let value: [UInt8]
    }

    struct Challenge {
        let scheme: [UInt8]
        var parameters: [Parameter] = []
    }

    private static let maximumByteCount = 8_192
    private static let maximumParameterCount = 16

    private var rest: ArraySlice<UInt8>

    /// Several fields form a single list (section 5.3). Nil for no field, or for more bytes than
    /// are read.
    init?(_ fields: [String]) {
        // The sum cannot overflow: all fields are in memory.
        let count = fields.reduce(0) { $0 + $1.utf8.count + 1 }
        guard !fields.isEmpty, count <= Self.maximumByteCount else { return nil }
        rest = Array(fields.map(\.utf8).joined(separator: ",".utf8))[...]
    }

    /// All challenges; nil if the text is not a list of challenges.
    mutating func challenges() -> [Challenge]? {
        var found: [Challenge] = []
        skipSeparators()
        while !rest.isEmpty {
            guard let scheme = readToken() else { return nil }
            var challenge = Challenge(scheme: scheme)
            if skipBlanks() {
                // `#auth-param`, a token68, or nothing.
                guard let parameters = readParameters() else { return nil }
                challenge.parameters = parameters
                if parameters.isEmpty { skipToken68() }
            }
            guard isAtSeparator || !challenge.parameters.isEmpty else { return nil }
            skipSeparators()
            found.append(challenge)
        }
        return found
    }

    /// The parameters of a challenge; nil if a parameter is repeated or has no end, or if there are
    /// too many.
    private mutating func readParameters() -> [Parameter]? {
        var found: [Parameter] = []
        while let next = readParameter() {
            guard isAtSeparator, found.count < Self.maximumParameterCount else { return nil }
            let isRepeated = found.contains { Self.areEqual($0.name, next.name) }
            guard !isRepeated else { return nil }
            found.append(next)
            skipSeparators()
        }
        return found
    }

    /// A parameter; nil if there is none, and then nothing is read.
    private mutating func readParameter() -> Parameter? {
        let start = rest
        if let name = readToken() {
            skipBlanks()
            if rest.first == UInt8(ascii: "=") {
                rest.removeFirst()
                skipBlanks()
                if let value = readQuoted() ?? readToken() {
                    return Parameter(name: name, value: value)
                }
            }
        }
        rest = start
        return nil
    }

    /// The token at this place (section 5.6.2); nil if there is none.
    private mutating func readToken() -> [UInt8]? {
        let token = rest.prefix(while: FieldText.isToken)
        rest = rest.dropFirst(token.count)
        return token.isEmpty ? nil : Array(token)
    }

    /// A quoted string without its quotes (section 5.6.4); nil if there is none, or it has no end.
    private mutating func readQuoted() -> [UInt8]? {
        guard rest.first == UInt8(ascii: "\"") else { return nil }
        var value: [UInt8] = []
        var isEscaped = false
        for (index, octet) in zip(rest.indices, rest).dropFirst() {
            if isEscaped {
                value.append(octet)
                isEscaped = false
            } else if octet == UInt8(ascii: "\\") {
                isEscaped = true
            } else if octet == UInt8(ascii: "\"") {
                rest = rest[(index + 1)...]
                return value
            } else {
                value.append(octet)
            }
        }
        return nil
    }

    /// Skips base64 or base64url with its padding (section 11.2).
    private mutating func skipToken68() {
        rest = rest.drop { $0.isDigit || $0.isLetter || "-._~+/".utf8.contains($0) }
        rest = rest.drop { $0 == UInt8(ascii: "=") }
    }

    /// Whether a comma or the end follows, after blanks.
    private var isAtSeparator: Bool {
        rest.drop(while: \.isBlank).first.map { $0 == UInt8(ascii: ",") } ?? true
    }

    /// - Returns: whether there were blanks.
    @discardableResult
    private mutating func skipBlanks() -> Bool {
        let before = rest.count
        rest = rest.drop(while: \.isBlank)
        return rest.count < before
    }

    private mutating func skipSeparators() {
        rest = rest.drop { $0.isBlank || $0 == UInt8(ascii: ",") }
    }

    private static func areEqual(_ a: [UInt8], _ b: [UInt8]) -> Bool {
        a.count == b.count && a.map(\.lowercased).elementsEqual(b.map(\.lowercased))
    }
}
