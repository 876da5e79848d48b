// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser

// `@Option(file: "What to read.") var input: String?`: an option that names a file.

extension Option where Value == String? {
    init(file help: String) {
        self.init(help: ArgumentHelp(help, valueName: "file"), completion: .file())
    }
}

extension Option where Value == String {
    /// A required option that names a file.
    init(file help: String) {
        self.init(help: ArgumentHelp(help, valueName: "file"), completion: .file())
    }
}
