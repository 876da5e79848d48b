// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import Synchronization

/// Every line that the server writes to its log, of all levels.
final class CapturedLog: Sendable {
    private let kept = Mutex<[String]>([])

    var lines: [String] { kept.withLock { $0 } }

    var logger: Logger {
        Logger(label: "auth-server") { _ in
            Handler { line in self.kept.withLock { $0.append(line) } }
        }
    }

    /// The lines with this message, as their members.
    func events(_ message: String) -> [[String: String]] {
        lines.compactMap { try? JSONDecoder().decode([String: String].self, from: Data($0.utf8)) }
            .filter { $0["message"] == message }
    }

    private struct Handler: LogHandler {
        var metadata: Logger.Metadata = [:]
        var metadataProvider: Logger.MetadataProvider?
        var logLevel = Logger.Level.trace
        let write: @Sendable (String) -> Void

        init(_ write: @escaping @Sendable (String) -> Void) { self.write = write }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            var members = ["level": event.level.rawValue, "message": "\(event.message)"]
            if let error = event.error { members["error"] = "\(error)" }
            let given = event.metadata ?? [:]
            for (name, value) in metadata.merging(given, uniquingKeysWith: { $1 }) {
                members[name] = "\(value)"
            }
            guard let line = try? JSONEncoder().encode(members) else { return }
            write(String(decoding: line, as: UTF8.self))
        }
    }
}
