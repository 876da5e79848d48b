// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import SignetSignIn

extension FuzzTarget {
    /// The lines of a pending sign-in, which are sealed with the known key, and after a zero byte
    /// the callback's query. A code is sent where the state of both is the same, and a sign-in is
    /// finished where the ticket has the ID token's nonce as well.
    static let ticket = FuzzTarget(
        "ticket",
        seeds: [
            lines("n-0S6_WzA2Mj-n-0S6_WzA2Mj-n-0S6_WzA2Mj", verifier, "/next")
                + "\0code=abc&state=\(stateText)",
            lines("another-nonce-than-in-the-token", verifier, "")
                + "\0code=abc&state=\(stateText)",
            lines("", "", "a\nb") + "\0code=1&state=\(stateText)",
            "1\n\(stateText)\n\n\n\0code=1&state=\(stateText)", "\0error=x&state=\(stateText)",
        ]
    ) { input in
        let parts = input.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return false }
        let fixture = try hold("a sign-in is made") { try SignInFixture.shared.get() }
        let query = String(decoding: parts[1], as: UTF8.self)
        let ticket = try hold("a ticket is sealed") { try fixture.sealed(Array(parts[0])) }
        fixture.sent.withLock { $0 = nil }
        let result = await outcome {
            try await fixture.signIn.finish(query: query, ticket: ticket)
        }
        let finished = try? result.get()
        guard let sent = fixture.sent.withLock({ $0 }) else {
            try hold(finished == nil, "nobody is signed in without a code")
            return false
        }
        let lines = parts[0].split(
            separator: UInt8(ascii: "\n"), maxSplits: 4, omittingEmptySubsequences: false)
        try hold(lines.count == 5, "a code is sent for a whole ticket")
        let queried = values("state", in: parts[1])
        try hold(queried == [Array(lines[1])], "a code is sent for the ticket's own state")
        try hold(
            values("code", in: sent) == values("code", in: parts[1]), "the code is the query's")
        try hold(
            values("code_verifier", in: sent) == [Array(lines[3])].filter { !$0.isEmpty },
            "the verifier is the ticket's")
        guard let finished else { return true }
        try hold(lines[2].elementsEqual(SignInFixture.nonce.utf8), "the nonce is the ID token's")
        try hold(finished.identity.subject.utf8.elementsEqual("u1".utf8), "the person")
        return true
    }

    private static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"

    private static func lines(_ nonce: String, _ verifier: String, _ application: String) -> String
    {
        ["1700000400", stateText, nonce, verifier, application].joined(separator: "\n")
    }

    /// The values of a parameter.
    private static func values(_ name: String, in query: some Collection<UInt8>) -> [[UInt8]] {
        query.split(separator: UInt8(ascii: "&")).compactMap { pair in
            let parts = pair.split(
                separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let first = parts.first, decoded(first).elementsEqual(name.utf8) else {
                return nil
            }
            return parts.count == 2 ? decoded(parts[1]) : []
        }
    }
}
