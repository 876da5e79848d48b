// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The stated lifetime of an answer (RFC 9111, sections 4.2 and 5.2.2), as a private cache of a
/// single document reads it.
///
/// Read are `max-age`, less `Age`, and `no-store` and `no-cache` of `Cache-Control`. Ignored are
/// all other fields and directives (`Expires`, `s-maxage`, `must-revalidate`).
enum FreshnessLifetime {
    /// Nil if the answer does not say; zero if it forbids caching or cannot be read.
    static func of(_ response: TransportResponse) -> Duration? {
        var maximumAge: Int64?
        for line in response.values(of: "Cache-Control") {
            for directive in CacheDirective.all(in: line) {
                if directive.isNamed("no-store") || directive.isNamed("no-cache") { return .zero }
                guard directive.isNamed("max-age") else { continue }
                // If given twice, the shorter lifetime is the safe choice; if unreadable, none.
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

/// One directive of a `Cache-Control` line.
struct CacheDirective {
    let name: [UInt8]
    /// The value without quotation marks; nil if the directive has no `=`.
    let value: [UInt8]?

    func isNamed(_ lowerCase: String) -> Bool {
        name.map(\.lowercased).elementsEqual(lowerCase.utf8)
    }

    /// The directives of a line, split at commas outside quotation marks.
    static func all(in line: String) -> [CacheDirective] {
        var directives = [CacheDirective]()
        var name = [UInt8]()
        var value: [UInt8]?
        var isQuoted = false
        var isEscaped = false
        func endDirective() {
            if !name.isEmpty {
                directives.append(
                    CacheDirective(
                        name: Array(name[...].withoutOuterBlanks),
                        value: value.map { Array($0[...].withoutOuterBlanks) }))
            }
            name = []
            value = nil
        }
        for octet in line.utf8 {
            switch octet {
            case _ where isEscaped:
                isEscaped = false
                value?.append(octet)
            case UInt8(ascii: "\\") where isQuoted: isEscaped = true
            case UInt8(ascii: "\""): isQuoted.toggle()
            case UInt8(ascii: ",") where !isQuoted: endDirective()
            case UInt8(ascii: "=") where !isQuoted && value == nil: value = []
            default: if value == nil { name.append(octet) } else { value?.append(octet) }
            }
        }
        endDirective()
        return directives
    }
}
