// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetCurl
internal import SignetIdentity
internal import SignetJOSE
internal import SystemBridge

/// `signet jwks fetch`
struct JWKSFetchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fetch",
        abstract: "Fetch an issuer's keys as a server would; print the usable ones as a JWK set.",
        discussion: """
            https only, or http on this machine; redirects on the same host only; at most 512 KiB and 100 keys. What \
            is printed are the public halves of the keys that Signet would verify with; those that it leaves out are \
            named on standard error, each with its reason. Status 3 when there is no answer, 1 when the answer is not \
            what it should be, or holds no usable key.

            EXAMPLES
              signet jwks fetch --issuer https://accounts.google.com > jwks.json
              signet jwks fetch --url https://idp.example/keys --algorithm ES256 --json
              signet jwks fetch --certificates https://idp.example/x509 --output keys.json
            """)

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The issuer as its tokens have it: its metadata say where the keys are.",
            valueName: "url"))
    var issuer: String?

    @Option(name: .long, help: ArgumentHelp("The address of a JWK set.", valueName: "url"))
    var url: String?

    @Option(
        name: .long,
        help: ArgumentHelp("The address of X.509 certificates by kid (Firebase).", valueName: "url")
    )
    var certificates: String?

    @Option(
        name: .customLong("algorithm"),
        help: ArgumentHelp(
            "Only keys for this algorithm; may be repeated; all without it.", valueName: "name"))
    var algorithms: [String] = []

    @Option(
        name: .long, help: ArgumentHelp("Write the set to this file.", valueName: "file"),
        completion: .file()
    )
    var output: String?

    @Flag(name: .long, help: "Replace the output file if it is there.")
    var force = false

    @Flag(
        name: .long,
        help:
            "Print a JSON object: url, keys, lifetime in seconds, skipped, and jwks without --output."
    )
    var json = false

    func run() throws {
        let file = OutputFile(output, overwrite: force)
        try file.check()
        let (snapshot, event) = try identifying { try fetched() }
        let set = try failing { try snapshot.keys.jwksJSON() }
        for key in snapshot.keys.skipped { Output.errorLine("signet: left out \(key)") }
        // They are published anyway.
        if file.path != nil || !json { try file.write(Array((set + "\n").utf8), mode: 0o644) }
        guard json else { return }
        var texts: [String: [UInt8]] = [:]
        if file.path == nil { texts["jwks"] = Array(set.utf8) }
        try Output.line(JSONOutput.line(report(snapshot, event), texts: texts))
    }

    private func fetched() throws -> (KeySnapshot, KeySetEvent?) {
        let (place, location) = try location()
        let last = Locked<KeySetEvent?>(nil)
        var options = KeySetOptions()
        options.algorithms = try algorithms.isEmpty ? SignatureAlgorithm.allCases : wanted()
        options.onEvent = { event in last.withLock { $0 = event } }
        let keys = try RemoteKeySet(
            issuer: place, location: location, transport: .curl, options: options)
        let result = try waitingForIdentity {
            () async throws(IdentityError) -> Result<KeySnapshot, KeySourceError> in
            do throws(KeySourceError) {
                return .success(try await keys.refresh())
            } catch {
                return .failure(error)
            }
        }
        switch result {
        case .success(let snapshot): return (snapshot, last.withLock { $0 })
        case .failure(let error): throw CommandFailure(error)
        }
    }

    private func location() throws -> (String, RemoteKeySet.Location) {
        guard [issuer, url, certificates].count(where: { $0 != nil }) == 1 else {
            throw CommandFailure.usage(
                "Say where the keys are, in one way.",
                advice: "Give one of --issuer, --url and --certificates.")
        }
        if let url { return (url, .keySet(try EndpointURL(url))) }
        if let certificates { return (certificates, .certificates(try EndpointURL(certificates))) }
        return (issuer ?? "", .discovery)
    }

    private func wanted() throws -> [SignatureAlgorithm] {
        try algorithms.compactMap { try KeyFile.signature($0) }
    }

    private func report(_ snapshot: KeySnapshot, _ event: KeySetEvent?) -> [String: JSONValue] {
        var members: [String: JSONValue] = [
            "keys": .integer(Int64(snapshot.keys.keys.count)),
            "skipped": .array(
                snapshot.keys.skipped.map { key in
                    .object([
                        "index": .integer(Int64(key.index)),
                        "kid": key.keyID.map { .string($0) } ?? .null,
                        "code": .string(key.reason.code.rawValue),
                        "message": .string(key.reason.message),
                    ])
                }),
        ]
        if let place = issuer ?? url ?? certificates { members["url"] = .string(place) }
        if let lifetime = event?.lifetime {
            members["lifetime"] = .integer(lifetime.components.seconds)
        }
        if let path = OutputFile(output, overwrite: force).path {
            members["output"] = .string(path)
        }
        return members
    }
}

extension CommandFailure {
    /// Out of reach is not the same as wrong: only the first is worth trying again.
    fileprivate init(_ error: KeySourceError) {
        let status: Status =
            switch error.code {
            case .redirect, .tooLarge, .invalidDocument, .issuerMismatch, .noUsableKeys: .refused
            default: .unavailable
            }
        let advice: String? =
            switch error.code {
            case .issuerMismatch: "Write the issuer as it writes itself, to the last slash."
            case .noUsableKeys: "Leave --algorithm out to see which keys there are."
            case .redirect: "Name the address that it leads to, if you trust it."
            default: nil
            }
        self.init(status: status, code: error.code.rawValue, message: error.message, advice: advice)
    }
}
