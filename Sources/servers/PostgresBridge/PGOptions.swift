// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import CLibPQ

/// Reads connection strings as libpq does.
package enum PGOptions {
    /// The keywords and values in a string (a URI, or `keyword=value`), without defaults.
    ///
    /// - Throws: `unreadable`. libpq's own message quotes the string, so it is not passed on.
    package static func parse(_ text: String) throws(PGFailure) -> [(name: String, value: String)] {
        guard !text.utf8.contains(0) else { throw PGFailure(.unreadable) }
        var complaint: UnsafeMutablePointer<CChar>?
        guard let options = unsafe PQconninfoParse(text, &complaint) else {
            unsafe PQfreemem(complaint)
            throw PGFailure(.unreadable)
        }
        defer { unsafe PQconninfoFree(options) }
        var found: [(name: String, value: String)] = []
        var next = unsafe options
        while let name = unsafe next.pointee.keyword {
            if let value = unsafe next.pointee.val {
                guard let value = unsafe String(validatingCString: value) else {
                    throw PGFailure(.unreadable)
                }
                found.append((unsafe String(cString: name), value))
            }
            unsafe next = unsafe next.successor()
        }
        return found
    }
}
