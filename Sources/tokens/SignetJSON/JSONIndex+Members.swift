// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension JSONIndex {
    /// The entries of an object's values, by name.
    func members(of object: Int) -> [ReceivedText.Key: Int] {
        var members: [ReceivedText.Key: Int] = [:]
        let end = Int(self[object].next)
        var i = object &+ 1
        while i < end {
            members[text(of: self[i]).key] = i &+ 1
            i = Int(self[i &+ 1].next)
        }
        return members
    }
}
