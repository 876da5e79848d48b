// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Where in a document something is wrong. The path to it is found when somebody asks: that walks past every
/// sibling, and an array whose elements all fail their first try would be walked through once for each.
struct JSONPlace: Sendable {
    let index: JSONIndex
    let position: Int
    let key: (any CodingKey)?

    /// As text that is safe to log.
    var path: String? {
        var path = index.codingPath(to: position)
        if let key { path.append(key) }
        return JSONError(code: .typeMismatch, at: path).path
    }
}
