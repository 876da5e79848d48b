// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import SignetSignIn
internal import SignetVault

/// For development: writes messages to a file that only its owner may read (0600).
///
/// Each message is a line of four fields separated by tabs: purpose, destination, code and name; a
/// fifth is the link, if there is one. A notice has `notice` for its purpose, and the change's name
/// for its code. The newest lines are at the end; the file keeps the last 1,000. Two processes need
/// two files.
public final class FileMessageSender: MessageSender {
    private static let lineCount = 1000

    private let path: String
    // Waits for the disk on this queue's thread; messages are written in order.
    private let queue = DispatchQueue(label: "signet.accounts.messages")
    private let lines = Locked([String]())

    /// Makes a sender to a file, whose old content the first message replaces.
    ///
    /// - Parameter path: in an existing folder.
    public init(path: String) { self.path = path }

    /// Writes a message.
    ///
    /// - Throws: `unavailable` if the file cannot be written.
    public func send(_ message: CodeMessage) async throws(AccountError) {
        let fields = [
            message.purpose.name, message.destination.exposedText, message.code.exposedText,
            message.id,
        ]
        try await write(fields + (message.link.map { [$0] } ?? []))
    }

    /// Writes a notice.
    ///
    /// - Throws: `unavailable` if the file cannot be written.
    public func send(_ notice: NoticeMessage) async throws(AccountError) {
        try await write(["notice", notice.destination.exposedText, notice.change.name, notice.id])
    }

    private func write(_ fields: [String]) async throws(AccountError) {
        let line = fields.joined(separator: "\t")
        let result = await withCheckedContinuation {
            (continuation: CheckedContinuation<Result<Void, AccountError>, Never>) in
            queue.async {
                continuation.resume(
                    returning: Result { () throws(AccountError) in
                        try self.rewriteFile(adding: line)
                    })
            }
        }
        try result.get()
    }

    private func rewriteFile(adding line: String) throws(AccountError) {
        let text = lines.withLock { lines in
            lines = lines.suffix(Self.lineCount - 1) + [line]
            return lines.map { $0 + "\n" }.joined()
        }
        do {
            try PrivateTextFile.write(text, to: path)
        } catch {
            throw AccountError(
                .unavailable, underlying: error, "The file of messages: \(messageOf: error)")
        }
    }
}
