// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import DevIssuer
import Foundation
import SignetAccounts
import Testing

/// What a person recognises their sessions by.
@Suite("The device names of sessions")
struct DeviceTests {
    private struct List: Decodable {
        struct Session: Decodable { let device: String? }
        let sessions: [Session]
    }

    private func devices(_ world: World, _ token: String) async throws -> [String?] {
        try await world.client.get("/v1/auth/sessions", token: token).json(List.self)
            .sessions.map(\.device)
    }

    @Test("Every sign-in keeps the device's name, and a refresh does not change it")
    func everySignInKeepsTheDevicesName() async throws {
        try await World.with { world in
            let idToken = try world.issuer.idToken(MintRequest(person: .ada))
            let agent = [("User-Agent", "App/1.0 (Pixel 9)")]
            let first = try await world.client.post(
                "/v1/auth/id-token", json: #"{"idToken":"\#(idToken)"}"#, headers: agent
            ).json(Tokens.self)
            #expect(try await devices(world, first.access) == ["App/1.0 (Pixel 9)"])
            let mobile = try await world.presents(idToken, headers: [("User-Agent", "Old/0.9")])
                .json(SignedIn.self)
            #expect(
                try await Set(devices(world, mobile.sessionToken)) == [
                    "App/1.0 (Pixel 9)", "Old/0.9",
                ])
            let guest = try await world.client.post("/v1/auth/guest", json: "{}", headers: agent)
                .json(Tokens.self)
            #expect(try await devices(world, guest.access) == ["App/1.0 (Pixel 9)"])
            let challenge = try await world.challenge(CodeTests.phone)
            let code = try await world.lastCode(to: "+14155551234")
            let coded = try await world.client.post(
                "/v1/auth/codes/verify",
                json: #"{\#(CodeTests.phone),"challenge":"\#(challenge)","code":"\#(code)"}"#,
                headers: agent
            ).json(Tokens.self)
            #expect(try await devices(world, coded.access) == ["App/1.0 (Pixel 9)"])
            // It stays when something else refreshes the session.
            let next = try await world.client.post(
                "/v1/auth/refresh", json: #"{"refresh_token":"\#(coded.refresh)"}"#,
                headers: [("User-Agent", "curl/8")]
            ).json(Tokens.self)
            #expect(try await devices(world, next.access) == ["App/1.0 (Pixel 9)"])
            #expect(!world.log.lines.contains { $0.contains("Pixel") })
        }
    }

    @Test("A device's name has at most 100 characters, all of them printable")
    func aDevicesNameIsShortAndPrintable() async throws {
        try await World.with { world in
            let idToken = try world.issuer.idToken(MintRequest(person: .ada))
            for (agent, device) in [
                (String(repeating: "a", count: 5_000), String(repeating: "a", count: 100)),
                ("a\u{202e}b\u{200f}", "ab"), ("<script>", "<script>"), (nil, nil), ("", nil),
                ("Ü\u{1F511}", "Ü\u{1F511}"),
            ] as [(String?, String?)] {
                let answer = try await world.client.post(
                    "/v1/auth/id-token", json: #"{"idToken":"\#(idToken)"}"#,
                    headers: agent.map { [("User-Agent", $0)] } ?? [])
                let tokens = try answer.json(Tokens.self)
                #expect(try await devices(world, tokens.access) == [device])
                #expect(
                    try await world.client.post(
                        "/v1/auth/sign-out", json: "{}", token: tokens.access
                    ).status == 204)
            }
        }
    }
}
