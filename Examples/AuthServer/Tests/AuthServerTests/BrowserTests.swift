// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import DevIssuer
import Foundation
import SignetJOSE
import Testing

/// Sign-in in a browser: by hand, and with Chromium on the page for development.
@Suite("Sign-in in a browser")
struct BrowserTests {
    @Test("A browser signs in and out with a cookie, which other sites cannot use")
    func aBrowserSignsInAndOut() async throws {
        try await World.with(World.Options(hasBrowsers: true)) { world in
            let issuer = WebClient(
                port: try #require(Int(world.issuer.issuer.split(separator: ":").last ?? "")))
            let begun = try await world.client.get("/signin/openid")
            #expect(begun.status == 303 && begun.header("cache-control") == "no-store")
            let ticket = try #require(
                begun.header("set-cookie")?.split(separator: ";").first.map(String.init))
            let location = try #require(begun.header("location"))
            let authorize = String(location.dropFirst(world.issuer.issuer.utf8.count))
            let answer = try await issuer.get(authorize)
            let callback = try #require(answer.header("location"))
            let path = String(
                callback.dropFirst("http://127.0.0.1:\(world.client.port)".utf8.count))
            // Another browser, without the cookie.
            let stolen = try await world.client.get(path)
            #expect(stolen.status == 303 && stolen.header("set-cookie") == nil)
            #expect(try await world.users() == 0)
            let done = try await world.client.get(
                path, headers: [("Cookie", ticket), ("User-Agent", "Browser/1")])
            #expect(done.status == 303 && done.header("location") == "/")
            let cookies = done.headers.filter { $0.lowercased().hasPrefix("set-cookie:") }
            let session = try #require(
                cookies.first { $0.contains("__Host-session=") }?
                    .split(separator: " ").dropFirst().first?.dropLast())
            for attribute in ["Secure", "HttpOnly", "SameSite=Lax", "Path=/"] {
                #expect(cookies.allSatisfy { $0.contains(attribute) })
            }
            let cookie = ("Cookie", String(session))
            #expect(try await world.client.get("/v1/auth/me", headers: [cookie]).status == 200)
            let sessions = try await world.client.get("/v1/auth/sessions", headers: [cookie])
            #expect(sessions.body.contains(#""device":"Browser/1""#))
            // A cookie and a different token: it is unclear which one is meant.
            let other = try await world.signIn(Person(sub: "2")).sessionToken
            let both = try await world.client.get("/v1/auth/me", token: other, headers: [cookie])
            #expect(both.status == 400)
            // Pages of other sites change nothing.
            for origin in [[], [("Origin", "https://evil.example")], [("Origin", "null")]] {
                let answer = try await world.client.send(
                    "POST", "/v1/auth/sign-out", headers: [cookie] + origin)
                #expect(answer.status == 403)
            }
            let own = ("Origin", "http://127.0.0.1:\(world.client.port)")
            let out = try await world.client.send(
                "POST", "/v1/auth/sign-out", headers: [cookie, own])
            #expect(out.status == 204)
            #expect(try await world.client.get("/v1/auth/me", headers: [cookie]).status == 401)
        }
    }

    private static let chromium = ["/usr/bin/chromium", "/usr/bin/chromium-browser"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    @Test(
        "Chromium signs in on the page for development",
        .enabled(
            if: chromium != nil
                || ProcessInfo.processInfo.environment["SIGNET_REQUIRE_INTEROP"] != nil,
            "Chromium is not installed (package chromium)"))
    func chromiumSignsIn() async throws {
        let program = try #require(Self.chromium)
        try await World.with(World.Options(hasBrowsers: true)) { world in
            let page = try await Self.page(
                program, "http://127.0.0.1:\(world.client.port)/signin/openid", world.folder)
            // The issuer's person: through the issuer, the callback, the cookie and the page's
            // script.
            #expect(page.contains(#""email": "ada@company.example""#), "\(page)")
            #expect(try await world.users() == 1)
        }
    }

    /// What a page has become once its scripts have run.
    private static func page(
        _ program: String, _ url: String, _ folder: TemporaryFolder
    ) async throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = [
            "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
            "--user-data-dir=" + folder.path("chromium"), "--virtual-time-budget=20000",
            "--dump-dom", url,
        ]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let watchdog = Task {
            try await Task.sleep(for: .seconds(600))
            process.terminate()
        }
        // Not on a thread of the pool, which the server needs.
        let text = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let all = output.fileHandleForReading.readDataToEndOfFile()
                process.waitUntilExit()
                continuation.resume(returning: String(decoding: all, as: UTF8.self))
            }
        }
        watchdog.cancel()
        return text
    }
}
