// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase

/// The names of variables of the environment.
enum VariableName {
    /// Whether it is `[A-Za-z_][A-Za-z0-9_]*`, as shells take it.
    static func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first, !first.isDigit else { return false }
        return text.utf8.allSatisfy { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "_") }
    }
}
