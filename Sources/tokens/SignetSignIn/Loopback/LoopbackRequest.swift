// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase
internal import SignetCrypto
internal import SignetJOSE

/// A request from a browser, or any program on this machine, to the port of a ``LoopbackSignIn``.
enum LoopbackRequest {
    /// The one-time address that the browser was given.
    case start
    /// The callback of this sign-in: the text after its question mark.
    case answer(query: String)
    /// Any further request, which ends nothing: an unknown path, state or method, a prefetch, or a
    /// request that is not HTTP.
    case other

    /// Reads the head of a request.
    ///
    /// - Parameters:
    ///   - start: the path of the one-time address. Other users may read it in the list of
    ///     processes.
    ///   - path: the path of the callback.
    ///   - state: the pending sign-in's state. Only the provider, and the browser that opened the
    ///     one-time address, know it. Without it, no request counts as a response.
    init(head: [UInt8], start: String, path: String, state: AuthorizationState) {
        let line = head.prefix { $0 != 0x0d && $0 != 0x0a }
        // METHOD TARGET HTTP/1.1
        let words = line.split(separator: 0x20, omittingEmptySubsequences: false)
        guard words.count == 3, words[0].elementsEqual("GET".utf8),
            words[2].starts(with: "HTTP/1.".utf8)
        else {
            self = .other
            return
        }
        let target = words[1]
        if ConstantTime.areEqual(target, start.utf8) {
            self = Self.isAheadOfNeed(head.dropFirst(line.count)) ? .other : .start
            return
        }
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

    /// Whether a browser only prefetches an address that the person may open: `Sec-Purpose:
    /// prefetch`, or an older browser's `Purpose` or `X-Moz`. The browser asks again when the
    /// person opens it.
    private static func isAheadOfNeed(_ fields: ArraySlice<UInt8>) -> Bool {
        fields.split { $0 == 0x0d || $0 == 0x0a }.contains { field in
            let name = field.prefix { $0 != UInt8(ascii: ":") }
            let value = field.dropFirst(name.count + 1).withoutOuterBlanks.map(\.lowercased)
            return value.starts(with: "prefetch".utf8)
                && ["sec-purpose", "purpose", "x-moz"].contains {
                    name.map(\.lowercased).elementsEqual($0.utf8)
                }
        }
    }
}
