// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A JSON text that one strict reader has read whole (RFC 8259): every reader of a token goes through here, so no two
/// can disagree.
///
/// Checked: UTF-8 and no byte order mark, the grammar of strings and numbers, surrogate escapes in pairs, no member
/// named twice at any depth, nothing behind the value, and the limits. Not checked: what the values mean, or that
/// a number fits a Swift type, which is asked of each ``JSONNode``.
package struct JSONDocument: Sendable {
    /// How large a text may be.
    package struct Limits: Sendable {
        /// The size of the text, in bytes.
        package var maximumByteCount: Int
        /// How deep arrays and objects may be nested; 0 allows neither. Never more than 512.
        package var maximumDepth: Int
        /// How many values and names together.
        package var maximumNodeCount: Int

        package init(
            maximumByteCount: Int = 262_144, maximumDepth: Int = 32, maximumNodeCount: Int = .max
        ) {
            self.maximumByteCount = maximumByteCount
            self.maximumDepth = maximumDepth
            self.maximumNodeCount = maximumNodeCount
        }
    }

    /// Offsets are kept in 32 bits.
    private static let byteCountCeiling = Int(Int32.max)
    /// Who walks a document by recursion must not run out of stack.
    private static let depthCeiling = 512

    let index: JSONIndex

    /// Reads a JSON text.
    /// - Throws: ``JSONError``: `malformed`, `duplicateMember`, `tooDeep`, `tooLarge` or `invalidUTF8`, with the offset.
    package init(_ bytes: [UInt8], limits: Limits = Limits()) throws(JSONError) {
        guard bytes.count <= min(limits.maximumByteCount, Self.byteCountCeiling) else {
            throw JSONError(code: .tooLarge)
        }
        // What is much longer than a usual token has more entries: there is no use in trying.
        if bytes.count <= JSONFewRecords.capacity &* 32 {
            var records = JSONFewRecords()
            do throws(JSONFault) {
                try JSONScanner.scan(
                    bytes.span, into: &records, maximumDepth: min(limits.maximumDepth, Self.depthCeiling),
                    maximumRecordCount: limits.maximumNodeCount)
                index = JSONIndex(bytes: bytes, records: records)
                return
            } catch {
                guard case .full = error.kind else { throw JSONError(fault: error) }
            }
        }
        do throws(JSONFault) {
            index = try Self.anyIndex(bytes, limits)
        } catch {
            throw JSONError(fault: error)
        }
    }

    /// A document that an encoder has written together with its entries.
    init(_ written: JSONWritten) {
        index = JSONIndex(bytes: written.text, records: JSONManyRecords(written.records))
    }

    /// The document as if it had just been written.
    var written: JSONWritten {
        JSONWritten(
            bytes: index.bytes, byteCount: index.bytes.count,
            records: ContiguousArray((0..<index.end).map { index[$0] }))
    }

    private static func anyIndex(_ bytes: [UInt8], _ limits: Limits) throws(JSONFault) -> JSONIndex {
        // Tokens have 20 bytes or so for an entry; a text of many small values grows the array as usual.
        var records = JSONManyRecords(reserving: min(bytes.count / 12 &+ 8, 65_536))
        try JSONScanner.scan(
            bytes.span, into: &records, maximumDepth: min(limits.maximumDepth, depthCeiling),
            maximumRecordCount: limits.maximumNodeCount)
        return JSONIndex(bytes: bytes, records: records)
    }

    /// The value that the text is.
    package var root: JSONNode { JSONNode(index: index, position: 0) }

    /// The text, as it was read.
    package var bytes: [UInt8] { index.bytes }
}

extension JSONDocument: Equatable {
    /// Documents are equal when their texts and the indexes over them are: not when they mean the same.
    package static func == (a: JSONDocument, b: JSONDocument) -> Bool {
        guard a.index.bytes == b.index.bytes else { return false }
        let end = a.index.end
        guard end == b.index.end else { return false }
        return (0..<end).allSatisfy { a.index[$0] == b.index[$0] }
    }
}

extension JSONError {
    fileprivate init(fault: JSONFault) {
        let code: Code =
            switch fault.kind {
            case .malformed: .malformed
            case .duplicateMember: .duplicateMember
            case .tooDeep: .tooDeep
            case .tooLarge, .full: .tooLarge
            case .invalidUTF8: .invalidUTF8
            }
        self.init(code: code, offset: fault.offset)
    }
}
