// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetMemory

extension JSONScanner {
    /// The check that an object names no member twice. Names are compared unescaped, and as Swift
    /// compares strings: names that are canonically equivalent ("é" in either form) would be one
    /// key of a Swift dictionary, so they are one name.
    /// - Returns: whether the object is large.
    func checkNames(of object: Int) throws(JSONFault) -> Bool {
        var count = 0
        var flags: JSONRecord.Flags = []
        var i = object &+ 1
        while i < records.count {
            count &+= 1
            guard count <= JSONRecord.smallMemberCount else {
                try checkNamesByHash(of: object)
                return true
            }
            flags.formUnion(records[i].flags)
            guard !isRepeated(i, in: object) else {
                throw JSONFault(.duplicateMember, at: Int(records[i].start))
            }
            i = Int(records[i &+ 1].next)
        }
        if !flags.isDisjoint(with: [.escaped, .beyondASCII]) { try checkNamesByHash(of: object) }
        return false
    }

    /// Whether a name is, byte for byte, one of the names before it.
    private func isRepeated(_ position: Int, in object: Int) -> Bool {
        let name = records[position]
        let length = name.end &- name.start
        var i = object &+ 1
        while i < position {
            let other = records[i]
            if other.end &- other.start == length,
                bytesAreEqual(
                    text.span.extracting(Int(other.start)..<Int(other.end)),
                    text.span.extracting(Int(name.start)..<Int(name.end)))
            {
                return true
            }
            i = Int(records[i &+ 1].next)
        }
        return false
    }

    /// For many names, or names that are not plain ASCII: a set of strings. Swift seeds its hash
    /// for each process, so no document can be made to collide.
    private func checkNamesByHash(of object: Int) throws(JSONFault) {
        var names: Set<String> = []
        var i = object &+ 1
        while i < records.count {
            let record = records[i]
            let bytes = JSONText.unescape(text.span.extracting(Int(record.start)..<Int(record.end)))
            // Safe to hash and to compare, once it has passed the next line.
            let name = ReceivedText(utf8: bytes[...]).swiftString()
            guard name.isStreamSafe else { throw JSONFault(.tooLarge, at: Int(record.start)) }
            guard names.insert(name).inserted else {
                throw JSONFault(.duplicateMember, at: Int(record.start))
            }
            i = Int(records[i &+ 1].next)
        }
    }
}
