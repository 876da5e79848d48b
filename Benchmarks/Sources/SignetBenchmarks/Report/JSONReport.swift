// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import BenchmarkSupport

/// The results for a program. Times are nanoseconds for one operation.
struct JSONReport: Codable {
    struct Operation: Codable {
        struct Time: Codable {
            let medianNanoseconds: Double
            let fastestTurnNanoseconds: Double
            /// 1 is the processor undisturbed.
            let pace: Double
        }

        let identifier: String
        let times: [String: Time]

        init(_ measurement: Measurement) {
            identifier = measurement.operation.identifier
            times = Dictionary(
                uniqueKeysWithValues: measurement.times.map {
                    (
                        $0.party.rawValue,
                        Time(
                            medianNanoseconds: $0.nanoseconds, fastestTurnNanoseconds: $0.fastest,
                            pace: $0.pace)
                    )
                })
        }
    }

    var environment: Environment?
    var coexistence = ""
    var operations = [Operation]()
    var memory = [MemoryMeasurement]()
}
