// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

// A program of somebody else's that would keep a secret in the desktop's keyring: Scripts/consumer.sh builds and runs it.
import SignetSecretService
