// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetJOSE
import TestSupport
import Testing

@Suite("Files with several keys")
struct KeySetTests {
    /// Public keys of these algorithms, with or without their kid.
    private func set(_ folder: CommandFolder, _ algorithms: [String], named: Bool = true) throws
        -> String
    {
        var members: [String] = []
        for algorithm in algorithms {
            try folder.write("one.json", Keys.json(algorithm))
            var member = try folder.signet("jwk public --single --key one.json").line
            if !named {
                let keyID = try #require(try JWK(member).keyID)
                member = member.replacingOccurrences(of: "\"kid\":\"\(keyID)\",", with: "")
            }
            members.append(member)
        }
        return "{\"keys\":[" + members.joined(separator: ",") + "]}"
    }

    @Test("The token's kid chooses the key", .tags(.commandLine))
    func byKeyID() throws {
        let folder = try CommandFolder()
        try folder.write("set.json", set(folder, Keys.asymmetric))
        for algorithm in Keys.asymmetric {
            try folder.write("key.json", Keys.json(algorithm))
            let token = try folder.signet("jws sign --key key.json", input: algorithm).line
            let outcome = try folder.signet("jws verify --key set.json \(token)")
            #expect(outcome.isGood && outcome.text == algorithm, "\(outcome)")
        }
        try folder.signet("jwk generate --output other.json")
        let token = try folder.signet("jws sign --key other.json", input: "x").line
        let outcome = try folder.signet("jws verify --key set.json \(token)")
        #expect(
            outcome.failed(1, "noMatchingKey") && outcome.errors.contains("jwt inspect"),
            "\(outcome)")
    }

    @Test(
        "In a set without kids, a token with a kid is refused, one without needs a single fit",
        .tags(.commandLine)
    )
    func withoutKeyID() throws {
        let folder = try CommandFolder()
        try folder.write("key.json", Keys.json("ES256"))
        let named = try folder.signet("jws sign --key key.json", input: "x").line
        let set = try set(folder, ["ES256", "ES384"], named: false)
        try folder.write("set.json", set)
        #expect(try folder.signet("jws verify --key set.json \(named)").failed(1, "noMatchingKey"))

        // A token without kid: HMAC keys that the command makes have none.
        let secret = try Keys.json("HS256")
        let other = try folder.signet("jwk generate --algorithm HS256").line
        let third = try folder.signet("jwk generate --algorithm HS512").line
        try folder.write("secret.json", secret)
        let anonymous = try folder.signet("jws sign --key secret.json", input: "x").line
        try folder.write("ring.json", "{\"keys\":[\(secret),\(third)]}")
        #expect(try folder.signet("jws verify --key ring.json \(anonymous)").isGood)
        try folder.write("ring.json", "{\"keys\":[\(secret),\(other)]}")
        #expect(
            try folder.signet("jws verify --key ring.json \(anonymous)").failed(1, "ambiguousKey"))
        try folder.write("ring.json", "{\"keys\":[\(third)]}")
        #expect(
            try folder.signet("jws verify --key ring.json \(anonymous)").failed(
                1, "algorithmNotAllowed"))
    }

    @Test("Secrets mixed with published keys are rejected for every token")
    func mixed() throws {
        let folder = try CommandFolder()
        try folder.makeKeys()
        let token = CommandFolder.inProcess(
            ["jws", "sign", "--key", folder.path("key.json")], input: [0x78]
        )
        .line
        try folder.write(
            "mixed.json", "{\"keys\":[\(try Keys.json("HS256")),\(try Keys.json("ES256"))]}")
        #expect(try folder.signet("jws verify --key mixed.json \(token)").failed(1, "mixedKeySet"))
    }

    @Test(
        "An unknown member is skipped with a warning; the rest verifies", .tags(.commandLine))
    func skipped() throws {
        let folder = try CommandFolder()
        try folder.makeKeys()
        let token = try folder.signet("jws sign --key key.json", input: "x").line
        let member = try folder.signet("jwk public --single --key key.json").line
        try folder.write(
            "set.json", "{\"keys\":[{\"kty\":\"PQ\",\"kid\":\"later\"},{},7,\(member)]}")
        let outcome = try folder.signet("jws verify --key set.json \(token)")
        #expect(outcome.status == 0 && outcome.text == "x")
        #expect(
            outcome.errors.contains("left out key 0 (kid: later)")
                && outcome.errors.contains("key 2"))
    }

    @Test("RSA keys without alg are for RS256, or for the algorithm named", .tags(.commandLine))
    func unmarkedRSA() throws {
        let folder = try CommandFolder()
        try folder.signet("jwk generate --algorithm PS256 --output key.json")
        try folder.signet("jwk convert --key key.json --to public-pem --output public.pem")
        let keyID = try #require(try JWK(folder.text("key.json")).keyID)
        let bare = try folder.signet("jwk convert --key public.pem --to jwk --key-id \(keyID)").line
        try folder.write("set.json", "{\"keys\":[\(bare)]}")
        let token = try folder.signet("jws sign --key key.json", input: "x").line
        #expect(
            try folder.signet("jws verify --key set.json \(token)").failed(1, "algorithmNotAllowed")
        )
        #expect(try folder.signet("jws verify --key set.json --algorithm PS256 \(token)").isGood)
        #expect(
            try folder.signet("jws verify --key set.json --algorithm nonsense \(token)").failed(
                2, "usage"))
    }
}
