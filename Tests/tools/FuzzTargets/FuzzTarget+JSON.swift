// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJSON

extension FuzzTarget {
    /// What was read is written and reads back the same, and no member is there twice.
    static let json = FuzzTarget(
        "json",
        seeds: [
            #"{"iss":"https://a.example","aud":["x","y"],"exp":1300819380,"iat":1.5e9,"f":true}"#,
            #"{"address":{"street":"\u00e9\ud83d\ude00 é","lines":[[1,-2],[],[32767]]},"b":null}"#,
            #"[1,2.5,-0,1e300,"\n",true,false,null,{"a":{"b":[[]]}},0.1,18446744073709551615]"#,
            #"{"a":1,"\u0062":2,"K":3,"d":[9223372036854775807,-9223372036854775808,1e999]}"#,
        ]
    ) { input in
        guard let document = try? JSONDocument(input) else { return false }
        let decoder = JSONTokenDecoder()
        _ = try? decoder.decode(Claims.self, from: document.root)
        guard let value = try? decoder.decode(JSONValue.self, from: document.root) else {
            return false
        }
        let written = try hold("an accepted value is written") {
            try JSONTokenEncoder(allowsFragments: true).encode(value)
        }
        let again = try hold("a written value is read") {
            try decoder.decode(JSONValue.self, from: written)
        }
        try hold(normalized(again) == normalized(value), "a value reads back as it was written")
        return true
    }

    private struct Claims: Decodable {
        let iss: String?
        let aud: [String]?
        let exp: Int64?
        let iat: Double?
        let small: UInt8?
        let f: Bool?
        let address: [String: [[Int16]]]?
    }

    /// Whole doubles are written as integers.
    private static func normalized(_ value: JSONValue) -> JSONValue {
        switch value {
        case .number(let number): Int64(exactly: number).map { .integer($0) } ?? value
        case .array(let elements): .array(elements.map(normalized))
        case .object(let members): .object(members.mapValues(normalized))
        default: value
        }
    }
}
