// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

// The official JavaScript client (auth-js) goes through its life cycle at Signet's service; its
// module is the argument. Lines of standard input and output are those of official_life.py.

import http from "node:http"
import assert from "node:assert/strict"
import { createHash } from "node:crypto"
import { createInterface } from "node:readline"
import { appCode, clientsOf, good, levels, refused } from "./auth_js.mjs"

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
const read = async () => JSON.parse((await lines.next()).value)
const given = await read()
const ask = async question => {
    process.stdout.write(JSON.stringify(question) + "\n")
    return (await read()).answer
}
const PASSWORD = "correct horse", words = []

// Passes requests on, and loses the answers that `loses` names, as a network does.
let loses = () => false
const proxy = http.createServer((request, response) => {
    const { method, headers } = request
    const onward = http.request(new URL(request.url, given.url), { method, headers }, answer => {
        if (loses(request.url, answer.statusCode)) return request.socket.destroy()
        response.writeHead(answer.statusCode, answer.headers)
        answer.pipe(response)
    })
    onward.on("error", () => request.socket.destroy())
    request.pipe(onward)
})
// Node must not close a connection at the moment that the client uses it again.
proxy.keepAliveTimeout = 0
await new Promise(done => proxy.listen(0, "127.0.0.1", done))
const url = `http://127.0.0.1:${proxy.address().port}/auth/v1`

const client = await clientsOf(process.argv[2], url, given.key)

// The client's clock, by which its access token ends.
const now = Date.now.bind(Date)
let ahead = 0
Date.now = () => now() + ahead

const wrong = code => code === "000000" ? "000001" : "000000"
const signedIn = async email => {
    const made = client()
    good(await made.signInWithPassword({ email, password: PASSWORD }))
    return made
}

// Signed up, signed in, and a new password, in both of the client's flows.
for (const flowType of ["implicit", "pkce"]) {
    const email = flowType + "@company.example", one = client({ flowType })
    const back = "https://app.example/signed-in"
    const signUp = { email, password: PASSWORD, options: { emailRedirectTo: back } }
    assert.equal(good(await one.signUp(signUp)).session, null)
    const code = await ask({ code: email }), type = "signup"
    await refused(one.verifyOtp({ email, token: wrong(code), type }), "otp_expired")
    assert(good(await one.verifyOtp({ email, token: code, type })).session)
    const password = "wrong horse"
    await refused(client().signInWithPassword({ email, password }), "invalid_credentials")
    const other = await signedIn(email), two = client({ flowType })
    assert.equal(good(await other.getClaims()).claims.email, email)
    good(await two.resetPasswordForEmail(email, { redirectTo: back }))
    const token = await ask({ code: email })
    good(await two.verifyOtp({ email, token, type: "recovery" }))
    assert(two.events.includes("PASSWORD_RECOVERY"))
    const weak = two.updateUser({ password: "short" })
    await refused(weak, "weak_password", "AuthWeakPasswordError")
    good(await two.updateUser({ password: PASSWORD }))
    // It ended the others. A page of another origin may not read the version of the answer.
    const blind = client({ storage: other.storage, fetch: async (...request) => {
        const { body, status, headers } = await fetch(...request), seen = new Headers(headers)
        seen.delete("X-Supabase-Api-Version")
        return new Response(body, { status, headers: seen })
    } })
    await refused(blind.getUser(), undefined, "AuthSessionMissingError")
    assert.equal((await other.getSession()).data.session, null)
    words.push(flowType)
}

// Two tabs, each of which refreshes, and every second answer is lost.
const email = "pkce@company.example", tab = await signedIn(email)
const tabs = [tab, client({ storage: tab.storage })]
let count = 0
loses = (path, status) => path.includes("refresh_token") && status === 200 && ++count % 2 === 0
for (let round = 0; round <= 6; round++) {
    ahead = 3_700_000 * round
    await Promise.all(tabs.map(one => one.getSession()))
    await ask({ pass: 61 })
}
loses = () => false
words.push("lost answers")

