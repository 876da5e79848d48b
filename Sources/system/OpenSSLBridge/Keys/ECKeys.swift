// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
package import SignetMemory

extension KeyHandle {
    /// An EC public key from affine coordinates of exactly the curve's length.
    ///
    /// libcrypto refuses coordinates at or above the field's prime and points that are not on the
    /// curve. All three curves have cofactor 1, so this is the full validation of SP 800-56A,
    /// section 5.6.2.3.3.
    package static func ec(curve: NamedCurve, x: [UInt8], y: [UInt8]) throws(OpenSSLFailure)
        -> KeyHandle
    {
        try Kind.ec(curve).require()
        let builder = try ParameterBuilder()
        try builder.push("group", text: curve.groupName)
        let key = try builder.makeKey(
            "EC", selection: copenssl_selection_public_key(),
            octets: ("pub", try point(curve, x: x, y: y)))
        try key.checkPublic()
        return key
    }

    /// An EC key pair from its private scalar, 1 <= d < n, in exactly the curve's length; the point
    /// is computed.
    package static func ec(curve: NamedCurve, privateScalar: SecretStorage) throws(OpenSSLFailure)
        -> KeyHandle
    {
        guard privateScalar.count == curve.coordinateByteCount else {
            throw OpenSSLFailure(.invalidLength, "scalar")
        }
        let d = try scalar(privateScalar, curve: curve)
        let publicPoint = try publicPoint(of: d, curve: curve)
        var builder = try ParameterBuilder()
        try builder.push("group", text: curve.groupName)
        try builder.push("priv", number: d)
        let key = try builder.makeKey(
            "EC", selection: copenssl_selection_keypair(), octets: ("pub", publicPoint))
        try key.checkPublic()
        return key
    }

    package static func generateEC(curve: NamedCurve) throws(OpenSSLFailure) -> KeyHandle {
        try unsafe KeyHandle(
            owning: copenssl_ec_generate(cString(curve.groupName)), operation: "EVP_EC_gen")
    }

    package func ecCoordinates() throws(OpenSSLFailure) -> (x: [UInt8], y: [UInt8]) {
        let width = try curve().coordinateByteCount
        let x = try number(OSSL_PKEY_PARAM_EC_PUB_X)
        let y = try number(OSSL_PKEY_PARAM_EC_PUB_Y)
        return (try x.bigEndian(count: width), try y.bigEndian(count: width))
    }

    package func ecPrivateScalar() throws(OpenSSLFailure) -> SecretStorage {
        try number(OSSL_PKEY_PARAM_PRIV_KEY).secretBigEndian(count: try curve().coordinateByteCount)
    }

    private func checkPublic() throws(OpenSSLFailure) {
        let context = try unsafe KeyContext(
            owning: EVP_PKEY_CTX_new_from_pkey(nil, pointer, nil),
            operation: "EVP_PKEY_CTX_new_from_pkey")
        try require(
            unsafe EVP_PKEY_public_check_quick(context.pointer), "EVP_PKEY_public_check_quick")
    }

    /// The uncompressed form of a point (SEC 1, section 2.3.3).
    private static func point(
        _ curve: NamedCurve, x: [UInt8], y: [UInt8]
    ) throws(OpenSSLFailure) -> [UInt8] {
        let width = curve.coordinateByteCount
        guard x.count == width, y.count == width else {
            throw OpenSSLFailure(.invalidLength, "coordinate")
        }
        return [0x04] + x + y
    }

    /// The number of a private key, which must be at least 1 and below the curve's order.
    private static func scalar(
        _ storage: SecretStorage, curve: NamedCurve
    ) throws(OpenSSLFailure) -> BigNumber {
        let d = try secretNumber(storage)
        let order = try BigNumber(bigEndian: curve.order.span)
        guard unsafe BN_is_zero(d.pointer) == 0, unsafe BN_cmp(d.pointer, order.pointer) < 0 else {
            throw OpenSSLFailure(.refused, "scalar range")
        }
        return d
    }

    /// The point d·G, uncompressed.
    private static func publicPoint(
        of d: borrowing BigNumber, curve: NamedCurve
    ) throws(OpenSSLFailure) -> [UInt8] {
        let group = try unsafe require(
            EC_GROUP_new_by_curve_name(curve.identifier), "EC_GROUP_new_by_curve_name")
        defer { unsafe EC_GROUP_free(group) }
        let point = try unsafe require(EC_POINT_new(group), "EC_POINT_new")
        defer { unsafe EC_POINT_free(point) }
        try require(unsafe EC_POINT_mul(group, point, d.pointer, nil, nil, nil), "EC_POINT_mul")
        let count = 1 + 2 * curve.coordinateByteCount
        var bytes = [UInt8](repeating: 0, count: count)
        let written = unsafe bytes.withUnsafeMutableBufferPointer {
            unsafe EC_POINT_point2oct(
                group, point, POINT_CONVERSION_UNCOMPRESSED, $0.baseAddress, count, nil)
        }
        guard written == count else { throw OpenSSLFailure.fromErrorQueue("EC_POINT_point2oct") }
        return bytes
    }
}
