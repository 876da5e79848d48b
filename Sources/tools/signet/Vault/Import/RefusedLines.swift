// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase

/// The lines of a file with secrets that cannot be imported: all of them in one message, so that a
/// person need not try again for each. It shows nothing of a line, which may be secret.
struct RefusedLines {
    /// The first lines, in their order. A file may have millions.
    private var first: [(line: Int, text: ErrorMessage)] = []
    private var count = 0

    /// Notes that a line is refused.
    mutating func add(_ line: Int, because what: ErrorMessage) {
        note(line, reason: "Line \(line): \(what)")
    }

    /// The value that `body` makes of a line; nil if it refuses the line.
    mutating func collecting<Value>(
        _ line: Int, _ body: () throws -> Value
    ) throws -> Value? {
        do {
            return try body()
        } catch let failure as CommandFailure where failure.status == .refused {
            note(line, reason: failure.message)
            return nil
        }
    }

    private mutating func note(_ line: Int, reason text: ErrorMessage) {
        count += 1
        let place = first.firstIndex { $0.line > line } ?? first.endIndex
        first.insert((line, text), at: place)
        if first.count > Self.maximumShownCount { first.removeLast() }
    }

    /// Refuses the file if a line was refused.
    func check() throws {
        guard count > 0 else { return }
        var shown: [ErrorMessage] = []
        var byteCount = 0
        for (_, text) in first {
            byteCount += text.description.utf8.count + 1
            // A message that is too long loses its end.
            guard shown.isEmpty || byteCount <= Self.maximumByteCount else { break }
            shown.append(text)
        }
        if shown.count < count { shown.append("and \(count - shown.count) more.") }
        throw CommandFailure.refused(
            "malformed", "\(shown, separator: "\n")", advice: "Nothing was imported.")
    }

    private static let maximumShownCount = 10
    private static let maximumByteCount = ErrorMessage.maximumCount - 32
}
