// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJSON
import TestSupport
import Testing

/// From the shared folder.
@Suite("Published JSON and base64 cases")
struct JSONVectorTests {
    struct ParsingSuite: Decodable {
        struct Case: Decodable {
            let dir: String
            let name: String
            let expect: String
            let b64: String?
            /// In place of `b64`, for files of one repeated piece.
            let repeatB64: String?
            let count: Int?
            let tailB64: String?

            enum CodingKeys: String, CodingKey {
                case dir, name, expect, b64, count
                case repeatB64 = "repeat_b64"
                case tailB64 = "tail_b64"
            }
        }

        let cases: [Case]
    }

    /// Accepted by the suite, and refused here: RFC 7515, section 4 and RFC 7519, section 4.
    static let duplicates: Set = [
        "y_object_duplicated_key.json", "y_object_duplicated_key_and_value.json",
    ]

    @Test("JSONTestSuite's cases are decided as expected, and duplicates are refused")
    func parsingSuite() throws {
        guard let file = SharedFiles.read("vectors/json/jsontestsuite.json") else { return }
        let suite = try JSONTokenDecoder().decode(ParsingSuite.self, from: file)
        var counts: [String: Int] = [:]
        for item in suite.cases {
            let text = try #require(bytes(of: item), "\(item.name)")
            let error = jsonError { try JSONTokenDecoder().decode(JSONValue.self, from: text) }
            // Walk what was read: no case may trap, whatever its expectation.
            if let read = try? JSONDocument(text) { exercise(read.root) }
            guard item.dir == "test_parsing" else { continue }
            counts[item.expect, default: 0] += 1
            switch item.expect {
            case "accept" where Self.duplicates.contains(item.name):
                #expect(error?.code == .duplicateMember, "\(item.name)")
            case "accept": #expect(error == nil, "\(item.name)")
            case "reject": #expect((try? JSONDocument(text)) == nil, "\(item.name)")
            default: break
            }
        }
        #expect(counts == ["accept": 95, "reject": 188, "either": 35])
    }

    private func bytes(of item: ParsingSuite.Case) -> [UInt8]? {
        if let b64 = item.b64 { return base64(b64) }
        guard let piece = item.repeatB64.flatMap(base64), let count = item.count,
            let tail = item.tailB64.flatMap(base64)
        else { return nil }
        return Array(repeatElement(piece, count: count).joined()) + tail
    }

    private func base64(_ text: String) -> [UInt8]? {
        let characters = Array(text.utf8)
        return Base64Standard.decode(characters.span)
    }

    struct ForgivingSuite: Decodable {
        struct Case: Decodable {
            let input: String
            let output: [UInt8]?
        }

        let cases: [Case]
    }

    @Test("Accepted base64 decodes to what the forgiving decoder gives")
    func forgivingBase64() throws {
        guard let file = SharedFiles.read("vectors/base64/wpt_forgiving_base64.json") else {
            return
        }
        let suite = try JSONTokenDecoder().decode(ForgivingSuite.self, from: file)
        #expect(suite.cases.count == 80)
        var accepted = 0
        for item in suite.cases {
            let characters = Array(item.input.utf8)
            let decoded = Base64Standard.decode(characters.span)
            guard let decoded else { continue }
            // What is accepted here is the one text of bytes on which the forgiving decoder agrees.
            accepted += 1
            #expect(decoded == item.output, "\(item.input)")
            #expect(Base64Standard.encode(decoded) == item.input)
        }
        #expect(accepted > 0)
        for item in suite.cases where (try? Base64URL.decode(item.input)) != nil {
            #expect(!item.input.contains { $0.isWhitespace || $0 == "=" || $0 == "+" || $0 == "/" })
            #expect(try Base64URL.decode(item.input) == item.output, "\(item.input)")
        }
    }

    /// A file of the size that the audit reads: all of it strings.
    @Test("A large file is read whole, or refused one byte over the limit")
    func largeFile() throws {
        guard let file = SharedFiles.read("vectors/wycheproof/aes_gcm_test.json") else { return }
        #expect(throws: JSONError(code: .tooLarge)) {
            try JSONDocument(file, limits: .init(maximumByteCount: file.count - 1))
        }
        let root = try JSONDocument(file, limits: .init(maximumByteCount: 64 << 20)).root
        #expect(root.member("numberOfTests")?.int64Value == 316)
        let tests = (root.member("testGroups").map { Array($0.elements) } ?? [])
            .flatMap { $0.member("tests").map { Array($0.elements) } ?? [] }
        #expect(tests.count == 316)
    }
}

/// Asks a node everything that it can be asked, all the way down.
func exercise(_ node: JSONNode) {
    _ = node.boolValue
    _ = node.int64Value
    _ = node.doubleValue
    _ = node.stringValue
    _ = node.rawBytes
    _ = node.count
    for element in node.elements { exercise(element) }
    for member in node.members {
        _ = node.member(member.name.swiftString())
        exercise(member.value)
    }
}
