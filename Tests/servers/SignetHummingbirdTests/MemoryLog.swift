// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#if Hummingbird
    import Logging
    import Synchronization

    /// A log whose lines a test reads.
    final class MemoryLog: LogHandler {
        private let kept = Mutex<[String]>([])

        var lines: [String] { kept.withLock { $0 } }

        var logLevel: Logger.Level {
            get { .trace }
            set {}
        }
        var metadata: Logger.Metadata {
            get { [:] }
            set {}
        }
        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { nil }
            set {}
        }

        func log(event: LogEvent) {
            let fields = (event.metadata ?? [:]).sorted { $0.key < $1.key }
                .map { "\($0.key)=\($0.value)" }
            kept.withLock { $0.append("\(event.level) \(event.message) \(fields)") }
        }
    }
#endif
