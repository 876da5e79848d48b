// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

const server = process.env.AUTH_SERVER

async function post(path, headers, body) {
  const signal = AbortSignal.timeout(10_000)
  const answer = await fetch(server + path, { method: "POST", headers, body, signal })
  if (!answer.ok) throw new Error(`auth-server answers ${answer.status} to ${path}`)
  return answer
}

/**
 * Asks the sign-in server whose account it is. The session that this begins there is ended; if
 * that fails, it is logged, and the person is signed in all the same.
 * @param {string | undefined} idToken
 * @returns {Promise<string>}
 */
export async function userOf(idToken) {
  const body = JSON.stringify({ idToken })
  const answer = await post("/v1/auth/id-token", { "content-type": "application/json" }, body)
  const { user, access_token } = await answer.json()
  try {
    await post("/v1/auth/sign-out", { authorization: `Bearer ${access_token}` })
  } catch (error) {
    console.error(`auth-server: the session was not ended: ${error.message}`)
  }
  return user.id
}
