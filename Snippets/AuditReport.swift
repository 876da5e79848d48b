// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetAudit

let catalog = try AuditCatalog(environment: ProcessInfo.processInfo.environment)
let report = AuditRunner().run(catalog)
print(report.library.version, report.total.passed, "of", report.total.cases)
guard report.isClean else { exit(1) }
