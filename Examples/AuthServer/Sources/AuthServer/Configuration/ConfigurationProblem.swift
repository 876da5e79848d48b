// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Something that is wrong with the configuration: which setting, and what to change. Found when the server starts.
package struct ConfigurationProblem: Error, Sendable, Equatable, CustomStringConvertible {
    /// The name of the environment variable.
    package let setting: String
    /// What is wrong and what to do. It never holds the value of a secret.
    package let sentence: String

    package init(_ setting: String, _ sentence: String) {
        self.setting = setting
        self.sentence = sentence
    }

    package var description: String { "\(setting): \(sentence)" }
}
