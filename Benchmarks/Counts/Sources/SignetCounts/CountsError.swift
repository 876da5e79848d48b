// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Why there are no counts.
enum CountsError: Error, CustomStringConvertible {
    case usage(String)
    case setup(String)
    /// What is counted did not do what it should: its cost would say nothing.
    case wrongAnswer(String)

    var description: String {
        switch self {
        case .usage(let text), .setup(let text): text
        case .wrongAnswer(let name): "\(name): a wrong answer"
        }
    }
}
