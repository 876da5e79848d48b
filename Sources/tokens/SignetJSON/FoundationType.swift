// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Foundation's types that claims must not use: each encodes itself in a form that readers of
/// tokens do not expect, and decodes the usual form wrongly or not at all.
///
/// They are recognised by identity, without linking Foundation: the runtime is asked for them by
/// name once per process. Without Foundation it finds none, and then no program can pass a type of
/// Foundation.
///
/// Not recognised: a type whose own code calls `Date(from:)` or `encode(to:)` of a date with the
/// given decoder or encoder. Foundation's strategies miss that too.
enum FoundationType {
    case date
    case url
    case data
    case decimal

    /// The refused type that `type` is; nil for a type that is not refused.
    @inline(__always)
    init?(_ type: Any.Type) {
        guard Self.identities.contains(ObjectIdentifier(type)) else { return nil }
        self.init(known: ObjectIdentifier(type))
    }

    @inline(never)
    private init(known type: ObjectIdentifier) {
        switch type {
        case Self.identities.date: self = .date
        case Self.identities.url: self = .url
        case Self.identities.data: self = .data
        default: self = .decimal
        }
    }

    private struct Identities {
        let date = identity("20FoundationEssentials4DateV")
        let url = identity("20FoundationEssentials3URLV")
        let data = identity("20FoundationEssentials4DataV")
        let decimal = identity("20FoundationEssentials7DecimalV")

        @inline(__always)
        func contains(_ type: ObjectIdentifier) -> Bool {
            type == date || type == url || type == data || type == decimal
        }

        private enum NotLinked {}

        /// - Parameter name: mangled.
        private static func identity(_ name: String) -> ObjectIdentifier {
            ObjectIdentifier(_typeByName(name) ?? NotLinked.self)
        }
    }

    private static let identities = Identities()
}
