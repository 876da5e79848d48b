// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

// auth-js at GoTrueServer: gotrue_client.mjs MODULE ADDRESS KEY FOLDER [again]
//
// The first time it signs up with a password and by a phone, and shows a second factor; `again` it
// comes back after a restart. FOLDER is as in gotrue_client.py.

import assert from "node:assert/strict"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { setTimeout } from "node:timers/promises"
import {
    appCode, clientsOf, good, levels, refused,
} from "../../../Tests/servers/SignetGoTrueTests/Peers/Scripts/auth_js.mjs"

const [module, address, key, folder, again] = process.argv.slice(2)
const client = await clientsOf(module, address, key)
const messages = folder + "/messages.txt", kept = folder + "/kept_js.json"
const email = "bob@company.example", phone = "+14155550123", password = "correct horse battery"

async function code(destination) {
    for (let tries = 0; tries < 300; tries++) {
        const lines = existsSync(messages) ? readFileSync(messages, "utf8").split("\n") : []
        const found = lines.map(line => line.split("\t")).filter(line => line[1] === destination)
        if (found.length > 0) return found.at(-1)[2]
        await setTimeout(100)
    }
    throw new Error(`no code came to ${destination} in 30 s`)
}

if (again) {
    const before = JSON.parse(readFileSync(kept, "utf8")), factorId = before.factor
    const one = client(), two = client()
    good(await one.setSession(before.session))
    assert.equal(good(await one.getUser()).user.id, before.id)
    good(await one.refreshSession())
    assert.deepEqual(await levels(one), ["aal2", "aal2"])
    assert.equal(good(await two.signInWithPassword({ email, password })).user.id, before.id)
    assert.deepEqual(await levels(two), ["aal1", "aal2"])
    await refused(two.mfa.unenroll({ factorId }), "insufficient_aal")
    good(await two.mfa.challengeAndVerify({ factorId, code: appCode(before.secret, 1) }))
    good(await two.mfa.unenroll({ factorId }))
    good(await two.refreshSession())
    assert.deepEqual(good(await two.mfa.listFactors()).all, [])
    assert.deepEqual(await levels(two), ["aal1", "aal1"])
    good({ data: null, ...(await two.signOut()) })
    await refused(one.getUser(), undefined, "AuthSessionMissingError")
    console.log("gotrue_client: auth-js had its session and factor after the restart, and ended them")
    process.exit()
}

const one = client(), two = client()
good(await one.signUp({ email, password, options: { data: { name: "Bob" } } }))
const { user } = good(await one.verifyOtp({ email, token: await code(email), type: "signup" }))
assert.deepEqual([user.email, user.user_metadata], [email, { name: "Bob" }])
good(await two.signInWithOtp({ phone }))
good(await two.verifyOtp({ phone, token: await code(phone), type: "sms" }))
good({ data: null, ...(await two.signOut()) })
const { id: factor, totp } = good(await one.mfa.enroll({ factorType: "totp" }))
good(await one.mfa.challengeAndVerify({ factorId: factor, code: appCode(totp.secret) }))
assert.deepEqual(await levels(one), ["aal2", "aal2"])
const { session } = good(await one.getSession())
writeFileSync(kept, JSON.stringify({ session, id: user.id, factor, secret: totp.secret }))
console.log("gotrue_client: auth-js signed up with a password and by a phone, and showed a factor")
process.exit()
