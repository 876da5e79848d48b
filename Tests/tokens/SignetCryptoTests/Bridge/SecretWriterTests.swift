// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import OpenSSLBridge
import SignetMemory
import TestSupport
import Testing

@Suite("Assembled secrets")
struct SecretWriterTests {
    private func written(_ count: Int, _ body: (inout SecretWriter) -> Void) -> [UInt8]? {
        var writer = SecretWriter(count: count)
        body(&writer)
        return writer.finish().map { exposed($0) }
    }

    @Test("Spans, collections and integers are appended in order, and the rest is zeros")
    func parts() {
        let span: [UInt8] = [1, 2]
        let whole = written(20) { writer in
            writer.append(span.span)
            writer.append([3])
            writer.append(EmptyCollection<UInt8>())
            writer.append("é".utf8)
            writer.append(UInt8(0xfe))
            writer.append(UInt16(0x0102))
            writer.append(UInt32(0x0a0b_0c0d))
            writer.append(UInt64.max - 1)
        }
        #expect(
            whole == [1, 2, 3, 0xc3, 0xa9, 0xfe, 1, 2, 10, 11, 12, 13]
                + [UInt8](repeating: 255, count: 7) + [
                    254
                ])
        #expect(
            written(3) {
                $0.append([7])
                $0.appendZerosToEnd()
            } == [7, 0, 0])
        #expect(written(0) { _ in } == [])
        #expect(written(-1) { _ in } == [])
    }

    @Test("Too few and too many bytes give nothing, and nothing is written past the end")
    func overflow() {
        #expect(written(2) { $0.append([1]) } == nil)
        #expect(written(2) { $0.append([1, 2, 3]) } == nil)
        #expect(
            written(2) {
                $0.append([1, 2])
                $0.append([3])
            } == nil)
        #expect(
            written(3) {
                $0.append(UInt64(1))
                $0.append([1, 2, 3])
            } == nil)
        #expect(written(0) { $0.append([1]) } == nil)
    }
}
