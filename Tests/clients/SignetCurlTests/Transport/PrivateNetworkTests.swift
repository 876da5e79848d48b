// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import CurlBridge
import Foundation
import SignetCurl
import SignetIdentity
import SignetJOSE
import TestSupport
import Testing

/// http beyond this machine, which must be named and reaches only private addresses.
@Suite("http on a private network", .needsPython, .timeLimit(.minutes(20)))
struct PrivateNetworkTests {
    private static func transport(_ addresses: [String]) -> CurlTransport {
        var settings = CurlSettings()
        settings.addresses = addresses
        return CurlTransport(CurlClient(settings))
    }

    /// The code of the failure; nil when there was an answer.
    private static func failure(
        _ url: EndpointURL, _ transport: some IdentityTransport
    ) async -> TransportFailure.Code? {
        do throws(TransportFailure) {
            _ = try await transport.exchange(
                TransportRequest(url: url, authorization: "Bearer secret", timeout: .seconds(60)))
            return nil
        } catch {
            return error.code
        }
    }

    @Test("An address must say that it may be unencrypted")
    func address() throws {
        for text in [
            "http://keycloak:8080/realms/a", "http://10.0.0.7", "http://[fd00::2]:80/a?b=c",
            "http://db.internal",
        ] {
            let url = try EndpointURL(unencryptedInPrivateNetwork: text)
            #expect(url.isInPrivateNetwork && url.text.utf8.elementsEqual(text.utf8))
            #expect(throws: IdentityConfigurationError(.invalidURL, "")) { try EndpointURL(text) }
            if url.query == nil { #expect(try url.appending(path: "x").isInPrivateNetwork) }
        }
        for text in [
            "https://a.example", "http://127.0.0.1:1/", "http://localhost", "http://[::1]",
        ] {
            let url = try EndpointURL(unencryptedInPrivateNetwork: text)
            let plain = try EndpointURL(text)
            #expect(!url.isInPrivateNetwork && url == plain)
        }
        for text in ["ftp://a", "http://", "http://a@b", "http://127.1", "http://a/..", "a"] {
            #expect(throws: IdentityConfigurationError(.invalidURL, "")) {
                try EndpointURL(unencryptedInPrivateNetwork: text)
            }
        }
    }

    @Test("Nothing is sent to a public address, whatever its name resolves to")
    func publicAddresses() async throws {
        // It listens on all addresses of this machine, and sees what is sent to any of them.
        let server = try await KeyServer(host: "0.0.0.0")
        try await server.set("/keys", Behaviour("{}"))
        let others = [
            "192.0.2.1", "198.51.100.7", "8.8.8.8", "169.254.169.254", "100.64.0.1", "172.32.0.1",
            "172.15.255.255", "192.167.1.1", "11.0.0.1", "9.255.255.255", "0.0.0.0", "224.0.0.1",
            "255.255.255.255", "[2001:db8::1]", "[fe80::1]", "[fe00::1]", "[fbff::1]", "[::]",
            "[::ffff:192.0.2.1]", "[::ffff:169.254.169.254]", "[64:ff9b::a00:1]", "[ff02::1]",
        ]
        let own = OwnAddresses.all.filter { !$0.isPrivate && !$0.isIPv6 }.map(\.text)
        for other in others + own {
            let url = try EndpointURL(
                unencryptedInPrivateNetwork: "http://keycloak:\(server.port)/keys")
            let transport = Self.transport(["keycloak:\(server.port):\(other)"])
            #expect(await Self.failure(url, transport) == .unreachable, "\(other)")
            // As an address in the URL itself.
            let direct = try EndpointURL(
                unencryptedInPrivateNetwork: "http://\(other):\(server.port)/keys")
            #expect(await Self.failure(direct, .curl) == .unreachable, "\(other)")
        }
        // With one good and one bad address, the good one is used.
        let both = Self.transport(["keycloak:\(server.port):192.0.2.1,127.0.0.1"])
        let url = try EndpointURL(
            unencryptedInPrivateNetwork: "http://keycloak:\(server.port)/keys")
        #expect(await Self.failure(url, both) == nil)
        #expect(try await server.facts("/keys").count == 1)
        print("private network: \(others.count) addresses refused, and \(own) of this machine")
    }

