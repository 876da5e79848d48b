// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Hummingbird

/// Three routes with one answer, for measuring what a token costs: without one, with a verified one, and with session and account looked up
/// besides. They are there when the configuration asks for them, and tell nobody anything.
struct BenchmarkRoutes {
    let authentication: SessionAuthentication

    private static let answer = AccountAnswer(
        Account(
            id: "bench", issuer: "bench", subject: "110000000000000000001",
            email: "bench@company.example",
            name: nil,
            picture: nil), nil)

    func add(to router: Router<AppRequestContext>) {
        router.get("bench/open") { _, _ -> Response in JSONAnswer.response(Self.answer) }
        router.get("bench/verified") { request, _ -> Response in
            _ = try authentication.session(of: request)
            return JSONAnswer.response(Self.answer)
        }
        router.group().add(middleware: authentication).get("bench/session") { _, _ -> Response in
            JSONAnswer.response(Self.answer)
        }
    }
}
