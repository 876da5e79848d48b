// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJSON
import Testing

@Suite("StrictJSON")
struct StrictJSONTests {
    private struct Body: Codable, Equatable {
        let idToken: String
        let count: Int?
    }

    @Test("A body is decoded into its type")
    func readsABody() throws {
        let body = try StrictJSON.decode(
            Body.self, from: #" {"idToken":"a","other":[1],"count":null} "#.utf8)
        #expect(body == Body(idToken: "a", count: nil))
        #expect(try StrictJSON.decode(from: "[1,2]".utf8) == [1, 2])
    }

    @Test(
        "A malformed body is refused with its code",
        arguments: [
            (#"{"idToken":"a""#, JSONError.Code.malformed), ("", .malformed),
            (#"{"idToken":"a"}}"#, .malformed),
            (#"{"idToken":"a","idToken":"b"}"#, .duplicateMember),
            (#"{"idToken":1}"#, .typeMismatch),
            (#"{"idToken":null}"#, .typeMismatch), ("{}", .missingMember), ("[]", .typeMismatch),
            (#"{"idToken":"a","count":1.5}"#, .numberOutOfRange),
            (String(repeating: " ", count: 65_537), .tooLarge),
        ])
    func refuses(_ text: String, _ code: JSONError.Code) {
        #expect(throws: JSONError(code: code)) { try StrictJSON.decode(Body.self, from: text.utf8) }
    }

    /// 513 opening brackets end a process that reads them with Foundation's decoder.
    @Test("A body that is too deep is refused", arguments: [33, 511, 512, 513, 514, 65_536])
    func refusesWhatIsTooDeep(_ count: Int) {
        for bracket in ["[", #"{"a":"#] {
            let text = String(repeating: bracket, count: count).utf8.prefix(65_536)
            #expect(throws: JSONError(code: .tooDeep)) {
                try StrictJSON.decode(Body.self, from: text)
            }
        }
    }

    @Test("The byte limit is the caller's")
    func theLimitIsTheCallers() throws {
        #expect(throws: JSONError(code: .tooLarge)) {
            try StrictJSON.decode([Int].self, from: "[1]".utf8, maximumByteCount: 2)
        }
        #expect(try StrictJSON.decode([Int].self, from: "[1]".utf8, maximumByteCount: 3) == [1])
    }

    @Test("What is written is what is read, and members keep their order")
    func writes() throws {
        let text = try StrictJSON.encode(Body(idToken: "é\n", count: 3))
        #expect(text.elementsEqual(#"{"idToken":"é\n","count":3}"#.utf8))
        #expect(try StrictJSON.decode(Body.self, from: text) == Body(idToken: "é\n", count: 3))
    }

    @Test("What the reader would refuse is not written")
    func writesNothingElse() {
        #expect(throws: JSONError(code: .numberOutOfRange)) { try StrictJSON.encode([Double.nan]) }
        #expect(throws: JSONError(code: .typeMismatch)) { try StrictJSON.encode("alone") }
        #expect(throws: JSONError(code: .tooDeep)) {
            try StrictJSON.encode([[1]], maximumDepth: 1)
        }
    }
}
