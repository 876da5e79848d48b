// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import SignetCrypto
import TestSupport
import Testing

@Suite("Passwords hashed and checked", .serialized)
struct PasswordHasherTests {
    /// Cheap, for tests. A FIPS provider has no scrypt (make test-debian13).
    static let cheap =
        PasswordAlgorithm.scrypt().isAvailable
        ? PasswordAlgorithm.scrypt(logCost: 8) : .pbkdf2(iterations: 1000)

    @Test("The right password verifies, and every other is wrong")
    func verify() async throws {
        let hasher = try PasswordHasher(Self.cheap)
        let stored = try await hasher.hash(try Password("correct horse"))
        let again = try PasswordHash(stored.exposedText)
        #expect(
            try await hasher.verify(try Password("correct horse"), against: again)
                == .correct(needsUpgrade: false))
        for text in ["correct horse ", "correct hors", "Correct horse", "x"] {
            #expect(try await hasher.verify(try Password(text), against: again) == .wrong)
        }
        let other = try await hasher.hash(try Password("correct horse"))
        #expect(other != stored)
    }

    @Test("Long passwords count to their last byte")
    func wholeLength() async throws {
        let hasher = try PasswordHasher(Self.cheap)
        for (a, b) in [
            ("12345678\u{1}a", "12345678\u{1}b"),
            (String(repeating: "a", count: 1024), String(repeating: "a", count: 1023) + "b"),
        ] {
            let stored = try await hasher.hash(try Password(a))
            #expect(try await hasher.verify(try Password(b), against: stored) == .wrong)
            #expect(try await hasher.verify(try Password(a), against: stored) != .wrong)
        }
    }

    @Test("A password is compared as bytes, without normalisation")
    func unicode() async throws {
        let hasher = try PasswordHasher(Self.cheap)
        let (composed, decomposed) = ("p\u{e9}ssword", "pe\u{301}ssword")
        #expect(composed == decomposed)
        let stored = try await hasher.hash(try Password(composed))
        #expect(try await hasher.verify(try Password(decomposed), against: stored) == .wrong)
        #expect(try await hasher.verify(try Password(composed), against: stored) != .wrong)
    }

    @Test("Without an account every password is wrong, at the same cost")
    func unknown() async throws {
        let hasher = try PasswordHasher(Self.cheap)
        let stored = try await hasher.hash(try Password("12345678"))
        #expect(try await hasher.verify(try Password("12345678"), against: nil) == .wrong)
        // The same derivation: the decoy has this hasher's parameters and lengths.
        #expect(stored.algorithm == hasher.algorithm)
    }

    @Test("A hash weaker than the hasher's should be replaced", .needsScrypt)
    func upgrade() async throws {
        let weak = try await PasswordHasher(.scrypt(logCost: 4, blockSize: 8))
            .hash(try Password("12345678"))
        for (algorithm, expected) in [
            (PasswordAlgorithm.scrypt(logCost: 4, blockSize: 8), false),
            (.scrypt(logCost: 3, blockSize: 8), false), (.scrypt(logCost: 5, blockSize: 8), true),
            (.scrypt(logCost: 4, blockSize: 8, parallelism: 2), true),
            (.scrypt(logCost: 5, blockSize: 4), false), (.scrypt(logCost: 4, blockSize: 9), true),
        ] {
            let hasher = try PasswordHasher(algorithm)
            #expect(
                try await hasher.verify(try Password("12345678"), against: weak)
                    == .correct(needsUpgrade: expected), "\(algorithm)")
        }
    }

    @Test("A hash is replaced only towards the target, and never from Argon2id to scrypt")
    func target() throws {
        let (scrypt, argon, pbkdf2) = (
            PasswordAlgorithm.scrypt(), PasswordAlgorithm.argon2id(), PasswordAlgorithm.pbkdf2()
        )
        let salt = PasswordHashTests.salt
        let stored = [
            "$scrypt$ln=17,r=8,p=1$\(salt)$", "$argon2id$v=19$m=65536,t=3,p=4$\(salt)$",
            "$pbkdf2-sha256$i=600000,l=32$\(salt)$",
        ]
        let algorithms = try stored.map { try PasswordHash($0 + PasswordHashTests.hash).algorithm }
        #expect(algorithms == [scrypt, argon, pbkdf2])
        for (target, outdated) in [
            (scrypt, [false, false, true]), (argon, [true, false, true]),
            (pbkdf2, [true, true, false]), (.pbkdf2(iterations: 600_001), [true, true, true]),
            (.pbkdf2(iterations: 1000), [true, true, false]),
        ] {
            #expect(algorithms.map { $0.isOutdated(for: target) } == outdated, "\(target)")
        }
    }

    @Test(
        "Python's hashlib makes and checks the same PBKDF2", .needsProgram("python3"),
        .tags(.interop))
    func pbkdf2() async throws {
        let python = try PeerProgram.find("python3")
        let hasher = try PasswordHasher(.pbkdf2(iterations: 1000))
        let ours = try await hasher.hash(try Password("pässword"))
        let script = """
            import base64, hashlib, sys
            def raw(s): return base64.b64decode(s + "=" * (-len(s) % 4))
            _, name, parameters, salt, digest = sys.argv[1].split("$")
            iterations, size = (int(x.split("=")[1]) for x in parameters.split(","))
            derived = hashlib.pbkdf2_hmac(
                "sha256", "p\\u00e4ssword".encode(), raw(salt), iterations, size)
            print(name, iterations, size, derived == raw(digest))
            salt = bytes(range(16))
            derived = hashlib.pbkdf2_hmac("sha256", b"12345678", salt, 600000, 32)
            text = "$".join(base64.b64encode(x).rstrip(b"=").decode() for x in (salt, derived))
            print("$pbkdf2-sha256$i=600000,l=32$" + text)
            """
        let lines = try await python.lines(["-c", script, ours.exposedText])
        #expect(lines.first == "pbkdf2-sha256 1000 32 True")
        let theirs = try PasswordHash(try #require(lines.last))
        #expect(
            try await hasher.verify(try Password("12345678"), against: theirs)
                == .correct(needsUpgrade: false))
        #expect(try await hasher.verify(try Password("12345679"), against: theirs) == .wrong)
    }

    @Test("A hasher whose algorithm libcrypto lacks is refused when it is made, with advice")
    func missing() async throws {
        _ = try PasswordHasher(.pbkdf2())
        for algorithm in [PasswordAlgorithm.scrypt(), .argon2id()] where !algorithm.isAvailable {
            let error = try #require(throws: AccountError.self) { try PasswordHasher(algorithm) }
            #expect(error.code == .invalidParameter && error.message.contains(".pbkdf2()"))
            #expect(error.message.contains(algorithm.name))
        }
        guard !PasswordAlgorithm.scrypt().isAvailable else { return }
        let hash = try PasswordHash(
            "$scrypt$ln=17,r=8,p=1$\(PasswordHashTests.salt)$\(PasswordHashTests.hash)")
        await #expect(throws: AccountError(.unsupportedPasswordHash, "")) {
            try await PasswordHasher(.pbkdf2()).verify(try Password("12345678"), against: hash)
        }
    }

    @Test("A new password has a minimum length, and a stored one may be shorter")
    func minimum() async throws {
        let (strict, lax) = (
            try PasswordHasher(Self.cheap), try PasswordHasher(Self.cheap, minimumLength: 1)
        )
        for text in ["1234567", "éééé", "💥💥💥"] {
            await #expect(throws: AccountError(.passwordTooShort, "")) {
                try await strict.hash(try Password(text))
            }
            let stored = try await lax.hash(try Password(text))
            #expect(try await strict.verify(try Password(text), against: stored) != .wrong)
        }
        _ = try await strict.hash(try Password("éééééééé"))
    }

    @Test("Parameters outside of the ranges are refused")
    func ranges() {
        let refused = AccountError(.invalidParameter, "")
        for algorithm in [
            PasswordAlgorithm.scrypt(logCost: 0), .scrypt(logCost: 19), .scrypt(logCost: .max),
            .scrypt(blockSize: 0), .scrypt(parallelism: 0), .scrypt(parallelism: .min),
            .argon2id(memoryKiB: .max, passes: .max, lanes: .max), .argon2id(memoryKiB: 7),
        ] { #expect(throws: refused) { try PasswordHasher(algorithm) } }
        #expect(throws: refused) { try PasswordHasher(Self.cheap, minimumLength: 0) }
        #expect(throws: refused) { try PasswordHasher(Self.cheap, concurrency: 0) }
        #expect(throws: refused) { try PasswordHasher(Self.cheap, queueLength: -1) }
    }

    @Test("Argon2id works where libcrypto has it, and is refused with a message elsewhere")
    func argon2id() async throws {
        // From the reference implementation's tests.
        let published = try PasswordHash(
            "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ"
                + "$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc")
        let hasher = try PasswordHasher(Self.cheap)
        guard PasswordAlgorithm.argon2id().isAvailable else {
            #expect(throws: AccountError(.invalidParameter, "")) {
                try PasswordHasher(.argon2id())
            }
            await #expect(throws: AccountError(.unsupportedPasswordHash, "")) {
                try await hasher.verify(try Password("password"), against: published)
            }
            return
        }
        #expect(
            try await hasher.verify(try Password("password"), against: published)
                == .correct(needsUpgrade: true))
        let strong = try PasswordHasher(.argon2id())
        let stored = try await strong.hash(try Password("password"))
        #expect(
            try await strong.verify(try Password("password"), against: stored)
                == .correct(needsUpgrade: false))
    }

    @Test(
        "Python's hashlib makes and checks the same texts", .needsProgram("python3"),
        .needsScrypt, .tags(.interop))
    func hashlib() async throws {
        let python = try PeerProgram.find("python3")
        let hasher = try PasswordHasher(.scrypt(logCost: 12, parallelism: 2))
        let ours = try await hasher.hash(try Password("pässword\u{1f511}"))
        let script = """
            import base64, hashlib, sys
            def b64(b): return base64.b64encode(b).rstrip(b"=").decode()
            def raw(s): return base64.b64decode(s + "=" * (-len(s) % 4))
            def derive(password, salt, ln, r, p, size):
                return hashlib.scrypt(password.encode(), salt=salt, n=2**ln, r=r, p=p,
                    maxmem=2**29, dklen=size)
            _, name, parameters, salt, digest = sys.argv[1].split("$")
            ln, r, p = (int(x.split("=")[1]) for x in parameters.split(","))
            print(derive("p\\u00e4ssword\\U0001f511", raw(salt), ln, r, p, 32) == raw(digest))
            for ln, r, p, size in [(17, 8, 1, 32), (14, 8, 1, 64), (4, 1, 1, 16), (10, 16, 3, 24)]:
                salt = bytes(range(ln, ln + 8 + r))
                digest = b64(derive("p\\u00e4ss\\u0001", salt, ln, r, p, size))
                print(f"$scrypt$ln={ln},r={r},p={p}${b64(salt)}${digest}")
            """
        let lines = try await python.lines(["-c", script, ours.exposedText])
        #expect(lines.first == "True")
        #expect(lines.count == 5)
        for line in lines.dropFirst() {
            let theirs = try PasswordHash(line)
            #expect(theirs.exposedText == line)
            #expect(try await hasher.verify(try Password("päss\u{1}"), against: theirs) != .wrong)
            #expect(try await hasher.verify(try Password("päss\u{2}"), against: theirs) == .wrong)
        }
    }

    @Test(
        "PyPI's cryptography makes Argon2id hashes in the same form, and valid scrypt hashes",
        .needsCryptography, .needsScrypt,
        .tags(.interop))
    func cryptography() async throws {
        let python = try PeerProgram.cryptography()
        let script = """
            from base64 import b64encode
            from cryptography.hazmat.primitives.kdf.argon2 import Argon2id
            from cryptography.hazmat.primitives.kdf.scrypt import Scrypt
            password = "p\\u00e4ss".encode()
            for m, t, p, salt, size in [(19456, 2, 1, 16, 32), (64, 1, 4, 8, 16), (8, 16, 1, 64, 64)]:
                print(Argon2id(salt=bytes(range(salt)), length=size, iterations=t, lanes=p,
                    memory_cost=m).derive_phc_encoded(password))
            salt = bytes(range(16))
            digest = Scrypt(salt=salt, length=32, n=2**12, r=8, p=1).derive(password)
            salt, digest = (b64encode(x).decode().rstrip("=") for x in (salt, digest))
            print(f"$scrypt$ln=12,r=8,p=1${salt}${digest}")
            """
        let lines = try await python.lines(["-c", script])
        #expect(lines.count == 4)
        let hasher = try PasswordHasher(Self.cheap)
        for line in lines {
            let theirs = try PasswordHash(line)
            #expect(theirs.exposedText == line)
            guard theirs.algorithm.isAvailable else { continue }
            #expect(try await hasher.verify(try Password("päss"), against: theirs) != .wrong)
            #expect(try await hasher.verify(try Password("pass"), against: theirs) == .wrong)
        }
    }
}

extension Trait where Self == ConditionTrait {
    static var needsScrypt: Self {
        .enabled(if: PasswordAlgorithm.scrypt().isAvailable, "a FIPS provider has no scrypt")
    }
}