    @Test("An issuer on a private network works end to end")
    func issuer() async throws {
        let own = OwnAddresses.all.first { $0.isPrivate }?.text
        // If it has no private address, a name for this machine.
        let server = try await KeyServer(host: own ?? "127.0.0.1")
        let base = own == nil ? "http://keycloak:\(server.port)" : server.url("")
        let transport = Self.transport(own == nil ? ["keycloak:\(server.port):127.0.0.1"] : [])
        let key = try Issuer.key("one")
        try await server.set("/keys", Behaviour(try Issuer.document([key])))
        let metadata = [
            "issuer": base, "jwks_uri": "\(base)/keys", "token_endpoint": "\(base)/token",
            // Neither another machine nor what listens here.
            "authorization_endpoint": "http://10.0.0.1/authorize",
            "userinfo_endpoint": "http://127.0.0.1:1/user",
            "end_session_endpoint": "https://idp.example/end",
        ]
        try await server.set(
            Issuer.metadataPath,
            Behaviour(String(decoding: try JSONEncoder().encode(metadata), as: UTF8.self)))
        let url = try EndpointURL(unencryptedInPrivateNetwork: base)
        let read = try await ProviderMetadata.fetch(
            issuer: url, over: transport, options: .still)
        #expect(read.jwksURI.isInPrivateNetwork && read.tokenEndpoint?.isInPrivateNetwork == true)
        #expect(read.authorizationEndpoint == nil && read.userInfoEndpoint == nil)
        #expect(read.endSessionEndpoint != nil)

        var options = KeySetOptions.still
        options.algorithms = [.es256]
        options.timeout = .seconds(60)
        let keys = try RemoteKeySet(
            issuer: base, location: .discoveryAt(url), transport: transport, options: options)
        _ = try await keys.refresh()
        struct Claims: Encodable {
            let iss: String
            let aud: String
            let sub: String
        }
        let verifier = try IDTokenVerifier(
            .openID(issuer: url, clientIDs: ["app"], algorithms: [.es256]),
            keys: .fetched(over: transport), options: .still)
        let signer = TokenSigner(key: key, clock: .still)
        let token = try signer.sign(
            Claims(iss: base, aud: "app", sub: "user"), lifetime: .seconds(3_600))
        #expect(try await verifier.verify(token).subject == "user")
        // Issuers are compared as usual.
        let other = try signer.sign(
            Claims(iss: base + "/", aud: "app", sub: "user"), lifetime: .seconds(3_600))
        await #expect(throws: IdentityError.self) { try await verifier.verify(other) }
        #expect(throws: IdentityConfigurationError(.contradiction, "")) {
            try RemoteKeySet(
                issuer: base + "/", location: .discoveryAt(url), transport: transport,
                options: .still)
        }
        #expect(throws: IdentityConfigurationError(.invalidURL, "")) {
            try RemoteKeySet(issuer: base, transport: transport, options: .still)
        }
        print("private network: the whole way over \(base)")
    }

    @Test("Keys elsewhere are not fetched, and no redirect leads away")
    func elsewhere() async throws {
        let (server, other) = (try await KeyServer(), try await KeyServer())
        let base = "http://keycloak:\(server.port)"
        let transport = Self.transport([
            "keycloak:\(server.port):127.0.0.1", "keycloak:\(other.port):127.0.0.1",
        ])
        let url = try EndpointURL(unencryptedInPrivateNetwork: base)
        for keys in [
            "http://keycloak:\(other.port)/keys", "http://127.0.0.1:\(other.port)/keys",
            "http://localhost:\(other.port)/keys", "http://10.0.0.1/keys",
        ] {
            try await server.set(
                Issuer.metadataPath, Behaviour("{\"issuer\":\"\(base)\",\"jwks_uri\":\"\(keys)\"}"))
            await #expect(throws: KeySourceError(.invalidDocument, ""), "\(keys)") {
                try await ProviderMetadata.fetch(issuer: url, over: transport, options: .still)
            }
            try await server.set(
                Issuer.metadataPath,
                Behaviour {
                    $0.status = 302
                    $0.fields = [["Location", keys]]
                })
            await #expect(throws: KeySourceError(.redirect, ""), "\(keys)") {
                try await ProviderMetadata.fetch(issuer: url, over: transport, options: .still)
            }
        }
        #expect(try await other.facts("/keys").count == 0)
    }
}

/// The addresses of this machine beyond loopback, as Linux lists them.
private struct OwnAddresses {
    let text: String
    let isPrivate: Bool
    let isIPv6: Bool

    static var all: [OwnAddresses] { fourth + sixth }

    private static var fourth: [OwnAddresses] {
        let trie = (try? String(contentsOfFile: "/proc/net/fib_trie", encoding: .utf8)) ?? ""
        let lines = trie.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        let local = zip(lines, lines.dropFirst()).filter { $0.1 == "/32 host LOCAL" }
        return Set(local.compactMap { $0.0.split(separator: " ").last.map(String.init) }).sorted()
            .compactMap { text in
                let parts = text.split(separator: ".").compactMap { Int($0) }
                guard parts.count == 4, parts[0] != 127 else { return nil }
                let isPrivate =
                    parts[0] == 10 || (parts[0] == 172 && (16...31).contains(parts[1]))
                    || (parts[0] == 192 && parts[1] == 168)
                return OwnAddresses(text: text, isPrivate: isPrivate, isIPv6: false)
            }
    }

    private static var sixth: [OwnAddresses] {
        let table = (try? String(contentsOfFile: "/proc/net/if_inet6", encoding: .utf8)) ?? ""
        return table.split(separator: "\n").compactMap { line in
            let columns = line.split(separator: " ")
            guard columns.count >= 4, columns[3] == "00", let digits = columns.first,
                digits.count == 32
            else { return nil }
            let octets = Array(digits)
            let groups = stride(from: 0, to: 32, by: 4).map { String(octets[$0..<($0 + 4)]) }
            let isPrivate = digits.hasPrefix("fc") || digits.hasPrefix("fd")
            return OwnAddresses(
                text: groups.joined(separator: ":"), isPrivate: isPrivate, isIPv6: true)
        }
    }
}
