// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetIdentity
import SignetJOSE
import SignetPlatform
import SignetSignIn
import TestSupport
import Testing

/// What a browser does for a test of ``LoopbackSignIn``.
enum LoopbackBrowser {
    static func signIn(
        _ provider: StubProvider, port: UInt16 = 0, clock: TimeSource = .still
    ) throws -> LoopbackSignIn {
        var options = TokenVerificationOptions()
        options.clock = clock
        return try LoopbackSignIn(
            .openID(
                issuer: StubProvider.issuer, clientIDs: [StubProvider.client],
                algorithms: [.es256]),
            port: port, transport: provider, options: options)
    }

    /// The port and the path of a one-time address.
    static func place(_ address: String) throws -> (port: Int, path: String) {
        let mark = "http://127.0.0.1:"
        #expect(address.hasPrefix(mark))
        let rest = address.dropFirst(mark.utf8.count)
        let digits = rest.prefix { $0.isNumber }
        return (try #require(Int(digits)), String(rest.dropFirst(digits.count)))
    }

    /// Opens a one-time address: where it leads to.
    static func open(_ address: String) throws -> String {
        let (port, path) = try place(address)
        return try location(try #require(LocalClient.get(port, path)))
    }

    /// Where an answer leads to.
    static func location(_ answer: String) throws -> String {
        #expect(answer.hasPrefix("HTTP/1.1 302 Found\r\n"), "\(answer)")
        let mark = "\r\nLocation: "
        let rest = try #require(answer.range(of: mark).map { answer[$0.upperBound...] })
        return try #require(rest.components(separatedBy: "\r\n").first)
    }

    /// Runs what a browser does on a thread of its own, and waits for both.
    ///
    /// - Parameter prepare: before the browser is sent to the address.
    static func run(
        _ signIn: LoopbackSignIn,
        preparing prepare: @escaping @Sendable (String) async throws -> Void = { _ in },
        _ browse: @escaping @Sendable (String) throws -> Void
    ) async throws -> SignIn.Finished {
        let isOver = Locked(false)
        let result: Result<SignIn.Finished, SignInError>
        do throws(SignInError) {
            result = .success(
                try await signIn.run { address in
                    await recording { try await prepare(address) }
                    let thread = SystemThread.start {
                        defer { isOver.withLock { $0 = true } }
                        do { try browse(address) } catch { Issue.record(error) }
                    }
                    #expect(thread)
                })
        } catch {
            result = .failure(error)
        }
        while !isOver.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(1)) }
        return try result.get()
    }

    private static func recording(_ body: () async throws -> Void) async {
        do { try await body() } catch { Issue.record(error) }
    }
}
