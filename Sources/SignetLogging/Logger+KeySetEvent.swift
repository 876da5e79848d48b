// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#if SwiftLog

    public import Logging
    public import SignetIdentity
    internal import SignetJOSE

    extension Logger {
        /// Logs the events of a remote key set: `options.onEvent = logger.keySetEvents`.
        ///
        /// The message is the kind of the event, a fixed text; the rest is metadata
        /// (`KeySetEvent.logMetadata`). A disabled level costs one comparison. An event holds
        /// nothing of a token, and nothing secret.
        public var keySetEvents: @Sendable (KeySetEvent) -> Void {
            { event in
                log(
                    level: event.logLevel, "key set: \(event.kind.rawValue)",
                    metadata: event.logMetadata)
            }
        }
    }

    extension KeySetEvent {
        /// The severity: `error` if a fetch failed and no key is in hand; `warning` if it failed
        /// with keys in hand, if stale keys are served, or if the issuer publishes a private key;
        /// `notice` if tokens are held back whose key may be new; `info` if keys came or went;
        /// otherwise `debug`.
        public var logLevel: Logger.Level {
            switch kind {
            case .refreshFailed: keyCount == 0 ? .error : .warning
            case .staleKeysServed: .warning
            case .keyHeldBack: .notice
            case .refreshed where skipped.contains { $0.reason.code == .privateKeyPublished }:
                .warning
            case .refreshed: addedKeyIDs.isEmpty && removedKeyIDs.isEmpty ? .debug : .info
            default: .debug
            }
        }

        /// The event's data by name: `issuer`, `trigger`, `generation`, `keys`, `lifetime_s`,
        /// `duration_s`, `added`, `removed`, `skipped`, `error`, `reason`, `staleness_s`,
        /// `waiting`, `held_back`. Names that do not apply are left out.
        ///
        /// Key identifiers come from the issuer's server: they are printable ASCII, at most 64
        /// characters, at most twenty of a kind.
        public var logMetadata: Logger.Metadata {
            var metadata: Logger.Metadata = [
                "issuer": .string(issuer), "generation": .stringConvertible(generation),
                "keys": .stringConvertible(keyCount),
            ]
            metadata["trigger"] = trigger.map { .string($0.rawValue) }
            metadata["lifetime_s"] = lifetime.map { .seconds($0) }
            metadata["duration_s"] = duration.map { .seconds($0) }
            metadata["staleness_s"] = staleness.map { .seconds($0) }
            metadata["added"] = .names(addedKeyIDs)
            metadata["removed"] = .names(removedKeyIDs)
            if !skipped.isEmpty {
                metadata["skipped"] = .array(
                    skipped.prefix(Logger.MetadataValue.mostNames).map { key in
                        .dictionary([
                            "kid": .string(key.keyID?.printableName ?? ""),
                            "index": .stringConvertible(key.index),
                            "reason": .string(key.reason.fullCode),
                        ])
                    })
                metadata["skipped_count"] = .stringConvertible(skipped.count)
            }
            if let error {
                metadata["error"] = .string(error.fullCode)
                metadata["reason"] = .string(error.message)
            }
            if waitingCount > 0 { metadata["waiting"] = .stringConvertible(waitingCount) }
            if heldBackCount > 0 { metadata["held_back"] = .stringConvertible(heldBackCount) }
            return metadata
        }
    }

#endif
