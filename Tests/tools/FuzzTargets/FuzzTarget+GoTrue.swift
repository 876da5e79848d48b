// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import SignetGoTrue
import SignetJOSE

extension FuzzTarget {
    /// A method and a target, and the body after a zero byte, for a service that knows nobody. Each
    /// answer is an answer of the interface; none begins a session, because nobody was sent a code.
    static let gotrue = FuzzTarget(
        "gotrue",
        seeds: [
            "POST /otp\0{\"email\":\"ann@company.example\",\"create_user\":true}",
            "POST /signup\0{\"phone\":\"14155551234\",\"password\":\"correct horse\",\"data\":{\"a\":[1]}}",
            "POST /token?grant_type=password\0{\"email\":\"a@x.example\",\"password\":\"x\"}",
            "POST /token?grant_type=refresh_token\0{\"refresh_token\":\"AAAA\"}",
            "POST /token?grant_type=id_token\0{\"provider\":\"google\",\"id_token\":\"e.e.e\"}",
            "POST /token?grant_type=pkce\0{\"auth_code\":\"AA\",\"code_verifier\":\"AA\"}",
            "POST /verify\0{\"type\":\"email\",\"email\":\"a@x.example\",\"token\":\"123456\"}",
            "POST /verify\0{\"type\":\"signup\",\"token_hash\":\"AAAA\"}",
            "POST /resend\0{\"type\":\"signup\",\"email\":\"a@x.example\"}",
            "POST /recover\0{\"email\":\"a@x.example\",\"code_challenge\":\"AA\",\"code_challenge_method\":\"s256\"}",
            "GET /authorize?provider=google&redirect_to=https%3A%2F%2Fapp.example\0",
            "GET /verify?type=email&token=1\0", "GET /settings\0", "GET /user\0", "GET /health\0",
            "POST /logout?scope=local\0", "GET /callback/google?code=1&state=x\0",
            "PUT /user\0{\"data\":{},\"gotrue_meta_security\":{\"captcha_token\":\"x\"}}",
        ]
    ) { input in
        let parts = input.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return false }
        let line = parts[0].split(separator: UInt8(ascii: " "), maxSplits: 1)
        let target = (line.count == 2 ? line[1] : []).split(
            separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
        let service = try await fixture.service()
        let response = await service.answer(
            GoTrueRequest(
                method: String(decoding: line.first ?? [], as: UTF8.self),
                path: String(decoding: target.first ?? [], as: UTF8.self),
                query: String(decoding: target.count == 2 ? target[1] : [], as: UTF8.self),
                fields: [
                    .init(name: "apikey", value: GoTrueFixture.key),
                    .init(name: "Content-Type", value: "application/json"),
                ], body: Array(parts[1]), client: ClientAddress("192.0.2.1")))
        try hold((200..<500).contains(response.status), "the service does not fail")
        guard !response.body.isEmpty else { return response.status < 400 }
        let body = try hold("a response is strict JSON") {
            try StrictJSON.decode(JSONValue.self, from: response.body)
        }
        try hold(
            body["access_token"] == nil && body["refresh_token"] == nil, "nobody is signed in")
        return response.status < 400
    }

    private static let fixture = GoTrueFixture()
}
