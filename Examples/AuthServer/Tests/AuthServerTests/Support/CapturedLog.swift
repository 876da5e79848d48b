// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import AuthServer
import Foundation
import Logging
import Synchronization

/// Every line that the server writes to its log, of all levels.
final class CapturedLog: Sendable {
    private let kept = Mutex<[String]>([])

    var lines: [String] { kept.withLock { $0 } }

    var logger: Logger {
        Logger(label: "auth-server") { label in
            JSONLinesHandler(label: label, level: .trace) { line in
                self.kept.withLock { $0.append(line) }
            }
        }
    }

    /// The lines with this message, as their members.
    func events(_ message: String) -> [[String: String]] {
        lines.compactMap { try? JSONDecoder().decode([String: String].self, from: Data($0.utf8)) }
            .filter { $0["message"] == message }
    }
}
