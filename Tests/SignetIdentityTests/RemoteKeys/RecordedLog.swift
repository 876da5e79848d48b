// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#if SwiftLog

    import Logging
    import SignetPlatform

    /// A logger's lines, kept.
    struct RecordedLog: LogHandler {
        struct Line: Sendable {
            let level: Logger.Level
            let message: String
            let metadata: Logger.Metadata
        }

        let lines = Locked<[Line]>([])
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.MetadataValue? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            lines.withLock {
                $0.append(
                    Line(
                        level: event.level, message: event.message.description,
                        metadata: event.metadata ?? [:]))
            }
        }

        var logger: Logger { Logger(label: "test") { _ in self } }
    }

#endif
