// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import OpenSSLBridge

/// The check that no object names a member twice. Names are compared unescaped, and as Swift compares strings: names
/// that are canonically equivalent ("é" in either form) would be one key of a Swift dictionary, so they are one name.
enum JSONNames {
    /// Checks a closed object, the last one of the entries, which are only read: by reference, since a store that is lent would be
    /// copied.
    /// - Returns: whether it is large.
    @inline(never)
    static func check(
        _ text: Span<UInt8>, object: Int, in records: inout some JSONRecordStore
    ) throws(JSONFault) -> Bool {
        let end = records.count
        var i = object &+ 1
        var seen: UInt64 = 0
        var count = 0
        var flags: JSONRecord.Flags = []
        while i < end {
            let name = records[i]
            count &+= 1
            guard count <= JSONRecord.smallMemberCount else {
                try checkByHash(text, object: object, in: &records)
                return true
            }
            flags.formUnion(name.flags)
            // One bit for each of 64 classes of fingerprint: only names of one class have to be compared.
            let bit: UInt64 = 1 &<< UInt64((name.link &* 0x9e37_79b1) >> 26)
            if seen & bit != 0, isRepeated(text, name, at: i, object: object, in: &records) {
                throw JSONFault(kind: .duplicateMember, offset: Int(name.start))
            }
            seen |= bit
            i = Int(records[i &+ 1].link)
        }
        if !flags.isDisjoint(with: [.escaped, .beyondASCII]) {
            try checkByHash(text, object: object, in: &records)
        }
        return false
    }

    /// Whether a name is, byte for byte, one of the names before it.
    private static func isRepeated(
        _ text: Span<UInt8>, _ name: JSONRecord, at index: Int, object: Int,
        in records: inout some JSONRecordStore
    ) -> Bool {
        let bytes = text.extracting(Int(name.start)..<Int(name.end))
        var i = object &+ 1
        while i < index {
            let other = records[i]
            if other.link == name.link,
                bytesAreEqual(bytes, text.extracting(Int(other.start)..<Int(other.end)))
            {
                return true
            }
            i = Int(records[i &+ 1].link)
        }
        return false
    }

    /// For many names, or names that are not plain ASCII: a set of strings. Swift seeds its hash for each process, so
    /// no document can be made to collide.
    private static func checkByHash(
        _ text: Span<UInt8>, object: Int, in records: inout some JSONRecordStore
    ) throws(JSONFault) {
        var names: Set<String> = []
        var i = object &+ 1
        while i < records.count {
            let name = records[i]
            let bytes = JSONText.unescape(text.extracting(Int(name.start)..<Int(name.end)))
            // Safe to hash and to compare, once it has passed the next line.
            let text = ReceivedText(utf8: bytes[...]).swiftString()
            guard text.isStreamSafe else { throw JSONFault(kind: .tooLarge, offset: Int(name.start)) }
            guard names.insert(text).inserted else {
                throw JSONFault(kind: .duplicateMember, offset: Int(name.start))
            }
            i = Int(records[i &+ 1].link)
        }
    }
}
