// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import SignetSignIn
import TestSupport
import Testing

/// Every member of a token endpoint's answer in every shape that JSON has: what is used is refused
/// unless it is right, the rest is nil unless it can be read.
@Suite("Shapes of a token endpoint's answers")
struct TokenAnswerShapes {
    static let good: TestClaimSet = [
        "access_token": #""at""#, "token_type": #""Bearer""#, "expires_in": "3600",
        "id_token": #""e.e.s""#,
        "refresh_token": #""rt""#, "scope": #""openid email""#,
    ]

    /// What comes out of an answer, by member; or the code of the refusal alone.
    static func outcome(_ answer: TestClaimSet) -> [String: String] { outcome(answer.json) }

    static func outcome(_ json: String) -> [String: String] {
        let response = TransportResponse(
            status: 200, fields: [.init(name: "Content-Type", value: "application/json")],
            body: Array(json.utf8))
        do throws(AuthorizationError) {
            let tokens = try TokenEndpointAnswer(response, secrets: []).tokens()
            let accessToken: String? = tokens.accessToken
            return [
                "access_token": accessToken, "id_token": tokens.idToken,
                "refresh_token": tokens.refreshToken,
                "expires_in": tokens.expiresIn.map { "\($0)" },
                "scope": tokens.scopes.map { $0.joined(separator: "|") },
            ].compactMapValues { $0 }
        } catch {
            return ["refused": error.code.rawValue]
        }
    }

    /// `nil` as a value removes the member; as an outcome it means absent.
    struct Shape: Sendable, CustomTestStringConvertible {
        let member: String
        let json: String?
        let outcome: String?

        init(_ member: String, _ json: String?, _ outcome: String?) {
            self.member = member
            self.json = json
            self.outcome = outcome
        }

        var testDescription: String { "\(member): \(json ?? "absent")" }
    }

