// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Logging
internal import SignetIdentity
internal import SignetJOSE

// HUMMINGBIRD.md shows these lines.
extension Logger {
    func log(_ event: KeySetEvent) {
        let isLeak = event.skipped.contains { $0.reason.code == .privateKeyPublished }
        let level: Level =
            switch event.kind {
            case .refreshFailed where event.keyCount == 0: .error
            case .refreshFailed, .staleKeysServed: .warning
            case .refreshed where isLeak: .warning
            case .refreshed: .info
            case .keyHeldBack: .notice
            default: .debug
            }
        log(level: level, "issuer's keys", metadata: ["event": "\(event)"])
    }
}
