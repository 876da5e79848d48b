// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL

/// The parameters of the curves, made once for the life of the process and only read afterwards.
enum CurveTable {
    private static let p256 = group(.p256)
    private static let p384 = group(.p384)
    private static let p521 = group(.p521)

    static subscript(curve: NamedCurve) -> FetchedOnce {
        switch curve {
        case .p256: p256
        case .p384: p384
        case .p521: p521
        }
    }

    private static func group(_ curve: NamedCurve) -> FetchedOnce {
        unsafe FetchedOnce("EC_GROUP_new_by_curve_name") {
            unsafe EC_GROUP_new_by_curve_name(curve.identifier)
        }
    }
}
