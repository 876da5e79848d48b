// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetJOSE

/// An event of a ``RemoteKeySet``, for logs and metrics. It holds no secret, and nothing of a
/// token.
///
/// Its text: `refreshed: https://idp.example, trigger age, 2 keys, good for 600.0 seconds`.
/// Keys are *fresh* until their lifetime ends, and *stale* after it. A call is *held back* if
/// it would need a fetch that is not allowed yet.
///
/// Key identifiers (`kid`) come from the issuer's server. ``description`` makes them printable. If
/// you log the identifiers yourself, make them printable too.
public struct KeySetEvent: Sendable, CustomStringConvertible {
    /// What happened. More may be added in a minor version.
    public struct Kind: RawRepresentable, Hashable, Sendable {
        /// The text of the kind, which does not change between versions.
        public let rawValue: String

        /// A kind from its text.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A fetch begins. ``KeySetEvent/trigger`` says why, and ``KeySetEvent/heldBackCount`` says
        /// how many calls were held back before.
        public static let refreshStarted = Kind(rawValue: "refreshStarted")
        /// A fetch brought keys. The event has their number and lifetime, and the skipped, added
        /// and removed keys.
        public static let refreshed = Kind(rawValue: "refreshed")
        /// A fetch failed: ``KeySetEvent/error`` says why. Keys in hand stay.
        public static let refreshFailed = Kind(rawValue: "refreshFailed")
        /// Keys past their lifetime are served because fetching fails. Reported once per failed
        /// fetch.
        public static let staleKeysServed = Kind(rawValue: "staleKeysServed")
        /// A token's key is unknown or may have been replaced (``KeySetEvent/trigger``), and no
        /// fetch for it is allowed yet. Reported once after each fetch; further calls are only
        /// counted.
        public static let keyHeldBack = Kind(rawValue: "keyHeldBack")
    }

    /// Why a fetch began. More may be added in a minor version.
    public struct Trigger: RawRepresentable, Hashable, Sendable {
        /// The text of the trigger, which does not change between versions.
        public let rawValue: String

        /// A trigger from its text.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// There were no keys in hand, or only keys too old to use.
        public static let noKeys = Trigger(rawValue: "noKeys")
        /// The keys in hand near the end of their lifetime, or are past it.
        public static let age = Trigger(rawValue: "age")
        /// A token named a key that is not in the set.
        public static let unknownKey = Trigger(rawValue: "unknownKey")
        /// The key in hand that a token names, or the only key, does not verify the token: the key
        /// may have been replaced, or the token is forged.
        public static let replacedKey = Trigger(rawValue: "replacedKey")
        /// The program asked for it.
        public static let request = Trigger(rawValue: "request")
    }

    /// The issuer of the keys.
    public let issuer: String
    /// What happened.
    public let kind: Kind
    /// Why the fetch began (`refreshStarted`, `refreshed`, `refreshFailed`), or would have begun
    /// (`keyHeldBack`).
    public package(set) var trigger: Trigger?
    /// The duration of the fetch (`refreshed`, `refreshFailed`).
    public package(set) var duration: Duration?
    /// How many callers waited for the fetch at its end (`refreshed`, `refreshFailed`).
    public package(set) var waitingCount = 0
    /// The ``KeySnapshot/generation`` in hand now; 0 for none.
    public package(set) var generation: UInt64 = 0
    /// How many usable keys are in hand now.
    public package(set) var keyCount = 0
    /// How long the keys are fresh, from the start of their fetch (`refreshed`).
    public package(set) var lifetime: Duration?
    /// The new `kid`s, and the `kid`s whose key was replaced (`refreshed`). A key without a `kid`
    /// is in neither list.
    public package(set) var addedKeyIDs: [String] = []
    /// The `kid`s that are gone, and the `kid`s whose key was replaced (`refreshed`). Tokens of the
    /// earlier keys are rejected from now on.
    public package(set) var removedKeyIDs: [String] = []
    /// The unusable members, and why (`refreshed`).
    public package(set) var skipped: [SkippedKey] = []
    /// Why the fetch failed (`refreshFailed`), or why the last fetch did (`staleKeysServed`).
    public package(set) var error: KeySourceError?
    /// How long the keys in hand are past their lifetime (`staleKeysServed`, `refreshStarted`,
    /// `refreshFailed`); nil if they are not.
    public package(set) var staleness: Duration?
    /// How many calls about unknown or replaced keys were held back since the last fetch began
    /// (`refreshStarted`, `keyHeldBack`).
    public package(set) var heldBackCount = 0

    package init(issuer: String, kind: Kind) {
        self.issuer = issuer
        self.kind = kind
    }

    /// A line for a log; printable ASCII apart from the issuer, which the program named.
    public var description: String {
        var line = "\(kind.rawValue): \(issuer)"
        if let trigger { line += ", trigger \(trigger.rawValue)" }
        if let error { line += ", \(error)" }
        if kind == .refreshed {
            line += ", \(keyCount) keys, good for \(lifetime ?? .zero)"
            if !addedKeyIDs.isEmpty { line += ", added \(Self.list(addedKeyIDs))" }
            if !removedKeyIDs.isEmpty { line += ", removed \(Self.list(removedKeyIDs))" }
            if !skipped.isEmpty { line += ", skipped \(skipped)" }
        }
        if let staleness { line += ", \(staleness) past their lifetime" }
        if waitingCount > 0 { line += ", \(waitingCount) waiting" }
        if heldBackCount > 0 { line += ", \(heldBackCount) held back" }
        return line
    }

    private static func list(_ names: [String]) -> String {
        names.map(\.printableName).joined(separator: " ")
    }
}
