// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetBase
internal import Testing

/// A place where a library, or the program, takes text, and what its errors then say.
package struct HostileSite: Sendable, CustomTestStringConvertible {
    package let testDescription: String
    private let isInPath: Bool
    private let provoke: @Sendable (HostileText) async throws -> Void

    /// - Parameters:
    ///   - name: what the text stands for.
    ///   - isInPath: whether it is the name of a folder or a file.
    ///   - provoke: gives it there, and throws the error. Some texts may be accepted.
    package init(
        _ name: String, isInPath: Bool = false,
        _ provoke: @escaping @Sendable (HostileText) async throws -> Void
    ) {
        (testDescription, self.isInPath, self.provoke) = (name, isInPath, provoke)
    }

    /// What a site says without an error: it throws this. Each line counts as one message.
    package struct Said: Error {
        let lines: [String]

        package init(_ text: String) {
            lines = text.split(separator: "\n").map(String.init)
        }
    }

    /// Gives every hostile text, and checks what is said about it.
    package func check() async {
        var isRefused = false
        for text in HostileText.all {
            do { try await provoke(text) } catch {
                isRefused = true
                for said in Self.said(by: error) { check(said, about: text) }
            }
        }
        #expect(isRefused, "no text is refused")
    }

    private static func said(by error: any Error) -> [String] {
        if let said = error as? Said { return said.lines }
        return ["\(error)"] + ((error as? any HasMessage).map { [$0.message] } ?? [])
    }

    private func check(_ said: String, about text: HostileText) {
        // A code stands before the message, or after it.
        let longest = ErrorMessage.maximumCount + 64
        #expect(said.unicodeScalars.count <= longest, "\(text.name): \(said)")
        #expect(!said.unicodeScalars.contains { $0.isObeyed }, "\(text.name): \(said)")
        for secret in isInPath ? text.secretsInPaths : text.secrets {
            #expect(!said.contains(secret), "\(text.name): \(said)")
        }
        for name in ["ReceivedText", "ArraySlice", "JSONNode", "Span<", "Optional("] {
            #expect(!said.contains(name), "\(text.name): \(said)")
        }
        // A type with its module.
        let types = said.matches(of: /(Signet[A-Za-z]*|Swift|Foundation|NIO[A-Za-z]*)\.[A-Z_]/)
        #expect(types.isEmpty, "\(text.name): \(said)")
    }
}

private protocol HasMessage {
    var message: String { get }
}

extension CodedError: HasMessage {}
