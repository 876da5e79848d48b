// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetAccounts
import SignetCrypto
import SignetEmail
import SignetGoTrue
import SignetSignIn
import Testing

@Suite("Which limits support gives back")
struct LimitNameTests {
    /// What becomes of a limit when support resets a user's limits.
    private enum Fate {
        case givenBack
        /// It counts for an address of a client, of which support knows nothing.
        case ofAddress
        /// It refuses nothing to the user.
        case refusesNothing
        /// No limit has this name.
        case noLimit
    }

    /// Every name in the sources that may be a limit's.
    private static let fates: [String: Fate] = [
        // Of a user, a session, a factor or a known client.
        "challenges": .givenBack, "confirmed passwords": .givenBack,
        "current passwords": .givenBack, "new passwords": .givenBack, "passwords": .givenBack,
        "recovery codes": .givenBack, "refreshes of a session": .givenBack,
        "second factor": .givenBack,
        // Of a destination; `sign-ups` is one of an address too.
        "codes sent": .givenBack, "codes sent to known clients": .givenBack,
        "codes sent to known devices": .givenBack, "codes while guessing": .givenBack,
        "sign-ups": .givenBack, "wrong codes": .givenBack,
        "wrong codes of known clients": .givenBack, "wrong codes of known devices": .givenBack,
        "wrong codes of other clients": .givenBack,
        "codes asked for": .ofAddress, "refreshes": .ofAddress, "refused requests": .ofAddress,
        "sign-ins": .ofAddress, "verifications": .ofAddress,
        "health": .refusesNothing, "notices": .refusesNothing,
        // Names of factors, acts and other things.
        "code": .noLimit, "signing-keys": .noLimit, "webhook-id": .noLimit,
        "webhook-timestamp": .noLimit, "webhook-signature": .noLimit, "x-sb-error-code": .noLimit,
        "looked-up": .noLimit, "listed": .noLimit, "banned": .noLimit, "ban-lifted": .noLimit,
        "sessions-ended": .noLimit, "second-factors-removed": .noLimit,
        "password-removed": .noLimit, "limits-given-back": .noLimit,
    ]

    @Test("Each name of a limit in the sources stands in the table, and no other")
    func table() throws {
        var found: Set<String> = []
        for file in try Self.sources() {
            let text = try String(contentsOf: file, encoding: .utf8)
            for match in text.matches(of: #/\bname: "([a-z][^"\\]*)"/#) {
                found.insert(String(match.output.1))
            }
            for match in text.matches(of: #/\(policy\.[A-Za-z]+, "([^"]+)"\)/#) {
                found.insert(String(match.output.1))
            }
            // Of a constant, or of a choice.
            for line in text.split(separator: "\n")
            where line.contains(#/[nN]ame[A-Za-z]*: StaticString = /#) {
                for match in line.matches(of: #/"([^"]+)"/#) {
                    found.insert(String(match.output.1))
                }
            }
        }
        #expect(found.subtracting(Self.fates.keys) == [], "Say in the table what becomes of these.")
        #expect(Set(Self.fates.keys).subtracting(found) == [], "These are gone.")
    }

    /// The sources that count against limits.
    private static func sources() throws -> [URL] {
        let servers = URL(
            fileURLWithPath: FileManager.default.currentDirectoryPath + "/Sources/servers")
        var files: [URL] = []
        for target in ["SignetAccounts", "SignetGoTrue"] {
            let folder = servers.appendingPathComponent(target)
            let all = try #require(
                FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
            files += all.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
        }
        #expect(files.count > 100)
        return files
    }

    @Test("A reset gives back what the table says, for the user's account, destination and session")
    func givenBack() async throws {
        let scene = try await Scene()
        let grant = try await scene.signUp()
        let id = try #require(grant.userID)
        let session = try #require(try await scene.service.sessions.sessions(of: id).first).id
        let factors = SecondFactors(scene.database, secret: try Self.secret())
        let factor = try await factors.add(.totp(TOTP()), for: id).id
        let destination = RateLimits.Subject.destination(try .email(Mailbox(Scene.email)))
        let limits = RateLimits(scene.database, secret: try Self.secret())
        let options = try GoTrueLimits()
        let uses: [(limit: RateLimit, name: StaticString, subject: RateLimits.Subject)] = [
            (.passwordTries, "passwords", destination), (.passwordTries, "sign-ups", destination),
            (.passwordTries, "current passwords", .account(id)),
            (.passwordTries, "new passwords", .account(id)),
            (.passwordTries, "confirmed passwords", .account(id)),
            (options.refreshes, "refreshes of a session", .account(session)),
            (options.verifications, "challenges", .account(session)),
            (.wrongCodes, "second factor", .account(factor)),
            (.wrongCodes, "recovery codes", .account(id)),
        ]
        for use in uses {
            #expect(Self.fates[use.name.description] == .givenBack)
            var reached: AccountError.Code?
            for _ in 0...200 where reached == nil {
                do { try await limits.take(use.limit, name: use.name, for: use.subject) } catch {
                    reached = error.code
                }
            }
            #expect(reached == .tooManyRequests, "\(use.name)")
        }
        try await scene.service.support.reset([.limits], of: id, by: "kim", reason: "a test")
        for use in uses {
            // Throws where it is still reached.
            try await limits.take(use.limit, name: use.name, for: use.subject)
        }
    }

    private static func secret() throws -> AccountSecret {
        try AccountSecret(SecretKey(copying: [UInt8](repeating: 1, count: 32)))
    }
}
