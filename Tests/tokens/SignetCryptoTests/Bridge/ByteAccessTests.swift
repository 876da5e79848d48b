// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import OpenSSLBridge
import SignetMemory
import Testing

@Suite("Bytes of any collection")
struct ByteAccessTests {
    @Test("Any collection gives its bytes, contiguous or not")
    func collections() {
        let source: [UInt8] = [9, 8, 7, 6]
        let backwards: [UInt8] = [6, 7, 8, 9]
        #expect(withSpan(of: source) { $0.copied() } == source)
        #expect(withSpan(of: source[1..<3]) { $0.copied() } == [8, 7])
        #expect(withSpan(of: Data(source)) { $0.copied() } == source)
        #expect(withSpan(of: Data(source)[2...]) { $0.copied() } == [7, 6])
        #expect(withSpan(of: backwards.reversed()) { $0.copied() } == source)
        #expect(withSpan(of: source.lazy.map { $0 }) { $0.copied() } == source)
        #expect(withSpan(of: "Zürich".utf8) { $0.copied() } == Array("Zürich".utf8))
        #expect(withSpan(of: EmptyCollection<UInt8>()) { $0.copied() }.isEmpty)
        #expect(withSpan(of: [UInt8]()) { $0.count } == 0)
        #expect(withSpan(of: Data()) { $0.count } == 0)
        #expect(withSpan(of: CollectionOfOne<UInt8>(3)) { $0.copied() } == [3])
    }

    @Test("An error from the body is rethrown, contiguous or not")
    func errors() {
        let wanted = OpenSSLFailure(.refused, "test")
        #expect(throws: wanted) {
            try withSpan(of: [1]) { (_: Span<UInt8>) throws(OpenSSLFailure) -> Int in throw wanted }
        }
        let lazy = [UInt8](repeating: 1, count: 3).lazy.map { $0 }
        #expect(throws: wanted) {
            try withSpan(of: lazy) { (_: Span<UInt8>) throws(OpenSSLFailure) -> Int in throw wanted
            }
        }
    }

    @Test("Constant-time comparison handles lengths, empty spans and null spans")
    func comparison() {
        let a: [UInt8] = [1, 2, 3]
        let b: [UInt8] = [1, 2, 4]
        let none: [UInt8] = []
        let results = [
            constantTimeEqual(a.span, a.span), constantTimeEqual(none.span, Span()),
            constantTimeEqual(Span(), Span()),
        ]
        #expect(results == [true, true, true])
        let refusals = [
            constantTimeEqual(a.span, b.span), constantTimeEqual(a.span, Span()),
            constantTimeEqual(none.span, a.span), constantTimeEqual(a.span, (a + [0]).span),
        ]
        #expect(refusals == [false, false, false, false])
    }

    @Test("Appending copies the bytes")
    func appending() {
        var target: [UInt8] = [1]
        [UInt8]([2, 3]).span.append(to: &target)
        Span<UInt8>().append(to: &target)
        #expect(target == [1, 2, 3])
    }
}
