import { callApi } from '../kit/call-api.ts'
import { proveFor } from '../kit/call-with-proof.ts'
import { leavePage } from '../kit/leave-page.ts'

/** The paths that start a sign-in at an identity provider. */
const startPath = /^\/api\/2\/auth\/[a-z-]+\/\d{1,10}\/[a-z]+$/

/** What a start may ask for here. Linking an account and tests need a click of the person. */
const startParameters = ['return_to', 'force_authn', 'multi_factor'] as const

/**
 * Reads the start that the service sent the browser away from, because its network has to prove work. Another site can write the address,
 * so only parameters that it could send itself are taken.
 */
const readStart = (): URL | undefined => {
  const given = new URLSearchParams(location.search).get('start')
  if (!given || !URL.canParse(given, location.origin)) return undefined
  const { origin, pathname, searchParams } = new URL(given, location.origin)
  if (origin !== location.origin || !startPath.test(pathname)) return undefined
  const start = new URL(pathname, location.origin)
  for (const name of startParameters) {
    const value = searchParams.get(name)
    if (value !== null) start.searchParams.set(name, value)
  }
  start.searchParams.set('prove', 'true')
  return start
}

/** Makes the proof for a sign-in at an identity provider, and starts it. Without one, the person chooses again on the page. */
export const startWithProof = async (): Promise<void> => {
  const start = readStart()
  if (!start) return
  history.replaceState(history.state, '', location.pathname)
  const answer = await callApi('GET', `${start.pathname}${start.search}`)
  const proof = answer.isOk ? undefined : await proveFor(answer)
  if (proof === undefined) return
  start.searchParams.set('proof', proof)
  await leavePage(start.href, { replaces: true })
}
