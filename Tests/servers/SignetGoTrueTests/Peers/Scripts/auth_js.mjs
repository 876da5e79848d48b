// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

// What the programs that drive auth-js share: this one's life, and Examples/AuthServer's
// gotrue_client.mjs.

import assert from "node:assert/strict"
import { createHmac } from "node:crypto"

export class Storage extends Map {
    getItem(name) { return this.get(name) ?? null }
    setItem(name, value) { this.set(name, value) }
    removeItem(name) { this.delete(name) }
}

// Makes clients of the module at `path`, for the service at `url`.
export async function clientsOf(path, url, key) {
    const { GoTrueClient } = await import(new URL(path, `file://${process.cwd()}/`))
    const headers = { apikey: key, Authorization: "Bearer " + key }
    return (options = {}) => {
        const made = new GoTrueClient({
            url, headers, autoRefreshToken: false, storage: new Storage(), ...options })
        made.events = []
        made.onAuthStateChange(event => made.events.push(event))
        return made
    }
}

export const good = ({ data, error }) => (assert.equal(error, null), data)

export async function refused(call, code, name = "AuthApiError") {
    const { error } = await call
    assert.deepEqual([error?.name, error?.code], [name, code])
}

// What an app for second factors shows.
const now = Date.now.bind(Date)
export const appCode = (secret, steps = 0) => {
    const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
    const bits = [...secret].map(one => letters.indexOf(one).toString(2).padStart(5, "0")).join("")
    const key = Buffer.from(bits.match(/.{8}/g).map(byte => parseInt(byte, 2)))
    const step = Buffer.alloc(8)
    step.writeBigUInt64BE(BigInt(Math.floor(now() / 30_000) + steps))
    const digest = createHmac("sha1", key).update(step).digest()
    const number = digest.readUInt32BE(digest[19] & 15) & 0x7fffffff
    return String(number % 1_000_000).padStart(6, "0")
}

export const levels = async of => {
    const found = good(await of.mfa.getAuthenticatorAssuranceLevel())
    return [found.currentLevel, found.nextLevel]
}
