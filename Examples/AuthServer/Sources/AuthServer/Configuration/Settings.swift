// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// Something that is wrong with the configuration: which setting, and what to change.
package struct ConfigurationProblem: Error, Sendable, CustomStringConvertible {
    /// The name of the environment variable; what is wrong, and what to do. Neither ever holds the
    /// value of a secret.
    package let setting, sentence: String

    package init(_ setting: String, _ sentence: String) {
        self.setting = setting
        self.sentence = sentence
    }

    package var description: String { "\(setting): \(sentence)" }
}

/// The settings as they were given. An empty one counts as not given.
package struct Settings: Sendable {
    /// All settings, including empty ones (`NAME=$UNSET`).
    let values: [String: String]

    package init(_ values: [String: String]) { self.values = values }

    package subscript(name: String) -> String? { values[name].flatMap { $0.isEmpty ? nil : $0 } }

    /// Refuses the settings of earlier versions, which would have no effect. Other names may belong
    /// to other programs.
    func checkNames() throws {
        let former = [
            "AUTH_AUDIENCE", "AUTH_IDLE_SECONDS", "AUTH_KEY_REREAD_SECONDS", "AUTH_MAX_CONNECTIONS",
            "AUTH_ORIGIN", "AUTH_VAULT_PASSPHRASE",
        ]
        for name in former where self[name] != nil {
            throw ConfigurationProblem(name, "is no setting of this server any more: remove it.")
        }
    }

    func required(_ name: String, _ purpose: String) throws -> String {
        if let text = self[name] { return text }
        throw ConfigurationProblem(name, "is not set: give it \(purpose).")
    }

    /// The secret in a file, without the line end.
    func secret(_ name: String) throws -> String? {
        try read(name) { try String(contentsOfFile: $0, encoding: .utf8) }?
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// What a type of Signet makes of a setting, if it is given.
    func read<Value>(_ name: String, _ make: (String) throws -> Value) throws -> Value? {
        try self[name].map { text in try checked(name) { try make(text) } }
    }

    /// The value that a type of Signet makes of a setting. That type's errors say what to change.
    func checked<Value>(_ name: String, _ body: () throws -> Value) throws -> Value {
        do { return try body() } catch let problem as ConfigurationProblem { throw problem } catch {
            throw ConfigurationProblem(name, "\(error)")
        }
    }
}
