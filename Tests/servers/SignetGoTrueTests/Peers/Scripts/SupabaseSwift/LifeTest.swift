// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Auth
import Crypto
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Something that the client did otherwise.
struct Unexpected: Error {
    let line: Int
    var seen = ""
}

func expect(_ holds: Bool, line: Int = #line) throws {
    guard holds else { throw Unexpected(line: line) }
}

func refused<Value>(
    _ code: ErrorCode, line: Int = #line, call: () async throws -> Value
) async throws {
    do {
        _ = try await call()
    } catch let error as AuthError where error.errorCode == code {
        return
    } catch {
        throw Unexpected(line: line, seen: "\(error)")
    }
    throw Unexpected(line: line, seen: "no error")
}

/// The test, which does what a person or a browser does.
struct LifeTest: Sendable {
    let url: URL
    let key: String

    static func named() throws -> Self {
        let given = try read()
        guard let url = given["url"].flatMap(URL.init(string:)), let key = given["key"] else {
            throw Unexpected(line: #line)
        }
        return Self(url: url, key: key)
    }

    private static func read() throws -> [String: String] {
        try JSONDecoder().decode([String: String].self, from: Data((readLine() ?? "").utf8))
    }

    static func write(_ name: String, value: some Encodable) throws {
        let line = try JSONEncoder().encode([name: value]) + Data("\n".utf8)
        try FileHandle.standardOutput.write(contentsOf: line)
    }

    @discardableResult
    func ask(_ name: String, value: some Encodable) throws -> String {
        try Self.write(name, value: value)
        return try Self.read()["answer"] ?? ""
    }

    func code(to destination: String) throws -> String { try ask("code", value: destination) }

    func client(
        _ flow: AuthFlowType = .implicit, storage: Storage = Storage(), network: Network = Network()
    ) -> AuthClient {
        AuthClient(
            url: url, headers: ["apikey": key, "Authorization": "Bearer " + key], flowType: flow,
            localStorage: storage, fetch: { try await network.fetch($0) }, autoRefreshToken: false)
    }

    func signedIn(_ email: String, storage: Storage = Storage(), network: Network = Network())
        async throws -> AuthClient
    {
        let made = client(storage: storage, network: network)
        try await made.signIn(email: email, password: password)
        return made
    }

    func levels(of client: AuthClient) async throws -> [String?] {
        let found = try await client.mfa.getAuthenticatorAssuranceLevel()
        return [found.currentLevel, found.nextLevel]
    }

    /// A provider's user, whose ID token says name and picture.
    func providerClient(network: Network = Network()) async throws -> AuthClient {
        let (made, nonce) = (client(network: network), "n-0S6_WzA2Mj-n-0S6_WzA2Mk")
        let hash = SHA256.hash(data: Data(nonce.utf8))
        let token = try ask("token", value: hash.map { String(format: "%02x", $0) }.joined())
        try await made.signInWithIdToken(
            credentials: .init(provider: "keycloak", idToken: token, nonce: nonce))
        return made
    }
}

final class Storage: AuthLocalStorage {
    private let items = Mutex([String: Data]())

    func store(key: String, value: Data) { items.withLock { $0[key] = value } }
    func retrieve(key: String) -> Data? { items.withLock { $0[key] } }
    func remove(key: String) { items.withLock { $0[key] = nil } }
}

/// Loses the first of every two answers to requests whose address has some text in it, as networks
/// do. The client then tries again.
final class Network: Sendable {
    private let text: String
    private let count = Mutex(0)

    init(losing text: String = "nothing") { self.text = text }

    func fetch(_ request: URLRequest) async throws -> (Data, URLResponse) {
        let answer = try await URLSession.shared.data(for: request)
        guard request.url?.absoluteString.contains(text) == true else { return answer }
        let number = count.withLock { count in
            count += 1
            return count
        }
        guard number % 2 == 0 else { throw URLError(.networkConnectionLost) }
        return answer
    }
}

/// What an app for second factors shows. It has the system's time, as the server has.
func appCode(_ secret: String, steps: Int = 0) -> String {
    var (bits, left, key) = (0, 0, Data())
    for letter in secret {
        let index = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567").firstIndex(of: letter) ?? 0
        (bits, left) = (bits << 5 & 0xfff | index, left + 5)
        if left >= 8 {
            left -= 8
            key.append(UInt8(bits >> left & 0xff))
        }
    }
    let step = UInt64(Int(Date().timeIntervalSince1970) / 30 + steps)
    let message = Data((0..<8).reversed().map { UInt8(step >> (8 * UInt64($0)) & 0xff) })
    let digest = Array(
        HMAC<Insecure.SHA1>.authenticationCode(for: message, using: SymmetricKey(data: key)))
    let place = Int(digest[19] & 15)
    let number = digest[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } & 0x7fff_ffff
    return String(format: "%06d", number % 1_000_000)
}
