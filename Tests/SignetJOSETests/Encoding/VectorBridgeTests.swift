// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Testing
import VectorBridge

/// The few functions that read and write memory by more than a byte.
@Suite struct VectorBridgeTests {
    enum Refused: Error { case once }

    @Test("A string that is written in place is what was written, and nothing when writing fails")
    func writtenInPlace() throws {
        for count in [0, 1, 15, 16, 17, 1_000] {
            let text = String.written(byteCount: count) { bytes in
                for place in 0..<count { bytes[place] = UInt8(ascii: "a") + UInt8(place % 26) }
            }
            #expect(text.utf8.count == count)
            #expect(text.utf8.enumerated().allSatisfy { $1 == UInt8(ascii: "a") + UInt8($0 % 26) })
        }
        #expect(String.written(byteCount: 3) { _ in } == "\0\0\0")
        #expect(throws: Refused.once) {
            try String.written(byteCount: 30) { (_) throws(Refused) in throw Refused.once }
        }
    }

    @Test("A cell gives its value to one at a time, and to the next one after an error")
    func cell() {
        let cell = ExclusiveCell([1])
        _ = cell.withValue { $0.append(2) }
        #expect(throws: Refused.once) { try cell.withValue { (_) throws(Refused) in throw Refused.once } }
        #expect(cell.withValue { $0 } == [1, 2])
    }

    @Test("A cell that is entered twice gives nothing to the second, and nothing more to anybody")
    func cellEnteredTwice() {
        let cell = ExclusiveCell([1])
        let inner = cell.withValue { outer in
            let inner: Void? = cell.withValue { $0 = [] }
            outer.append(2)
            return (inner == nil, outer)
        }
        #expect(inner?.0 == true)
        #expect(inner?.1 == [1, 2])
        #expect(cell.withValue { $0 } == nil)
    }
}
