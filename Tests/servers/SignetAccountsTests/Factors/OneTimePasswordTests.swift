// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import SignetCrypto
import TestSupport
import Testing

@Suite("One-time passwords by counter and by time", .serialized)
struct OneTimePasswordTests {
    static let seed = Array("1234567890".utf8)

    /// The published seeds are as long as the hash (RFC 6238, appendix A, erratum 2866).
    static func key(_ count: Int) -> SecretKey {
        SecretKey(copying: (0..<count).map { seed[$0 % 10] })
    }

    @Test("The values of RFC 4226, appendix D")
    func rfc4226() throws {
        let hotp = try HOTP(key: Self.key(20))
        let codes = [
            "755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583",
            "399871", "520489",
        ]
        #expect(try codes.indices.map { try hotp.code(at: UInt64($0)) } == codes)
    }

    @Test(
        "The values of RFC 6238, appendix B",
        arguments: [
            (59, "94287082", "46119246", "90693936"),
            (1_111_111_109, "07081804", "68084774", "25091201"),
            (1_111_111_111, "14050471", "67062674", "99943326"),
            (1_234_567_890, "89005924", "91819424", "93441116"),
            (2_000_000_000, "69279037", "90698825", "38618901"),
            (20_000_000_000, "65353130", "77737706", "47863826"),
        ] as [(Double, String, String, String)])
    func rfc6238(seconds: Double, sha1: String, sha256: String, sha512: String) throws {
        let time = NumericDate(secondsSince1970: seconds)
        for (hash, count, code) in [
            (HOTP.Hash.sha1, 20, sha1), (.sha256, 32, sha256), (.sha512, 64, sha512),
        ] {
            let totp = try TOTP(key: Self.key(count), hash: hash, digitCount: 8)
            #expect(try totp.code(at: time) == code)
        }
    }

    @Test(
        "oathtool computes the same codes for each hash, length and step",
        .needsProgram("oathtool"), .tags(.interop))
    func oathtool() async throws {
        let oathtool = try PeerProgram.find("oathtool")
        var generator = SeededGenerator(seed: 4226)
        for hash in HOTP.Hash.allCases {
            for (digits, period) in [(6, 30), (7, 60), (8, 45)] {
                let key = generator.bytes(Int(generator.next() % 113) + 16)
                let seconds = generator.next() % 4_000_000_000
                let totp = try TOTP(
                    key: SecretKey(copying: key), hash: hash, digitCount: digits, period: period)
                let theirs = try await oathtool.lines([
                    "--totp=\(hash.rawValue.lowercased())", "--digits=\(digits)",
                    "--time-step-size=\(period)", "--now=@\(seconds)", "--window=9", hex(key),
                ])
                let ours = try (0..<10).map { step in
                    try totp.code(
                        at: NumericDate(secondsSince1970: Double(seconds) + Double(step * period)))
                }
                #expect(ours == theirs, "\(hash) \(digits) \(period)")
            }
        }
        let counters = try await oathtool.lines([
            "--hotp", "--counter=4294967290", "-w", "9",
            hex(Self.seed + Self.seed),
        ])
        let hotp = try HOTP(key: Self.key(20))
        #expect(try (0..<10).map { try hotp.code(at: 4_294_967_290 + $0) } == counters)
    }

    @Test(
        "PyPI's cryptography accepts our codes, and rejects the next", .needsCryptography,
        .tags(.interop))
    func cryptography() async throws {
        let python = try PeerProgram.cryptography()
        let script = """
            import sys
            from cryptography.hazmat.primitives.hashes import SHA1, SHA256, SHA512
            from cryptography.hazmat.primitives.twofactor.totp import TOTP
            key, seconds, code, name = sys.argv[1:]
            hash = {"SHA1": SHA1, "SHA256": SHA256, "SHA512": SHA512}[name]()
            totp = TOTP(bytes.fromhex(key), len(code), hash, 30)
            totp.verify(code.encode(), int(seconds))
            try:
                totp.verify(code.encode(), int(seconds) + 30)
            except Exception:
                print("refused")
            """
        for hash in HOTP.Hash.allCases {
            let totp = try TOTP(hash: hash, digitCount: 8)
            let key = totp.hotp.key.withExposedBytes { key in key.indices.map { key[$0] } }
            let code = try totp.code(at: NumericDate(secondsSince1970: 1_780_000_000))
            let lines = try await python.lines([
                "-c", script, hex(key), "1780000000", code, hash.rawValue,
            ])
            #expect(lines == ["refused"])
        }
    }