// A neighbour at the same address uses up the limit. That is no reason to sign out.
let status = 400
while (status === 400) {
    const headers = { apikey: given.key, "Content-Type": "application/json" }
    const request = { method: "POST", headers, body: '{"refresh_token":"made-up"}' }
    status = (await fetch(url + "/token?grant_type=refresh_token", request)).status
}
// The client waits up to 30 s between its tries.
loses = (_, status) => { if (status === 503) ahead += 31_000 }
ahead += 3_700_000
await tab.getSession()
await ask({ pass: 3_600 })
ahead += 61_000
assert(good(await tab.getSession()).session)
assert(good(await tab.getUser()).user)
assert(tabs.every(one => !one.events.includes("SIGNED_OUT")))
ahead = 0
words.push("limit")

// A second factor of a provider's user, whose app is a few lines of JavaScript.
const providerClient = async () => {
    const made = client(), nonce = "n-0S6_WzA2Mj-n-0S6_WzA2Mk"
    const token = await ask({ token: createHash("sha256").update(nonce).digest("hex") })
    good(await made.signInWithIdToken({ provider: "keycloak", token, nonce }))
    return made
}
const kay = await providerClient(), elsewhere = await providerClient()
const person = good(await kay.getUser()).user
assert.equal(person.user_metadata.name, "Ann Example")
assert.equal(person.identities[0].identity_data.picture, person.user_metadata.picture)
const phone = "+14155550123"
good(await kay.updateUser({ phone }))
good(await kay.verifyOtp({ phone, token: await ask({ code: phone }), type: "phone_change" }))
assert.deepEqual(await levels(kay), ["aal1", "aal1"])
const { id: factorId, totp } = good(
    await kay.mfa.enroll({ factorType: "totp", friendlyName: "phone" }))
assert(totp.uri.startsWith("otpauth://totp/"))
assert.deepEqual(good(await kay.mfa.listFactors()).totp, [])
const challengeId = good(await kay.mfa.challenge({ factorId })).id
const right = appCode(totp.secret), shown = { factorId, challengeId }
const missed = String((Number(right) + 1) % 1_000_000).padStart(6, "0")
await refused(kay.mfa.verify({ ...shown, code: missed }), "mfa_verification_failed")
good(await kay.mfa.verify({ ...shown, code: right }))
assert(kay.events.includes("MFA_CHALLENGE_VERIFIED"))
assert.deepEqual(await levels(kay), ["aal2", "aal2"])
good(await kay.refreshSession())
assert.deepEqual(await levels(kay), ["aal2", "aal2"])
assert.equal(good(await kay.mfa.listFactors()).totp[0].friendly_name, "phone")
await refused(elsewhere.getUser(), undefined, "AuthSessionMissingError")
const later = await providerClient()
assert.deepEqual(await levels(later), ["aal1", "aal2"])
await refused(later.mfa.unenroll({ factorId }), "insufficient_aal")
good(await later.mfa.challengeAndVerify({ factorId, code: appCode(totp.secret, 1) }))
words.push("factors")

// One way to sign in less, but never the last.
const ways = good(await later.getUserIdentities()).identities
assert.deepEqual(ways.map(way => way.provider).sort(), ["keycloak", "phone"])
good(await later.unlinkIdentity(ways.find(way => way.provider === "phone")))
const left = good(await later.getUserIdentities()).identities
assert.deepEqual(left.map(way => way.provider), ["keycloak"])
await refused(later.unlinkIdentity(left[0]), "single_identity_not_deletable")
good(await later.mfa.unenroll({ factorId }))
good(await later.refreshSession())
assert.deepEqual(good(await later.mfa.listFactors()).all, [])
assert.deepEqual(await levels(later), ["aal1", "aal1"])
words.push("unlinked")

// The end, of each kind.
const devices = [await signedIn(email), await signedIn(email), await signedIn(email)]
const alive = async () => {
    const found = []
    for (const one of devices) found.push(Boolean((await one.getUser()).data.user))
    return found
}
good({ data: null, ...(await devices[0].signOut({ scope: "local" })) })
assert.deepEqual(await alive(), [false, true, true])
good({ data: null, ...(await devices[1].signOut({ scope: "others" })) })
assert.deepEqual(await alive(), [false, true, false])
good({ data: null, ...(await devices[1].signOut()) })
assert.deepEqual(await alive(), [false, false, false])
words.push("sign-out")
process.stdout.write(JSON.stringify({ done: words }) + "\n", () => process.exit(0))
