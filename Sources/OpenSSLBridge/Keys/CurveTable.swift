// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL

/// The parameters of the curves, made once for the life of the process and only read afterwards.
@safe
final class CurveTable: @unchecked Sendable {
    /// Never freed. Null where libcrypto was built without the curve.
    @safe
    struct Group: @unchecked Sendable {
        let pointer: OpaquePointer?
    }

    static let shared = CurveTable()

    private let p256 = unsafe Group(pointer: EC_GROUP_new_by_curve_name(NamedCurve.p256.identifier))
    private let p384 = unsafe Group(pointer: EC_GROUP_new_by_curve_name(NamedCurve.p384.identifier))
    private let p521 = unsafe Group(pointer: EC_GROUP_new_by_curve_name(NamedCurve.p521.identifier))

    private init() { ERR_clear_error() }

    subscript(curve: NamedCurve) -> Group {
        switch curve {
        case .p256: p256
        case .p384: p384
        case .p521: p521
        }
    }
}
