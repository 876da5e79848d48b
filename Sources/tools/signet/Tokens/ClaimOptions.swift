// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetBase
internal import SignetJOSE

/// A claim that an option gives.
struct GivenClaim {
    let name: String
    /// The value, as JSON.
    let json: [UInt8]
}

/// The claims of `signet jwt sign` that options give.
struct ClaimOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The issuer, which is the claim iss.", valueName: "issuer"))
    var iss: [String] = []

    @Option(
        help: ArgumentHelp(
            "An audience, which is the claim aud; may be repeated.", valueName: "audience"))
    var aud: [String] = []

    @Option(help: ArgumentHelp("The subject, which is the claim sub.", valueName: "subject"))
    var sub: [String] = []

    @Option(
        help: ArgumentHelp(
            "A claim whose value is text; may be repeated.", valueName: "name=text"))
    var claim: [String] = []

    @Option(
        help: ArgumentHelp(
            "A claim whose value is JSON; may be repeated.", valueName: "name=json"))
    var claimJSON: [String] = []

    /// Claims that hold seconds since 1970 (RFC 7519, section 4.1; OpenID Connect Core, sections 2
    /// and 5.1).
    private static let times = ["exp", "nbf", "iat", "auth_time", "updated_at"]

    /// Whether no option gives a claim.
    var isEmpty: Bool {
        iss.isEmpty && aud.isEmpty && sub.isEmpty && claim.isEmpty && claimJSON.isEmpty
    }

    /// The claims that were given, each once.
    ///
    /// - Parameter others: claims that another option gives.
    /// - Throws: `usage`, before anything is read.
    func given(besides others: [String]) throws -> [GivenClaim] {
        var claims: [GivenClaim] = []
        // An option that is given twice is taken twice, and refused below.
        for issuer in iss { try add("iss", values: [issuer], to: &claims) }
        try add("aud", values: aud, to: &claims)
        for subject in sub { try add("sub", values: [subject], to: &claims) }
        claims += try claim.map(Self.text) + claimJSON.map(Self.json)
        var names = Set(others.map { Array($0.utf8) })
        for claim in claims {
            try require(
                names.insert(Array(claim.name.utf8)).inserted,
                otherwise: "The claim \(shown: claim.name) is given twice.",
                advice: others.contains { $0.utf8.elementsEqual(claim.name.utf8) }
                    ? "--exp gives exp and iat: leave one of the options out."
                    : "Leave one of the options out.")
        }
        return claims
    }

    /// Adds a claim of one text, or of several.
    private func add(_ name: String, values: [String], to claims: inout [GivenClaim]) throws {
        guard let first = values.first else { return }
        try require(
            values.allSatisfy { !$0.isEmpty }, otherwise: "The value of --\(shown: name) is empty.",
            advice: "Leave --\(name) out.")
        let value: JSONValue =
            values.count == 1 ? .string(first) : .array(values.map(JSONValue.string))
        claims.append(try Self.claim(name, value: value))
    }

    private static func text(_ pair: String) throws -> GivenClaim {
        let (name, text) = try parts(of: pair, option: "--claim", value: "TEXT")
        try require(
            !times.contains { $0.utf8.elementsEqual(name.utf8) },
            otherwise: "The claim \(shown: name) is a number of seconds, and --claim gives text.",
            advice: "A time from now on: --exp 15m. Seconds since 1970: --claim-json \(name)=…")
        return try claim(name, value: .string(text))
    }

    private static func json(_ pair: String) throws -> GivenClaim {
        let (name, text) = try parts(of: pair, option: "--claim-json", value: "JSON")
        let bytes = Array(text.utf8)
        do {
            _ = try JSONDocument(
                bytes, limits: .init(maximumByteCount: Input.maximumJWTByteCount))
        } catch {
            throw CommandFailure.usage(
                "The value of the claim \(shown: name) is not strict JSON (\(error.fault)).",
                advice: "Text is given with --claim; JSON is quoted for the shell, as in: "
                    + "--claim-json 'roles=[\"a\"]'")
        }
        return GivenClaim(name: name, json: bytes)
    }

    private static func claim(_ name: String, value: JSONValue) throws -> GivenClaim {
        let encoder = JSONTokenEncoder(allowsFragments: true)
        return GivenClaim(name: name, json: try encoder.encode(value))
    }

    /// The name before the first `=`, and all that follows it.
    private static func parts(
        of pair: String, option: String, value: String
    ) throws -> (name: String, value: String) {
        // By bytes, because "=" and a combining mark after it are another Character.
        let name = pair.utf8.prefix { $0 != UInt8(ascii: "=") }
        try require(
            !name.isEmpty && name.count < pair.utf8.count,
            otherwise: "\(shown: option) takes NAME=\(shown: value).",
            advice: "As in: \(option) role=\(value == "JSON" ? "true" : "admin")")
        return (
            String(decoding: name, as: UTF8.self),
            String(decoding: pair.utf8.dropFirst(name.count + 1), as: UTF8.self)
        )
    }
}
