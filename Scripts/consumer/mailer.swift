// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

// Someone else's program that checks addresses and links no C library. Scripts/consumer.sh builds and runs it.
import SignetEmail

let policy = try BusinessEmailPolicy(allowing: ["company.example"])
print(policy.verdict(forUnverifiedText: "ann@company.example").isAllowed)
