// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJSON

struct Order: Decodable {
    var item: String
    var count: Int
}

// A body that a stranger sent. No member twice, no wrong type, no more bytes than this.
func order(from body: [UInt8]) -> Order? {
    do throws(JSONError) {
        return try StrictJSON.decode(from: body, maximumByteCount: 4_096)
    } catch {
        print(error.code.rawValue)
        return nil
    }
}

print(order(from: Array(#"{"item":"book","count":2}"#.utf8))?.count ?? 0)
print(order(from: Array(#"{"item":"book","count":2,"count":900}"#.utf8)) == nil)
