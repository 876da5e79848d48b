// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetAccounts
import SignetCrypto
import SignetIdentity
import SignetPlatform
import SignetSignIn
import TestSupport
import Testing

/// Hostile text at every place where accounts take text, and what the error then says.
@Suite("The messages of accounts about hostile input", .serialized)
struct AccountMessageTests {
    static let sites: [HostileSite] = [
        HostileSite("a range of proxies") { _ = try TrustedProxies([$0.text]) },
        HostileSite("a password") {
            _ = try Password($0.text)
            throw SignInInputError(.invalidPassword, "It is taken.")
        },
        HostileSite("a password's hash") { _ = try PasswordHash($0.text) },
        HostileSite("the parameters of a hash") {
            _ = try PasswordHash("$scrypt$ln=17,r=8,p=1$\($0.prefix(200))$AAAA")
        },
        HostileSite("the issuer of a second factor") {
            _ = try TOTP().exposedAddress(issuer: $0.text, account: "ann")
            throw AccountError(.invalidParameter, "It is taken.")
        },
        HostileSite("a database's path", isInPath: true) {
            _ = try await SQLiteAccounts.open(at: PathText.text(of: $0.bytes))
        },
        HostileSite("a database's folder", isInPath: true) {
            _ = try await SQLiteAccounts.open(
                at: "/nonexistent/\(PathText.text(of: $0.bytes))/accounts.db")
        },
        HostileSite("a database's content") { text in
            let folder = try PrivateFolder()
            let path = folder.path + "/accounts.db"
            try Data(text.bytes + [0x0a]).write(to: URL(fileURLWithPath: path))
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
            _ = try await SQLiteAccounts.open(at: path)
        },
        HostileSite("the name of a step") { text in
            let database = try await SQLiteAccounts.inMemory()
            try await AccountSchema.migrate(
                database, steps: [SchemaStep(text.text, statements: [])])
        },
        HostileSite("the name of a step that is there") { text in
            let database = try await SQLiteAccounts.inMemory()
            try await database.run(
                "INSERT INTO signet_schema_steps (name, done_at) VALUES ($1, 0)",
                values: [.text(text.text)])
            try await AccountSchema.migrate(database)
        },
        HostileSite("a refresh token") { text in
            let database = try await SQLiteAccounts.inMemory()
            let tokens = try RefreshTokens(database: database, issuer: SessionFixture.issuer())
            _ = try await tokens.rotate(text.text)
        },
        HostileSite("a user") { text in
            let database = try await SQLiteAccounts.inMemory()
            let tokens = try RefreshTokens(database: database, issuer: SessionFixture.issuer())
            _ = try await tokens.begin(for: text.text)
        },
        HostileSite("the file of messages", isInPath: true) { text in
            let sender = FileMessageSender(
                path: "/nonexistent/\(PathText.text(of: text.bytes))/messages")
            try await sender.send(
                CodeMessage(
                    id: "1", destination: .phone(PhoneNumber("+14155551234")), purpose: .signIn,
                    code: OneTimeCode("123456")))
        },
    ]

    @Test("A message is short, on one line, and repeats no secret", arguments: sites)
    func hostile(_ site: HostileSite) async { await site.check() }

    @Test("A message gives what was found and what was expected, but nothing of a secret")
    func values() {
        func message(_ body: () throws -> Void) -> String? {
            #expect(throws: AccountError.self) { try body() }?.message
        }
        let row = SQLRow([.null])
        #expect(
            message { _ = try row.text(0) }
                == "Column 0 of an answer of the database is NULL, not a text.")
        #expect(
            message { _ = try row.bytes(1) }
                == "Column 1 of an answer of the database is missing, not bytes.")
        #expect(message { _ = try HOTP(digitCount: 9) } == "digitCount is 6 to 8, not 9.")
        #expect(message { _ = try TOTP(period: 301) } == "period is 15 to 300, not 301.")
        let short = message { _ = try AccountSecret(SecretKey(copying: Array(0..<31))) }
        #expect(short == "The key of an account secret has at least 32 bytes.")
    }
}
