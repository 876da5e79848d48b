// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

/// A request from a browser, or anyone else on this machine, to the port of a ``LoopbackSignIn``.
enum LoopbackRequest {
    /// The callback of this sign-in: the text after its question mark.
    case answer(query: String)
    /// Anything else, which ends nothing: another path, state or method, or not HTTP.
    case other

    /// Reads the first line of a head; the fields after it do not matter.
    ///
    /// - Parameter state: that of the pending sign-in. Only the provider and the browser sent there
    ///   know it. Without it, nothing counts as a response.
    init(head: [UInt8], path: String, state: AuthorizationState) {
        let line = head.prefix { $0 != 0x0d && $0 != 0x0a }
        let words = line.split(separator: 0x20, omittingEmptySubsequences: false)
        guard words.count == 3, words[0].elementsEqual("GET".utf8),
            words[2].starts(with: "HTTP/1.".utf8)
        else {
            self = .other
            return
        }
        let target = words[1]
        let called = target.prefix { $0 != UInt8(ascii: "?") }
        guard called.elementsEqual(path.utf8), called.count < target.count,
            let query = String(validating: target.dropFirst(called.count + 1), as: UTF8.self),
            let found = try? AuthorizationCallback.state(of: query),
            state.matches(found.exposedText)
        else {
            self = .other
            return
        }
        self = .answer(query: query)
    }
}
