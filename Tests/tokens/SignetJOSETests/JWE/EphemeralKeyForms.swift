// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJOSE
import TestSupport
import Testing

/// The forms that other libraries give a sender's key (`epk`). Both coordinates of the key in these
/// tokens begin with a zero byte. jwcrypto opens all three.
@Suite("Forms of a sender's key")
struct EphemeralKeyForms {
    private static let receiver = """
        {"kty":"EC","crv":"P-256","x":"K09Qo64zm9nHjohm-ffQctMaAM46tTque7hwMYVS42M",\
        "y":"mj8fVPVSV9G9QVam24A-gEwH-Wt-qCtBdJy7NKvQSyw",\
        "d":"G1eDq_m-lz9KDOWBB-Rb6NG-IamSndHcAPA5rQena00"}
        """

    private static func decrypter() throws -> JWEDecrypter {
        JWEDecrypter(key: try DecryptionKey(jwk: JWK(receiver), algorithm: .ecdhES))
    }

    @Test(
        "A sender's key opens in the form of RFC 7518, without leading zeros and with padding",
        arguments: [
            """
            eyJ0eXAiOiJKV1QiLCJhbGciOiJFQ0RILUVTIiwiZXBrIjp7Imt0eSI6IkVDIiwieCI6IkFGZnNBQnUwVUxf\
            SFVaYkJOV2pHQ0ZKRFZSVGJ5bE51czdPTzRsY0dkR3MiLCJ5IjoiQUpMTXBaeHczb2NEVGhqSkpMQXV1eEJZ\
            ZTloVEN6b2wyMnlHOWpBVmRtQSIsImNydiI6IlAtMjU2In0sImVuYyI6IkExMjhDQkMtSFMyNTYifQ..KihJ\
            oVJ0J4qI0EMivnNSoA.rqLBt0q9LopZIZZgftJbhw.JmJyyEiS6ZHoT5pVkG_aWA
            """,
            // As rhonabwy 1.1 writes it, which Debian's glewlwyd uses.
            """
            eyJ0eXAiOiJKV1QiLCJhbGciOiJFQ0RILUVTIiwiZXBrIjp7Imt0eSI6IkVDIiwieCI6IlYtd0FHN1JRdjhk\
            UmxzRTFhTVlJVWtOVkZOdktVMjZ6czQ3aVZ3WjBhdyIsInkiOiJrc3lsbkhEZWh3Tk9HTWtrc0M2N0VGaDcy\
            Rk1MT2lYYmJJYjJNQlYyWUEiLCJjcnYiOiJQLTI1NiJ9LCJlbmMiOiJBMTI4Q0JDLUhTMjU2In0..0fp_8AM\
            29rlf_IKFA-9h3A.tZt63ThDX15SkYGPIva7Rw.Un5VVyT5yBxISCoQxla00Q
            """,
            """
            eyJ0eXAiOiJKV1QiLCJhbGciOiJFQ0RILUVTIiwiZXBrIjp7Imt0eSI6IkVDIiwieCI6IkFGZnNBQnUwVUxf\
            SFVaYkJOV2pHQ0ZKRFZSVGJ5bE51czdPTzRsY0dkR3M9IiwieSI6IkFKTE1wWnh3M29jRFRoakpKTEF1dXhC\
            WWU5aFRDem9sMjJ5RzlqQVZkbUE9IiwiY3J2IjoiUC0yNTYifSwiZW5jIjoiQTEyOENCQy1IUzI1NiJ9..r9\
            4lJhU_6mau2FSdvZCR3A.nyKQkdKlo_jSwMJGNrNO6Q.rjYfS4YXXLe2ib__Otx8mw
            """,
        ])
    func opens(token: String) throws {
        let opened = try Self.decrypter().decrypt(token)
        #expect(opened.payload == Array("hello".utf8))
    }

    @Test(
        "A coordinate that is too long, empty or wrongly padded is refused",
        arguments: [
            "AABX7AAbtFC_x1GWwTVoxghSQ1UU28pTbrOzjuJXBnRr", "",
            "V-wAG7RQv8dRlsE1aMYIUkNVFNvKU26zs47iVwZ0aw=",
            "V-wAG7RQv8dRlsE1aMYIUkNVFNvKU26zs47iVwZ0aw===",
        ])
    func refused(x: String) throws {
        let token = try JWEFixture.directToken(
            header: #"{"alg":"ECDH-ES","enc":"A256GCM","epk":{"kty":"EC","crv":"P-256","#
                + #""x":"\#(x)","y":"ksylnHDehwNOGMkksC67EFh72FMLOiXbbIb2MBV2YA"}}"#)
        #expect(throws: TokenError(.malformed, "")) { try Self.decrypter().decrypt(token) }
    }

    @Test("A key on X25519 has no leading zeros to leave out: it has 32 bytes")
    func x25519() throws {
        let decrypter = JWEDecrypter(
            key: try DecryptionKey(jwk: JWEFixture.jwk("X25519"), algorithm: .ecdhES))
        for count in [31, 33] {
            let x = Base64URL.encode([UInt8](repeating: 9, count: count))
            let token = try JWEFixture.directToken(
                header:
                    #"{"alg":"ECDH-ES","enc":"A256GCM","epk":{"kty":"OKP","crv":"X25519","x":"\#(x)"}}"#
            )
            #expect(throws: TokenError(.malformed, "")) { try decrypter.decrypt(token) }
        }
    }
}
