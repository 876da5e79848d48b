// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

/// The operation of a request. Methods and paths are compared octet for octet: nothing is decoded,
/// and extra slashes do not match.
enum GoTrueRoute {
    case authorize, code, deleteUser, enrollFactor, health, keys, logout, reauthenticate, recover,
        resend
    case settings, signUp, token, updateUser, user, verify
    /// A provider's response, by the provider's name.
    case callback(ReceivedText)
    /// A second factor, by its identifier.
    case challengeFactor(ReceivedText)
    case unenrollFactor(ReceivedText)
    case verifyFactor(ReceivedText)
    /// A way to sign in, by its identifier.
    case unlink(ReceivedText)

    private static let fixedRoutes: [(method: String, path: String, route: GoTrueRoute)] = [
        ("GET", "/.well-known/jwks.json", .keys), ("GET", "/authorize", .authorize),
        ("POST", "/factors", .enrollFactor), ("GET", "/health", .health),
        ("POST", "/logout", .logout), ("POST", "/otp", .code),
        ("GET", "/reauthenticate", .reauthenticate), ("POST", "/reauthenticate", .reauthenticate),
        ("POST", "/recover", .recover), ("POST", "/resend", .resend),
        ("GET", "/settings", .settings), ("POST", "/signup", .signUp), ("POST", "/token", .token),
        ("GET", "/user", .user), ("PUT", "/user", .updateUser), ("DELETE", "/user", .deleteUser),
        ("POST", "/verify", .verify),
    ]
    private static let callbackPath = "/callback/"
    /// Routes with an identifier between two texts.
    private static let namedRoutes:
        [(
            method: String, prefix: String, suffix: String,
            route: @Sendable (ReceivedText) -> GoTrueRoute
        )] = [
            ("POST", "/factors/", "/challenge", { .challengeFactor($0) }),
            ("POST", "/factors/", "/verify", { .verifyFactor($0) }),
            ("DELETE", "/factors/", "", { .unenrollFactor($0) }),
            ("DELETE", "/user/identities/", "", { .unlink($0) }),
        ]

    init(_ request: GoTrueRequest) throws(GoTrueRefusal) {
        guard request.path.utf8.count <= GoTrueRequest.maximumTargetByteCount else {
            throw Self.notFound
        }
        let method = request.method.utf8
        if request.path.utf8.starts(with: Self.callbackPath.utf8) {
            guard method.elementsEqual("GET".utf8) || method.elementsEqual("POST".utf8) else {
                throw Self.wrongMethod
            }
            let name = Array(request.path.utf8.dropFirst(Self.callbackPath.utf8.count))
            self = .callback(ReceivedText(utf8: name[...]))
            return
        }
        if let route = try Self.named(request) {
            self = route
            return
        }
        let routesOfPath = Self.fixedRoutes.filter { $0.path.utf8.elementsEqual(request.path.utf8) }
        guard !routesOfPath.isEmpty else { throw Self.notFound }
        let found = routesOfPath.first { method.elementsEqual($0.method.utf8) }
        guard let found else { throw Self.wrongMethod }
        self = found.route
    }

    /// The route of a path with an identifier; nil for other paths.
    private static func named(_ request: GoTrueRequest) throws(GoTrueRefusal) -> GoTrueRoute? {
        let path = Array(request.path.utf8)
        let found = namedRoutes.compactMap { candidate -> (method: String, route: GoTrueRoute)? in
            let prefix = candidate.prefix.utf8
            let suffix = candidate.suffix.utf8
            guard path.count > prefix.count + suffix.count, path.starts(with: prefix),
                path.suffix(suffix.count).elementsEqual(suffix)
            else { return nil }
            let name = path.dropFirst(prefix.count).dropLast(suffix.count)
            guard !name.contains(UInt8(ascii: "/")) else { return nil }
            return (candidate.method, candidate.route(ReceivedText(utf8: name)))
        }
        // A path of GoTrue's that is not served, and no identifier.
        guard !found.isEmpty, !path.elementsEqual("/user/identities/authorize".utf8) else {
            return nil
        }
        let ofMethod = found.first { request.method.utf8.elementsEqual($0.method.utf8) }
        guard let ofMethod else { throw wrongMethod }
        return ofMethod.route
    }

    /// Whether the request needs an `apikey`. Browsers and providers send none.
    var needsKey: Bool {
        switch self {
        case .authorize, .callback, .health, .keys: false
        default: true
        }
    }

    private static var notFound: GoTrueRefusal {
        GoTrueRefusal(404, code: "unknown", message: "404: not found")
    }

    private static var wrongMethod: GoTrueRefusal {
        GoTrueRefusal(405, code: "unknown", message: "405: method not allowed")
    }
}
