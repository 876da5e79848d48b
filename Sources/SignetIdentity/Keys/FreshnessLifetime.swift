// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// How long an answer says that it is good (RFC 9111, sections 4.2 and 5.2.2), read as a private
/// cache of one document does.
///
/// Of `Cache-Control` it looks at `max-age`, from which `Age` is subtracted, `no-store` and
/// `no-cache`; what else is there (`Expires`, `s-maxage`, `must-revalidate`) changes nothing.
enum FreshnessLifetime {
    /// Nil when the answer does not say; zero when it says "not at all", or something that cannot
    /// be read.
    static func of(_ response: TransportResponse) -> Duration? {
        var maximumAge: Int64?
        for line in response.values(of: "Cache-Control") {
            for directive in CacheDirective.all(in: line) {
                if directive.isNamed("no-store") || directive.isNamed("no-cache") { return .zero }
                guard directive.isNamed("max-age") else { continue }
                // Named twice: the shorter one cannot be wrong.
                let seconds = directive.value.flatMap(seconds) ?? 0
                maximumAge = min(maximumAge ?? seconds, seconds)
            }
        }
        guard let maximumAge else { return nil }
        let age = response.values(of: "Age").compactMap { seconds(Array($0.utf8)) }.max() ?? 0
        return .seconds(max(0, maximumAge - age))
    }

    /// Delta seconds (section 1.2.2): digits alone; what is past 2^31 is 2^31.
    private static func seconds(_ digits: [UInt8]) -> Int64? {
        guard !digits.isEmpty, digits.allSatisfy(\.isDigit) else { return nil }
        let ceiling: Int64 = 2_147_483_648
        return digits.reduce(0) { min(ceiling, $0 * 10 + Int64($1 - 0x30)) }
    }
}

/// One directive of a `Cache-Control` line.
struct CacheDirective {
    let name: [UInt8]
    /// Nil without `=`. The quotation marks are off.
    let value: [UInt8]?

    func isNamed(_ lowerCase: String) -> Bool {
        name.map(\.lowercased).elementsEqual(lowerCase.utf8)
    }

    /// The directives of a line, split at the commas that stand outside of quotation marks.
    static func all(in line: String) -> [CacheDirective] {
        var directives = [CacheDirective]()
        var name = [UInt8]()
        var value: [UInt8]?
        var isQuoted = false
        var isEscaped = false
        func finish() {
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
            case UInt8(ascii: ",") where !isQuoted: finish()
            case UInt8(ascii: "=") where !isQuoted && value == nil: value = []
            default: if value == nil { name.append(octet) } else { value?.append(octet) }
            }
        }
        finish()
        return directives
    }
}
