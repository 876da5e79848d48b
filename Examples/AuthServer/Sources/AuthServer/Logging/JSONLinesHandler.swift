// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
package import Logging

/// Writes each log event as one line of JSON, which every collector reads. What strangers sent is quoted, so it cannot begin a line.
package struct JSONLinesHandler: LogHandler {
    package var metadata: Logger.Metadata = [:]
    package var metadataProvider: Logger.MetadataProvider?
    package var logLevel: Logger.Level
    private let label: String
    private let write: @Sendable (String) -> Void

    /// - Parameter write: takes a line with its end. Standard output by default.
    package init(
        label: String, level: Logger.Level = .info,
        write: @escaping @Sendable (String) -> Void = JSONLinesHandler.standardOutput
    ) {
        self.label = label
        logLevel = level
        self.write = write
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        var members = [
            "time": Date().formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)),
            "level": event.level.rawValue, "logger": label, "message": "\(event.message)",
        ]
        if let error = event.error { members["error_type"] = "\(type(of: error))" }
        let provided = metadataProvider?.get() ?? [:]
        for (name, value) in metadata.merging(provided, uniquingKeysWith: { $1 })
            .merging(event.metadata ?? [:], uniquingKeysWith: { $1 })
        where name != "hb.request.id" {
            members[name] = "\(value)"
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let line = try? encoder.encode(members) else { return }
        write(String(decoding: line, as: UTF8.self) + "\n")
    }

    /// One write for a line, so that lines of several threads do not mix. A log that nobody reads any more stops nothing.
    package static let standardOutput: @Sendable (String) -> Void = { line in
        try? FileHandle.standardOutput.write(contentsOf: Data(line.utf8))
    }
}
