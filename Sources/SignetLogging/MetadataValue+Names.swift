// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#if SwiftLog

    internal import Logging
    internal import SignetJOSE

    extension Logger.MetadataValue {
        /// The most names of a kind in a log line.
        static var mostNames: Int { 20 }

        /// Names that others chose; nil for none.
        static func names(_ names: [String]) -> Self? {
            guard !names.isEmpty else { return nil }
            var shown = names.prefix(mostNames).map { Self.string($0.printableName) }
            if names.count > mostNames {
                shown.append(.string("and \(names.count - mostNames) more"))
            }
            return .array(shown)
        }

        /// Whole milliseconds, as seconds: 0.25.
        static func seconds(_ duration: Duration) -> Self {
            let (seconds, attoseconds) = duration.components
            return .stringConvertible(
                Double(seconds) + Double(attoseconds / 1_000_000_000_000_000) / 1000)
        }
    }

#endif
