import { beforeEach, expect, it } from 'vitest'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { startHookFunctions } from '../support/hook-functions.ts'
import { addRelyingParty, exchangeCode, getCode } from '../support/oidc.ts'
import { addPerson, addSignedIn, trySignIn } from '../support/people.ts'
import { storeSignInPolicy } from '../support/sign-in-policy.ts'
import { useWatchedService } from '../support/watched-table.ts'

/* What sign-ins and tokens read to know whether an administrator turned a hook off: no more calls than without hooks. */

const functions = closeAfterTests(await startHookFunctions())
const service = await useWatchedService(
  functions.settingsFor({ afterSignIn: {}, beforeToken: { claims: ['plan'] } }),
)
functions.answer({ decision: 'continue' })
await storeSignInPolicy(service, {})
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const plain = await addRelyingParty(service, { scopes: ['openid'] })
const withClaims = await addRelyingParty(service, { scopes: ['openid', 'attributes'] })

beforeEach(() => functions.answer({ decision: 'continue' }))

const count = async (work: () => Promise<unknown>): Promise<readonly string[]> => {
  const calls: string[] = []
  service.watch(({ action }) => {
    calls.push(action)
    return undefined
  })
  await work()
  service.restore()
  return calls.sort()
}

const turn = (name: string, isOff: boolean) =>
  service.client('PATCH', `/api/2/hooks/${name}`, {
    bearer: admin.bearer,
    body: { turned_off: isOff },
  })

it('a sign-in makes as many calls with the hook as while it is off', async () => {
  const signIn = async () => {
    const person = await addPerson(service)
    return count(() => trySignIn(service, person))
  }
  await signIn()
  const asked = await signIn()
  await turn('afterSignIn', true)
  functions.questions.length = 0
  expect(await signIn()).toEqual(asked)
  expect(functions.questions).toEqual([])
  await turn('afterSignIn', false)
})

it('tokens take the same calls with the hook, while it is off, and for a client without its claims', async () => {
  const person = await addSignedIn(service)
  const exchange = async (party: typeof plain, scope: string) => {
    const code = await getCode(service, party, person.bearer, { scope })
    return count(() => exchangeCode(service, party, code))
  }
  functions.answer({ claims: { plan: 'pro' } })
  // The first request of a session notes that its user was seen.
  await exchange(plain, 'openid')
  const withoutClaims = await exchange(plain, 'openid')
  await exchange(withClaims, 'openid attributes')
  const withHook = await exchange(withClaims, 'openid attributes')
  await turn('beforeToken', true)
  expect(await exchange(withClaims, 'openid attributes')).toEqual(withHook)
  expect(withHook).toEqual(withoutClaims)
  await turn('beforeToken', false)
})
