// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase

/// The lines of a file with secrets that cannot be imported: all of them in one message, so that a
/// person need not try again for each. It shows nothing of a line, which may be secret.
struct RefusedLines {
    private var reasons: [(line: Int, text: ErrorMessage)] = []

    /// Notes that a line is refused.
    mutating func add(_ line: Int, because what: ErrorMessage) {
        reasons.append((line, "Line \(line): \(what)"))
    }

    /// The value that `body` makes of a line; nil if it refuses the line.
    mutating func collecting<Value>(
        _ line: Int, _ body: () throws -> Value
    ) throws -> Value? {
        do {
            return try body()
        } catch let failure as CommandFailure where failure.status == .refused {
            reasons.append((line, failure.message))
            return nil
        }
    }

    /// Refuses the file if a line was refused.
    func check() throws {
        guard !reasons.isEmpty else { return }
        let sorted = reasons.sorted { $0.line < $1.line }.map(\.text)
        var shown: [ErrorMessage] = []
        var byteCount = 0
        for text in sorted.prefix(Self.maximumShownCount) {
            byteCount += text.description.utf8.count + 1
            // A message that is too long loses its end.
            guard shown.isEmpty || byteCount <= Self.maximumByteCount else { break }
            shown.append(text)
        }
        if shown.count < sorted.count { shown.append("and \(sorted.count - shown.count) more.") }
        throw CommandFailure.refused(
            "malformed", "\(shown, separator: "\n")", advice: "Nothing was imported.")
    }

    private static let maximumShownCount = 10
    private static let maximumByteCount = ErrorMessage.maximumCount - 32
}