    @Test("A counter is found inside its window only")
    func window() throws {
        let hotp = try HOTP(key: Self.key(20))
        #expect(try hotp.counter(of: "520489", from: 0) == 9)
        #expect(try hotp.counter(of: "520489", from: 0, window: 9) == nil)
        #expect(try hotp.counter(of: "520489", from: 9, window: 1) == 9)
        #expect(try hotp.counter(of: "520489", from: 10) == nil)
        #expect(try hotp.counter(of: "000000", from: .max) == nil)
        #expect(throws: AccountError(.invalidParameter, "")) {
            try hotp.counter(of: "520489", from: 0, window: 0)
        }
    }

    @Test("A code of one step before or after is accepted, once")
    func steps() throws {
        let totp = try TOTP(key: Self.key(20), digitCount: 8)
        let at = { NumericDate(secondsSince1970: $0) }
        let code = "94287082"
        for (seconds, step) in [
            (0.0, UInt64?.none), (29.9, nil), (30, 1), (59, 1), (60, 1), (89.9, 1), (90, nil),
        ] {
            // At 0, step 1 is the one after.
            let expected = seconds < 30 ? 1 : step
            #expect(try totp.step(of: code, at: at(seconds), after: nil) == expected, "\(seconds)")
        }
        #expect(try totp.step(of: code, at: at(59), after: 0) == 1)
        #expect(try totp.step(of: code, at: at(59), after: 1) == nil)
        #expect(try totp.step(of: code, at: at(59), after: 2) == nil)
    }

    @Test("Any clock value works at the limits", arguments: [-1e300, -1, 0, 1e17, 1e25, 1e300])
    func clocks(seconds: Double) throws {
        let totp = try TOTP(key: Self.key(20))
        let time = NumericDate(secondsSince1970: seconds)
        let code = try totp.code(at: time)
        #expect(try totp.step(of: code, at: time, after: nil) != nil)
        #expect(try totp.step(of: code, at: time, after: .max) == nil)
    }

    @Test(
        "A malformed code is wrong",
        arguments: [
            "", "75522", "7552244", "75522a", "７５５２２４", "٧٥٥٢٢٤", " 755224", "75522\0", "-55224",
        ])
    func noCode(text: String) throws {
        let hotp = try HOTP(key: Self.key(20))
        #expect(try hotp.counter(of: text, from: 0) == nil)
        let totp = try TOTP(key: Self.key(20))
        #expect(try totp.step(of: text, at: NumericDate(secondsSince1970: 0), after: nil) == nil)
    }

    @Test("Parameters outside of the ranges are refused")
    func ranges() {
        let refused = AccountError(.invalidParameter, "")
        for digits in [-1, 0, 5, 9, .max] {
            #expect(throws: refused) { try HOTP(digitCount: digits) }
        }
        for count in [0, 15, 129] {
            #expect(throws: refused) { try HOTP(key: Self.key(count)) }
        }
        for period in [Int.min, 0, 14, 301, .max] {
            #expect(throws: refused) { try TOTP(period: period) }
        }
    }

    @Test("A new key is as long as its hash and unique")
    func generated() throws {
        for (hash, count) in [(HOTP.Hash.sha1, 20), (.sha256, 32), (.sha512, 64)] {
            let (a, b) = (try TOTP(hash: hash), try TOTP(hash: hash))
            #expect(a.hotp.key.byteCount == count && a.hotp.key != b.hotp.key)
        }
    }

    @Test("An app reads the otpauth address, and printing shows no secret")
    func address() throws {
        let totp = try TOTP(key: Self.key(20), hash: .sha256, digitCount: 8, period: 60)
        #expect(totp.exposedKey == "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ")
        let address = try totp.exposedAddress(issuer: "Ärzte & Co", account: "a@b.example:1?x#y/z")
        #expect(
            address
                == "otpauth://totp/%C3%84rzte%20%26%20Co:a%40b.example%3A1%3Fx%23y%2Fz"
                + "?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=%C3%84rzte%20%26%20Co"
                + "&algorithm=SHA256&digits=8&period=60")
        for (issuer, account) in [("", "a"), ("a", ""), ("a:b", "c")] {
            #expect(throws: AccountError(.invalidParameter, "")) {
                try totp.exposedAddress(issuer: issuer, account: account)
            }
        }
        var dumped = "\(totp) \(totp.hotp)"
        dump(totp, to: &dumped)
        dump(totp.hotp, to: &dumped)
        #expect(!dumped.contains("123") && !dumped.contains("GEZ") && !dumped.contains("49"))
    }
}
