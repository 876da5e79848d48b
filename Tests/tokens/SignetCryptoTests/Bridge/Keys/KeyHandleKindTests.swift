// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import OpenSSLBridge
import TestSupport
import Testing

@Suite("Kinds of key")
struct KeyHandleKindTests {
    @Test(
        "Keys of kinds that Signet does not use are refused by their kind", .needsOpenSSL,
        arguments: [
            ("X25519", []), ("X448", []), ("ED448", []),
            ("EC", ["ec_paramgen_curve:secp256k1"]), ("EC", ["ec_paramgen_curve:secp224r1"]),
            ("EC", ["ec_paramgen_curve:brainpoolP256r1"]), ("EC", ["ec_paramgen_curve:sect283k1"]),
            ("RSA-PSS", ["rsa_keygen_bits:2048"]),
            (
                "RSA-PSS",
                ["rsa_keygen_bits:2048", "rsa_pss_keygen_md:sha256", "rsa_pss_keygen_saltlen:32"]
            ),
            ("SM2", []),
        ] as [(String, [String])])
    func otherKinds(algorithm: String, options: [String]) throws {
        guard let der = try OpenSSLCommand.privateKey(algorithm, options),
            let spki = try OpenSSLCommand.publicKey(of: der)
        else { return }
        try expectNoKind(der, spki)
    }

    @Test("DSA and Diffie-Hellman keys are refused by their kind", .needsOpenSSL)
    func finiteFields() throws {
        guard
            let parameters = try OpenSSLCommand.output([
                "genpkey", "-genparam", "-algorithm", "DSA", "-pkeyopt", "dsa_paramgen_bits:1024",
            ])
        else { return }
        guard
            let pem = try OpenSSLCommand.output(
                ["genpkey", "-paramfile", "/dev/stdin"], input: parameters),
            let dsa = try OpenSSLCommand.privateKeyInfo(ofPEM: pem),
            let dsaPublic = try OpenSSLCommand.publicKey(of: dsa),
            let dh = try OpenSSLCommand.privateKey("DH", ["group:ffdhe2048"]),
            let dhPublic = try OpenSSLCommand.publicKey(of: dh)
        else { return }
        try expectNoKind(dsa, dsaPublic)
        try expectNoKind(dh, dhPublic)
    }

    @Test(
        "Explicit curve parameters are refused, even those of a named curve", .needsOpenSSL,
        arguments: [
            "P-256", "P-384", "P-521",
        ])
    func explicitParameters(curve: String) throws {
        let options = ["ec_paramgen_curve:\(curve)", "ec_param_enc:explicit"]
        guard let der = try OpenSSLCommand.privateKey("EC", options),
            let spki = try OpenSSLCommand.publicKey(of: der),
            let sec1 = try OpenSSLCommand.output(
                ["ec", "-inform", "DER", "-outform", "DER"], input: der)
        else { return }
        // The command really wrote the parameters out: a named curve takes at most 200 bytes.
        #expect(spki.count > 300)
        try expectNoKind(der, spki)
        #expect(try privateKey(sec1, as: .sec1).kind == nil)
    }

    @Test(
        "A named curve is recognised, with a compressed point too", .needsOpenSSL,
        arguments: [
            ("P-256", NamedCurve.p256), ("P-384", .p384), ("P-521", .p521),
        ])
    func namedCurves(name: String, curve: NamedCurve) throws {
        guard let der = try OpenSSLCommand.privateKey("EC", ["ec_paramgen_curve:\(name)"]),
            let compressed = try OpenSSLCommand.output(
                ["ec", "-inform", "DER", "-pubout", "-conv_form", "compressed", "-outform", "DER"],
                input: der
            )
        else { return }
        let key = try privateKey(der)
        #expect(key.kind == .ec(curve))
        let fromCompressed = try publicKey(compressed)
        #expect(fromCompressed.kind == .ec(curve))
        #expect(try fromCompressed.ecCoordinates() == key.ecCoordinates())
    }

    private func expectNoKind(_ der: [UInt8], _ spki: [UInt8]) throws {
        // libcrypto reads them all: the refusal is ours.
        for key in [try privateKey(der), try publicKey(spki)] {
            #expect(key.kind == nil)
            #expect(ErrorQueue.isEmpty)
            for scheme: SignatureScheme in [
                .rsaPKCS1(.sha256), .rsaPSS(.sha256), .ecdsa(.p256, .sha256),
                .ecdsa(.p384, .sha384),
                .ecdsa(.p521, .sha512), .ed25519,
            ] {
                #expect(failure { try key.requireVerifying(scheme) } == .refused)
                #expect(failure { try key.prepareToSign(scheme) } == .refused)
            }
        }
    }
}
