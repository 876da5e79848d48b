// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import SignetURLSession
import Testing

@Suite("Proxies that the environment names")
struct ProxyEnvironmentTests {
    private static let cases: [([String: String], url: String, isRefused: Bool)] = [
        ([:], "http://127.0.0.1:8080/", false),
        (["http_proxy": "http://proxy.example:3128"], "http://127.0.0.1:8080/", true),
        (["http_proxy": "http://proxy.example:3128"], "https://idp.example/", false),
        (["https_proxy": "http://proxy.example:3128"], "http://127.0.0.1/", false),
        (["http_proxy": ""], "http://localhost/", false),
        // libcurl does not read it: old web servers set it from a field of the request.
        (["HTTP_PROXY": "http://proxy.example:3128"], "http://localhost/", false),
        (["ALL_PROXY": "socks5://proxy.example"], "http://[::1]:1/", true),
        (["all_proxy": "x", "no_proxy": "localhost, ::1"], "http://[::1]:1/", false),
        (["all_proxy": "x", "NO_PROXY": "127.0.0.1"], "http://127.0.0.1/", false),
        (["all_proxy": "x", "no_proxy": "*"], "http://127.0.0.1/", false),
        (["all_proxy": "x", "no_proxy": "other.example,*"], "http://127.0.0.1/", true),
        (["all_proxy": "x", "no_proxy": "127.0.0.10"], "http://127.0.0.1/", true),
        (["all_proxy": "x", "no_proxy": "other.example"], "http://localhost/", true),
        // What libcurl does not exempt, although it looks so: it sent these to the proxy, a client secret in them.
        (["all_proxy": "x", "no_proxy": "[::1]"], "http://[::1]/", true),
        (["all_proxy": "x", "no_proxy": "other.example,*"], "http://127.0.0.1/", true),
        (["all_proxy": "x", "no_proxy": "*,"], "http://localhost/", true),
    ]

    @Test("http stays on this machine or is not sent", arguments: cases)
    func http(_ environment: [String: String], url: String, isRefused: Bool) throws {
        let proxies = ProxyEnvironment { environment[$0] }
        let url = try EndpointURL(url)
        guard isRefused else { return try proxies.checkStaysHere(url) }
        #expect(throws: TransportFailure(.unreachable, "")) { try proxies.checkStaysHere(url) }
    }
}
