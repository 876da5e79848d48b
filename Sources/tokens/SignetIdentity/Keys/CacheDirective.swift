// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// One directive of a `Cache-Control` line: `no-store`, `max-age=60` or `private="a, b"`.
struct CacheDirective {
    var name = [UInt8]()
    /// The value without quotation marks; nil if the directive has no `=`.
    var value: [UInt8]?

    func isNamed(_ lowerCase: String) -> Bool {
        name.map(\.lowercased).elementsEqual(lowerCase.utf8)
    }

    /// The directives of a line, split at commas outside quotation marks.
    static func all(in line: String) -> [CacheDirective] {
        var scanner = CacheDirectiveScanner()
        for octet in line.utf8 { scanner.read(octet) }
        scanner.endDirective()
        return scanner.directives
    }
}

/// Reads a `Cache-Control` line octet by octet.
private struct CacheDirectiveScanner {
    private(set) var directives = [CacheDirective]()
    /// The directive that the next octet belongs to.
    private var current = CacheDirective()
    /// Whether the next octet is between quotation marks, where commas and `=` are plain text.
    private var isQuoted = false
    /// Whether the next octet comes after a reverse solidus, and is plain text.
    private var isEscaped = false

    mutating func read(_ octet: UInt8) {
        guard !isEscaped else {
            isEscaped = false
            current.value?.append(octet)
            return
        }
        switch octet {
        case UInt8(ascii: "\\") where isQuoted: isEscaped = true
        case UInt8(ascii: "\""): isQuoted.toggle()
        case UInt8(ascii: ",") where !isQuoted: endDirective()
        case UInt8(ascii: "=") where !isQuoted && current.value == nil: current.value = []
        default:
            if current.value == nil { current.name.append(octet) }
            current.value?.append(octet)
        }
    }

    /// Call at each comma, and at the end of the line.
    mutating func endDirective() {
        // Nothing stands between two commas, or after the last.
        if !current.name.isEmpty {
            let value = current.value.map { Array($0[...].withoutOuterBlanks) }
            directives.append(
                CacheDirective(name: Array(current.name[...].withoutOuterBlanks), value: value))
        }
        current = CacheDirective()
    }
}
