// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import AuthServer
import SignetIdentity
import Testing

@Suite("The server's configuration")
struct ConfigurationTests {
    static let good = [
        "GOOGLE_CLIENT_ID": "a.apps.googleusercontent.com, b.apps.googleusercontent.com",
        "AUTH_ISSUER": "https://auth.company.example", "AUTH_DATABASE": "/data/people.sqlite",
        "AUTH_VAULT": "/data/keys.vault", "AUTH_VAULT_CREDENTIAL": "vault-key",
        "AUTH_SMTP": "smtps://smtp.company.example", "AUTH_SMTP_FROM": "auth@company.example",
    ]

    @Test("Port, host and providers come from the settings")
    func readsTheSettings() throws {
        let configuration = try ServerConfiguration(
            Settings(Self.good.merging(["AUTH_PORT": "0"]) { $1 }))
        #expect(configuration.port == 0 && configuration.host == "127.0.0.1")
        #expect(configuration.providers.map(\.provider.name) == ["google"])
        #expect(
            configuration.providers[0].provider.clientIDs == [
                "a.apps.googleusercontent.com", "b.apps.googleusercontent.com",
            ])
    }

    @Test(
        "A wrong setting is named, with what to change and without its secret",
        arguments: [
            ("GOOGLE_CLIENT_ID", nil), ("GOOGLE_CLIENT_ID", ""), ("GOOGLE_CLIENT_ID", "a,,b"),
            ("GOOGLE_CLIENT_ID", "a,"),
            ("GOOGLE_CLIENT_ID", "\"a\""), ("AUTH_ISSUER", nil),
            ("AUTH_ISSUER", "http://auth.company.example"),
            ("AUTH_ISSUER", "auth.company.example"), ("AUTH_DATABASE", nil), ("AUTH_VAULT", nil),
            ("AUTH_ALLOWED_DOMAINS", ""),
            ("AUTH_ALLOWED_DOMAINS", "co.uk"), ("AUTH_ALLOWED_DOMAINS", "gmail.com"),
            ("AUTH_ALLOWED_DOMAINS", "a.example,"),
            ("AUTH_ALLOWED_DOMAINS", "@company.example"), ("AUTH_PORT", "65536"),
            ("AUTH_PORT", "-1"),
            ("AUTH_PORT", "8O80"),
            ("AUTH_DEV_ISSUER", "https://accounts.google.com"),
            ("AUTH_DEV_ISSUER", "http://10.0.0.1:9000"),
            ("AUTH_DEV_ISSUER", "http://localhost.evil.example"),
            ("AUTH_SMTP", "smtp.company.example"),
            ("AUTH_SMTP", "smtp://user:s3cret@smtp.company.example"),
            ("AUTH_SMTP_FROM", nil), ("AUTH_SMTP_FROM", "nobody"),
            ("AUTH_SMTP_PASSWORD_FILE", "/nowhere/password"),
        ] as [(String, String?)])
    func saysWhatToChange(_ setting: String, _ value: String?) {
        var environment = Self.good
        environment[setting] = value
        let problem = #expect(throws: ConfigurationProblem.self) {
            try ServerConfiguration(Settings(environment))
        }
        #expect(problem?.setting == setting)
        #expect((problem?.sentence.utf8.count ?? 0) > 10)
        #expect(problem?.sentence.contains("s3cret") == false)
    }

    @Test("AUTH_SMTP_USER without a password file is refused")
    func signsInAtTheMailServerOrDoesNotStart() throws {
        for file in [nil, ""] as [String?] {
            var environment = Self.good.merging(["AUTH_SMTP_USER": "codes"]) { $1 }
            environment["AUTH_SMTP_PASSWORD_FILE"] = file
            let problem = #expect(throws: ConfigurationProblem.self) {
                try ServerConfiguration(Settings(environment))
            }
            #expect(problem?.setting == "AUTH_SMTP_PASSWORD_FILE")
            #expect(problem?.sentence.contains("AUTH_SMTP_USER") == true)
        }
        // An empty variable names no user.
        _ = try ServerConfiguration(Settings(Self.good.merging(["AUTH_SMTP_USER": ""]) { $1 }))
    }

    @Test(
        "A former setting ends the start, and is named; an empty one counts as not given")
    func refusesFormerNames() throws {
        for name in ["AUTH_ORIGIN", "AUTH_VAULT_PASSPHRASE", "AUTH_MAX_CONNECTIONS"] {
            let environment = Self.good.merging([name: "s3cret"]) { $1 }
            let problem = #expect(throws: ConfigurationProblem.self) {
                try ServerConfiguration(Settings(environment))
            }
            #expect(problem?.setting == name && problem?.sentence.contains("s3cret") == false)
            _ = try ServerConfiguration(Settings(Self.good.merging([name: ""]) { $1 }))
        }
        // Names of Kubernetes for a service "auth-server", and of Auth.js.
        let others = [
            "AUTH_SERVER_SERVICE_HOST": "10.0.0.1", "AUTH_URL": "a", "AUTH_GOOGLE_ID": "a",
        ]
        _ = try ServerConfiguration(Settings(Self.good.merging(others) { $1 }))
    }

    @Test("Exactly one way to open the vault must be set")
    func wantsExactlyOneWayToOpenTheVault() {
        for extra in [
            ["AUTH_VAULT_CREDENTIAL": ""], ["AUTH_VAULT_KEY_FILE": "/data/vault.key"],
        ] {
            let environment = Self.good.merging(extra, uniquingKeysWith: { $1 })
            let problem = #expect(throws: ConfigurationProblem.self) {
                try ServerConfiguration(Settings(environment))
            }
            #expect(problem?.setting == "AUTH_VAULT_KEY_FILE")
        }
    }

    @Test("A website needs its origin and its secret, and signs browsers in alone")
    func website() throws {
        let website = Self.good.merging([
            "AUTH_WEBSITE": World.website, "AUTH_SECRET": World.websiteSecret,
        ]) { $1 }
        #expect(try ServerConfiguration(Settings(website)).website != nil)
        #expect(try ServerConfiguration(Settings(Self.good)).website == nil)
        let rows: [(setting: String, value: String?)] = [
            ("AUTH_WEBSITE", nil), ("AUTH_WEBSITE", "http://www.company.example"),
            ("AUTH_WEBSITE", "https://www.company.example/"), ("AUTH_SECRET", nil),
            ("AUTH_SECRET", "s3cret"), ("GOOGLE_CLIENT_SECRET_FILE", #filePath),
        ]
        for (setting, value) in rows {
            var environment = website
            environment[setting] = value
            let problem = #expect(throws: ConfigurationProblem.self) {
                try ServerConfiguration(Settings(environment))
            }
            #expect(problem?.setting == setting)
            #expect(problem?.sentence.contains("s3cret") == false)
        }
    }
}
