// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetCrypto
import SignetJOSE

/// A token with a good signature, and what each library says about it.
struct Difference {
    let name: String
    let token: String
    var secret: String
    /// Whether jwt-kit's payload type checks nothing.
    var isUnchecked = false
    /// What jwt-kit says. Nil is not tried: with a short secret, a debug build of jwt-kit crashes,
    /// and a release build accepts it.
    var there: String? = "accepted"
    let here: String
}

struct Mismatch: Error {
    let name: String
}

func expect(_ holds: Bool, _ name: String) throws {
    guard holds else { throw Mismatch(name: name) }
}

/// The parts of a token, as text.
struct Claims {
    var header = #"{"alg":"HS256","typ":"JWT","kid":"2026-11"}"#
    var payload =
        #"{"iss":"https://idp.example","aud":"api","sub":"user-1093","admin":true,"exp":4102444800}"#

    /// The token of these texts, signed as they are.
    func token(_ secret: String, padding: String = "") throws -> String {
        let input = "\(Base64URL.encode(header.utf8))\(padding).\(Base64URL.encode(payload.utf8))"
        let code = try MACKey(SecretKey(copying: secret.utf8), hash: .sha256)
            .authenticationCode(for: input.utf8)
        return "\(input).\(Base64URL.encode(code))"
    }
}

func differences(secret: String) throws -> [Difference] {
    let good = Claims()
    var found: [Difference] = []
    func add(
        _ name: String, _ token: String, here: String, there: String? = "accepted",
        unchecked: Bool = false, secret other: String? = nil
    ) {
        found.append(
            Difference(
                name: name, token: token, secret: other ?? secret, isUnchecked: unchecked,
                there: there, here: here))
    }
    func with(header: String? = nil, payload: String? = nil) throws -> String {
        var claims = good
        if let header { claims.header = header }
        if let payload { claims.payload = payload }
        return try claims.token(secret)
    }

    add("a good token", try good.token(secret), here: "accepted")
    add(
        "a short secret", try good.token("secret"), here: "keyTooShort", there: nil,
        secret: "secret")
    add(
        "an expired token, where the payload does not look",
        try with(
            payload:
                #"{"iss":"https://idp.example","aud":"api","sub":"a","admin":true,"exp":1000000000}"#
        ),
        here: "expired", unchecked: true)
    add(
        "no expiration, where the payload does not look",
        try with(payload: #"{"iss":"https://idp.example","aud":"api","sub":"a","admin":true}"#),
        here: "claimMissing", unchecked: true)
    add(
        "another audience, where the payload does not look",
        try with(
            payload:
                #"{"iss":"https://idp.example","aud":"x","sub":"a","admin":true,"exp":4102444800}"#),
        here: "audienceMismatch", unchecked: true)
    add(
        "a member that is there twice",
        try with(
            payload:
                #"{"iss":"https://idp.example","aud":"api","sub":"a","sub":"root","admin":true,"exp":4102444800}"#
        ), here: "malformed")
    add(
        "an algorithm in the header that is not the key's",
        try with(header: #"{"alg":"HS512","typ":"JWT","kid":"2026-11"}"#),
        here: "algorithmNotAllowed")
    add(
        "a key identifier that is not known",
        try with(header: #"{"alg":"HS256","typ":"JWT","kid":"another"}"#), here: "noMatchingKey")
    add(
        "a critical extension",
        try with(header: #"{"alg":"HS256","typ":"JWT","kid":"2026-11","crit":["exp2"],"exp2":1}"#),
        here: "criticalUnsupported")
    add(
        "another type", try with(header: #"{"alg":"HS256","typ":"logout+jwt","kid":"2026-11"}"#),
        here: "typeMismatch")
    add("base64url with padding", try good.token(secret, padding: "="), here: "malformed")
    // The other way round: Signet accepts it, and jwt-kit refuses it.
    let justNow = Int(Date().timeIntervalSince1970) - 10
    add(
        "ended ten seconds ago",
        try with(
            payload:
                #"{"iss":"https://idp.example","aud":"api","sub":"a","admin":true,"exp":\#(justNow)}"#
        ),
        here: "accepted", there: "refused")
    return found
}
