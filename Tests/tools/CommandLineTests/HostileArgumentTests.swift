// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetPlatform
import TestSupport
import Testing
import signet

/// Hostile text in every kind of argument, and what standard error then says.
@Suite("What the program says about hostile arguments")
struct HostileArgumentTests {
    /// The text stands for `@`, and a folder that is not there for `#`.
    static let lines = [
        "@", "--@", "-@", "-p@ vault list", "--@=@", "jwk @", "vault @", "vault rotate @",
        "jwk generate --algorithm @", "jwk generate --json --algorithm=@",
        "jwk generate --kid @ -@",
        "jwk public --key @", "jwk public --key=@", "jwk public --key #/@", "jwk public @",
        "jwk convert --key k --to @",
        "jws sign --key @", "jws verify --key # @", "jwt inspect @", "jwt inspect --json --@",
        "jwe decrypt --key @", "jwe decrypt --key # --content @", "jwe decrypt --key # @",
        "jwe encrypt --key # --content A256GCM --algorithm @", "jwt inspect @ @",
        "jwt verify --key @ --any-issuer --any-audience a.b.c",
        "jwt verify --key # --issuer @ --audience @ --leeway @",
        "jwt verify --key # -@ a.b.c", "jwt sign --key # --lifetime @",
        "jwt verify --jwks @ --any-issuer --any-audience a.b.c",
        "jwt verify --jwks http://@ --any-issuer --any-audience a.b.c",
        "jwt verify --jwks #/@ --any-issuer --any-audience a.b.c",
        "jwt sign --key # --exp @", "jwt sign --key # --claim @", "jwt sign --key # --claim @=@",
        "jwt sign --key # --claim-json @", "jwt sign --key # --claim-json x=@",
        "jwt sign --key # --claim-json @=@", "jwt sign --key # --sub @ --claim sub=@",
        "jwt sign --key # --claim @=1 --claim @=2", "jwt decode @", "jwt decode --@",
        "jwk generate --public @ --output #/k", "jwk generate --public #/@",
        "jwt sign --algorithm HS256 --lifetime 60 --secret-text @",
        "jwt sign --algorithm HS256 --lifetime 60 --secret-base64url #/@",
        "seal --key-file @", "seal --key-file #/@", "seal -p@", "open --key-file @",
        "seal --passphrase-fd @", "seal --passphrase-file @", "open --passphrase @",
        "vault list --vault @ --key-file #", "vault list --json --vault #/@ --key-file #",
        "vault list --vault # --credential @", "vault list --vault # --timeout @",
        "vault list --backend @", "vault init --vault #/@ --new-key-file #/@",
        "vault set --vault # --service s @", "vault set --vault # --service s --value @",
        "vault get --vault # --service @ --account @ --key-file #", "vault list -p@ --vault #",
        "idtoken verify --provider @", "idtoken verify --provider google --client-id c --jwks @",
        "idtoken verify --provider google --client-id c --nonce-file @",
        "accesstoken verify --profile @", "jwks fetch --issuer @", "jwks fetch --url @",
        "email check --allow-domain @ a@b.example", "email check --allow-domain b.example @",
        "audit --vectors @", "audit --output #/@", "audit --output #/a --sign @", "audit @",
        "audit verify @ --key #", "audit verify # --key @", "audit verify # @", "audit diff @ #",
        "audit diff # #/@", "login @", "login --issuer @ --@", "token --@",
    ]

    /// Of a path more is shown than of a text.
    private static let paths = [
        "#/@", "-file @", "--key @", "--key=@", "--vault @", "--jwks @", "--vectors @", "-text @",
        "--sign @", "verify @ ", "diff @",
    ]

    static let sites = lines.map { line in
        HostileSite("signet \(line)", isInPath: paths.contains { line.contains($0) }) {
            try run(line, $0)
        }
    }

    @Test("Each line is short, obeyed by no terminal, and repeats no secret", arguments: sites)
    func hostile(_ site: HostileSite) async { await site.check() }

    private static func run(_ line: String, _ text: HostileText) throws {
        // No argument has a zero byte.
        let argument = PathText.text(of: text.bytes.filter { $0 != 0 })
        let arguments = line.split(separator: " ").map(String.init).map { word in
            word.contains("b.example")
                ? word
                : word.replacing("#", with: CommandFolder.nowhere).replacing("@", with: argument)
        }
        let outcome = CommandFolder.inProcess(arguments)
        #expect(!outcome.wasKilled && !outcome.errors.contains("\nsignet: valid"), "\(outcome)")
        guard outcome.status != 0 else { return }
        // After the help, where a cluster of options has an h.
        #expect(outcome.errors.contains("signet: "), "\(outcome)")
        throw HostileSite.Said(outcome.errors + outcome.text)
    }
}