    private static let refused = "refused"
    private static let otherKinds = ["7", "[]", #"["x"]"#, "{}", #"{"a":"x"}"#, "true", "false"]

    private static let tokens: [Shape] = ["access_token", "id_token", "refresh_token"].flatMap {
        member in
        [nil, "null", #""""#].map { Shape(member, $0, nil) }
            + [#""x.y-z~ 1""#, #""\u0078.y-z~ 1""#].map { Shape(member, $0, "x.y-z~ 1") }
            + (otherKinds + [#""é""#, #""a\n""#, #""\u0000""#, #""a\u007f""#]).map {
                Shape(member, $0, refused)
            }
    }

    private static let types: [Shape] =
        [nil, "null", #""Bearer""#, #""bearer""#, #""BEARER""#, #""\u0042earer""#].map {
            Shape("token_type", $0, nil)
        }
        + (otherKinds + [
            #""""#, #""DPoP""#, #""mac""#, #""N_A""#, #""Bearer ""#, #""Bearer DPoP""#,
            #""Be\u0000arer""#,
            #""bearer\u0301""#, #""\"bearer\"""#, #""2earer""#,
        ]).map { Shape("token_type", $0, refused) }

    private static let lifetimes: [Shape] =
        [
            ("0", "0"), ("315360000", "315360000"), (#""3599""#, "3599"), (#""0""#, "0"),
            ("3600.0", "3600"),
        ]
        .map { Shape("expires_in", $0, $1) }
        + [
            ("3.6e3", "3600"), (#""315360000""#, "315360000"), ("-0", "0"), ("3600.9", "3600"),
            (#""3600.0""#, "3600"), (#""3600.9""#, "3600"), (#""007""#, "7"),
        ].map { Shape("expires_in", $0, $1) }
        + [
            nil, "null", "-1", "-3600.0", "315360001", "1e400", "-1e400", "9223372036854775808",
            #""""#, #""x""#, #""-1""#, #""+1""#, #"" 1""#, #""1 ""#, #""0x10""#, #""1e3""#,
            #""1.""#, #"".5""#, #""1.2.3""#, #"".""#, #""nan""#, #""inf""#, #""1,5""#,
            #""315360001""#, #""99999999999999999999999""#,
            #""000000000000000000000000000000007""#, #""٣""#, "[]", "[3600]", "{}", "true", "false",
        ].map { Shape("expires_in", $0, nil) }

    private static let scopes: [Shape] =
        [
            (#""a""#, "a"), (#""a b""#, "a|b"), (#"" a  b ""#, "a|b"), (#""""#, ""),
            (#""a,b""#, "a,b"),
            (#"["a"]"#, "a"), (#"["a","b"]"#, "a|b"), (#"["a b","c"]"#, "a|b|c"), ("[]", ""),
            (#"[""]"#, ""),
        ].map { Shape("scope", $0, $1) }
        + [
            nil, "null", "7", "{}", #"{"a":"b"}"#, "true", "false", #""é""#, #""a\nb""#, "[7]",
            #"["a",7]"#,
            #"["a",null]"#, #"["a",["b"]]"#, #"["é"]"#, #"["a\u0000"]"#,
        ].map { Shape("scope", $0, nil) }

    @Test(
        "Each shape of a member is read, ignored or refused",
        arguments: tokens + types + lifetimes + scopes)
    func shape(_ shape: Shape) {
        var expected = Self.outcome(Self.good)
        #expect(expected.count == 5)
        expected[shape.member] = shape.outcome
        if shape.outcome == Self.refused { expected = ["refused": "invalidResponse"] }
        #expect(Self.outcome(Self.good.changing([shape.member: shape.json])) == expected)
    }

    @Test("Without an access token, token_type does not matter", arguments: types)
    func typeOfNothing(_ shape: Shape) {
        let answer = Self.good.changing(["access_token": nil, "token_type": shape.json])
        #expect(Self.outcome(answer)["id_token"] == "e.e.s")
    }

    @Test("An answer with neither token is rejected", arguments: [nil, "null", #""""#])
    func neither(_ json: String?) {
        let answer = Self.good.changing(["access_token": json, "id_token": json])
        #expect(Self.outcome(answer) == ["refused": "invalidResponse"])
    }

    @Test(
        "An error counts with status 200 too",
        arguments: [
            ("null", nil), (#""x""#, "refused"), (#""""#, nil),
            ("7", "invalidResponse"),
            ("[]", "invalidResponse"), ("{}", "invalidResponse"), ("false", "invalidResponse"),
        ])
    func error(_ json: String, _ code: String?) {
        #expect(Self.outcome(Self.good.changing(["error": json]))["refused"] == code)
        #expect(Self.outcome(["error": json])["refused"] == code ?? "invalidResponse")
    }

    @Test(
        "A description of any type is harmless",
        arguments: otherKinds + ["null", #""""#, #""x""#])
    func description(_ json: String) {
        #expect(
            Self.outcome(["error": #""x""#, "error_description": json]) == ["refused": "refused"])
        #expect(
            Self.outcome(Self.good.changing(["error_description": json])) == Self.outcome(Self.good)
        )
    }

    /// The members that each is known to write, from its documentation or from issues of other
    /// clients; the values are made up.
    @Test(
        "Providers' real answers are read",
        arguments: [
            (
                "Twitch: scope is a list",
                #"{"access_token":"a","expires_in":14124,"id_token":"e.e.s","refresh_token":"r","scope":["openid","user:read:email"],"token_type":"bearer"}"#,
                [
                    "access_token": "a", "id_token": "e.e.s", "refresh_token": "r",
                    "expires_in": "14124",
                    "scope": "openid|user:read:email",
                ]
            ),
            (
                "LinkedIn: no token_type",
                #"{"access_token":"a","expires_in":5183999,"scope":"email,openid,profile","id_token":"e.e.s"}"#,
                [
                    "access_token": "a", "id_token": "e.e.s", "expires_in": "5183999",
                    "scope": "email,openid,profile",
                ]
            ),
            (
                "Entra, version 1: numbers as text",
                #"{"token_type":"Bearer","scope":"User.Read","expires_in":"3599","ext_expires_in":"3599","expires_on":"1700003600","not_before":"1700000000","resource":"x","access_token":"a","refresh_token":"r","id_token":"e.e.s"}"#,
                [
                    "access_token": "a", "id_token": "e.e.s", "refresh_token": "r",
                    "expires_in": "3599",
                    "scope": "User.Read",
                ]
            ),
            (
                "Azure B2C with the scope openid alone",
                #"{"id_token":"e.e.s","token_type":"Bearer","not_before":1700000000,"id_token_expires_in":3600,"profile_info":"eyJ9"}"#,
                ["id_token": "e.e.s"]
            ),
        ] as [(String, String, [String: String])])
    func provider(_ name: String, _ json: String, _ outcome: [String: String]) {
        #expect(Self.outcome(json) == outcome, "\(name)")
    }
}
