// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

/// The operation of a request. Methods and paths are compared octet for octet: nothing is decoded,
/// and extra slashes do not match.
enum GoTrueRoute {
    case authorize, code, deleteUser, health, keys, logout, reauthenticate, recover, resend
    case settings, signUp, token, updateUser, user, verify
    /// A provider's response, by the provider's name.
    case callback(ReceivedText)

    private static let fixedRoutes: [(method: String, path: String, route: GoTrueRoute)] = [
        ("GET", "/.well-known/jwks.json", .keys), ("GET", "/authorize", .authorize),
        ("GET", "/health", .health), ("POST", "/logout", .logout), ("POST", "/otp", .code),
        ("GET", "/reauthenticate", .reauthenticate), ("POST", "/reauthenticate", .reauthenticate),
        ("POST", "/recover", .recover), ("POST", "/resend", .resend),
        ("GET", "/settings", .settings), ("POST", "/signup", .signUp), ("POST", "/token", .token),
        ("GET", "/user", .user), ("PUT", "/user", .updateUser), ("DELETE", "/user", .deleteUser),
        ("POST", "/verify", .verify),
    ]
    private static let callbackPath = "/callback/"

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
        let routesOfPath = Self.fixedRoutes.filter { $0.path.utf8.elementsEqual(request.path.utf8) }
        guard !routesOfPath.isEmpty else { throw Self.notFound }
        let found = routesOfPath.first { method.elementsEqual($0.method.utf8) }
        guard let found else { throw Self.wrongMethod }
        self = found.route
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
