// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TokenFixtures

/// Signet as a contender of ../../Peers/turns.py, where the commands are described: token-peer DATA
/// KID.
@main
enum Main {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3 else { throw CommandError(line: "usage: token-peer DATA KID") }
        let data = URL(filePath: arguments[1])
        let idToken = try Data(contentsOf: data.appending(path: "id.json"))
        let session = try Data(contentsOf: data.appending(path: "ses.json"))
        var works = [String: any Work]()
        for name in ["HS256", "RS256", "ES256", "EdDSA"] {
            works["\(name) id"] = try TokenWork<IDTokenClaims>(
                name, payload: idToken, data: data, keyID: arguments[2])
            works["\(name) ses"] = try TokenWork<SessionClaims>(
                name, payload: session, data: data, keyID: arguments[2])
        }
        let opening = try OpeningWork(data: data)
        while let line = readLine() {
            let words = line.split(separator: " ").map(String.init)
            let text: String
            if words.count == 2, words[0] == "open" {
                text = opening.open(words[1])
            } else if words.count == 3, words[0] == "time-open" {
                let median = try opening.timeOpen(words[2], milliseconds: Double(words[1]) ?? 0)
                text = "signet|jwe open|1|\(String(format: "%.1f", median))"
            } else {
                guard words.count >= 3, let work = works["\(words[1]) \(words[2])"] else {
                    throw CommandError(line: line)
                }
                text = try answer(words, work)
            }
            FileHandle.standardOutput.write(Data("\(text)\n".utf8))
        }
    }

    private static func answer(_ words: [String], _ work: any Work) throws -> String {
        func figure(_ action: String, _ nanoseconds: Double) -> String {
            "signet|\(words[1]) \(action) \(words[2])|1|\(String(format: "%.1f", nanoseconds))"
        }
        let milliseconds = words.count > 3 ? Double(words[3]) ?? 0 : 0
        switch (words[0], words.count) {
        case ("verify", 4): return work.verify(words[3])
        case ("sign", 3): return try work.sign()
        case ("time-sign", 4): return figure("sign", try work.timeSign(milliseconds: milliseconds))
        case ("time-verify", 5):
            return figure("verify", try work.timeVerify(words[4], milliseconds: milliseconds))
        case ("time-registered", 5):
            return figure(
                "registered", try work.timeRegistered(words[4], milliseconds: milliseconds))
        default: throw CommandError(line: words.joined(separator: " "))
        }
    }
}

/// A command that is none.
struct CommandError: Error {
    let line: String
}
