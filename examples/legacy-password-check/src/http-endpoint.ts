import { type Answer, callMs, type Question } from './question.ts'

/** The address that the sign-in form of the old system sends to. */
const { OLD_SIGN_IN_URL = '' } = process.env

/**
 * Checks a password at an old system with an endpoint for sign-ins. Change the body and the statuses to those of your
 * system. Answer `false` only if it says that the password is wrong.
 */
export const handler = async ({ username, password }: Question): Promise<Answer> => {
  const response = await fetch(OLD_SIGN_IN_URL, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ login: username, password }),
    // Another address must not get the password.
    redirect: 'error',
    signal: AbortSignal.timeout(callMs),
  })
  await response.body?.cancel()
  if (response.status === 200) return { is_correct: true }
  if (response.status === 401) return { is_correct: false }
  throw new Error(`The old system answered with status ${response.status}.`)
}
