// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetIdentity
internal import SignetJOSE

/// `signet jwks fetch`
struct JWKSFetchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fetch",
        abstract: "Fetch an issuer's keys as a server would; print the usable ones as a JWK set.",
        discussion: """
            Uses https, or http on this machine, and follows redirects on the same host only. A \
            set has at most 512 KiB and 100 keys. The command prints the public halves of the \
            keys that Signet would verify with. It names the keys that it leaves out on standard \
            error, each with the reason. Status 3 when there is no answer, 1 when the answer is \
            malformed or holds no usable key.

            EXAMPLES
              signet jwks fetch --issuer https://accounts.google.com > jwks.json
              signet jwks fetch --url https://idp.example/keys --algorithm ES256 --json
              signet jwks fetch --certificates https://idp.example/x509 --output keys.json
            """)

    @Option(
        help: ArgumentHelp(
            "The issuer exactly as in iss; its metadata say where the keys are.",
            valueName: "url"))
    var issuer: String?

    @Option(help: ArgumentHelp("The address of a JWK set.", valueName: "url"))
    var url: String?

    @Option(
        help: ArgumentHelp("The address of X.509 certificates by kid (Firebase).", valueName: "url")
    )
    var certificates: String?

    @Option(
        help: ArgumentHelp(
            "Only keys for this algorithm; may be repeated. (default: all)", valueName: "name"))
    var algorithm: [String] = []

    @Option(file: "Write the set to this file.")
    var output: String?

    @Flag(help: "Replace the output file if it exists.")
    var force = false

    @Flag(
        help:
            "Print a JSON object: url, keys, lifetime in seconds, skipped, and jwks without --output."
    )
    var json = false

    func run() throws {
        let file = OutputFile(output, overwrite: force)
        try file.check()
        let place = try location()
        let fetched = try FetchedKeys(
            issuer: place.issuer, location: place.location,
            algorithms: algorithm.compactMap(KeyFile.signature))
        let set = try fetched.snapshot.keys.jwksJSON()
        // The keys are published anyway, so the file may be read by everyone.
        if file.path != nil || !json { try file.write(Array((set + "\n").utf8), mode: 0o644) }
        guard json else { return }
        var texts: [String: [UInt8]] = [:]
        if file.path == nil { texts["jwks"] = Array(set.utf8) }
        try Output.json(report(fetched), texts: texts)
    }

    private func location() throws -> (issuer: String, location: RemoteKeySet.Location) {
        switch (issuer, url, certificates) {
        case (let issuer?, nil, nil): return (issuer, .discovery)
        case (nil, let url?, nil): return (url, .keySet(try EndpointURL(url)))
        case (nil, nil, let url?): return (url, .certificates(try EndpointURL(url)))
        default:
            throw CommandFailure.usage(
                "Say where the keys are, in one way.",
                advice: "Give one of --issuer, --url and --certificates.")
        }
    }

    private func report(_ fetched: FetchedKeys) -> [String: JSONValue?] {
        let keys = fetched.snapshot.keys
        return [
            "url": (issuer ?? url ?? certificates).map(JSONValue.string),
            "keys": .integer(Int64(keys.keys.count)),
            "lifetime": fetched.event?.lifetime.map { .integer($0.wholeSeconds) },
            "output": OutputFile(output, overwrite: force).path.map(JSONValue.path),
            "skipped": .array(
                keys.skipped.map { key in
                    [
                        "index": .integer(Int64(key.index)),
                        "kid": key.keyID.map(JSONValue.string) ?? .null,
                        "code": .string(key.reason.code.rawValue),
                        "message": .string(key.reason.message),
                    ]
                }),
        ]
    }
}
