// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// How long an answer may be kept, by its own words (RFC 9111, sections 4.2 and 5.2.2).
/// `DocumentFetcher` asks it for each key document, as a private cache of a single document does.
///
/// Of `Cache-Control` it reads `max-age`, less the field `Age`, and `no-store` and `no-cache`. It
/// ignores all other fields and directives (`Expires`, `s-maxage`, `must-revalidate`).
enum FreshnessLifetime {
    /// Nil if the answer does not say; zero if it forbids caching or cannot be read.
    static func of(_ response: TransportResponse) -> Duration? {
        var maximumAge: Int64?
        for line in response.values(of: "Cache-Control") {
            for directive in CacheDirective.all(in: line) {
                if directive.isNamed("no-store") || directive.isNamed("no-cache") { return .zero }
                guard directive.isNamed("max-age") else { continue }
                // An unreadable lifetime counts as none. Of two, the shorter is the safe choice.
                let seconds = directive.value.flatMap(deltaSeconds) ?? 0
                maximumAge = min(maximumAge ?? seconds, seconds)
            }
        }
        guard let maximumAge else { return nil }
        return max(.zero, .seconds(maximumAge) - age(of: response))
    }

    /// How long the answer had been in a cache (section 5.1); zero if it does not say.
    static func age(of response: TransportResponse) -> Duration {
        .seconds(response.values(of: "Age").compactMap { deltaSeconds(Array($0.utf8)) }.max() ?? 0)
    }

    /// Delta seconds (section 1.2.2): digits only, capped at 2^31.
    private static func deltaSeconds(_ digits: [UInt8]) -> Int64? {
        guard !digits.isEmpty, digits.allSatisfy(\.isDigit) else { return nil }
        let ceiling: Int64 = 2_147_483_648
        return digits.reduce(0) { min(ceiling, $0 * 10 + Int64($1 - 0x30)) }
    }
}
