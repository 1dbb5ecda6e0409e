import { decodeJwt } from 'jose'
import { beforeEach, expect, it } from 'vitest'
import { closeCircuits } from '../../lib/features/hooks/circuits.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { misbehaviors, startHookFunctions } from '../support/hook-functions.ts'
import { addRelyingParty, exchangeCode, getCode, refresh } from '../support/oidc.ts'
import { addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/* A product that lets no client go on without the claims of its function. */

const functions = closeAfterTests(await startHookFunctions())
const hook = { claims: ['plan'], onFailure: 'refuse', timeoutMs: 300 } as const
const service = await useService(functions.settingsFor({ beforeToken: hook }))
const scopes = ['openid', 'attributes', 'offline_access'] as const
const parties = {
  confidential: await addRelyingParty(service, { scopes }),
  public: await addRelyingParty(service, { scopes, type: 'public' }),
}
const ada = await addSignedIn(service)
beforeEach(closeCircuits)

const good = { claims: { plan: 'pro' } }
const planOf = ({ id_token: token }: { readonly id_token: string }) => decodeJwt(token)['plan']

const expectRefusal = ({ status, body, headers }: Awaited<ReturnType<typeof exchangeCode>>) => {
  expect([status, headers.get('retry-after')]).toEqual([503, '5'])
  expect(body).toMatchObject({
    error: 'temporarily_unavailable',
    error_description: expect.stringContaining('No code or refresh token was used up.'),
  })
}

it.each(
  Object.entries(misbehaviors).flatMap(([name, respond]) =>
    (['confidential', 'public'] as const).map((kind) => [name, kind, respond] as const),
  ),
)('a function that %s uses up no code and no refresh token of a %s client', async (_, kind, respond) => {
  const party = parties[kind]
  const code = await getCode(service, party, ada.bearer, { scope: scopes.join(' ') })
  functions.behave(respond)
  const refused = await exchangeCode(service, party, code)
  expectRefusal(refused)
  functions.answer(good)
  const { status, body } = await exchangeCode(service, party, code)
  expect([status, planOf(body)]).toEqual([200, 'pro'])
  functions.behave(respond)
  const late = await refresh(service, party, body.refresh_token)
  expectRefusal(late)
  functions.answer(good)
  const refreshed = await refresh(service, party, body.refresh_token)
  expect([refreshed.status, planOf(refreshed.body)]).toEqual([200, 'pro'])
})

it('a code is used once at most, also while the function is asked', async () => {
  functions.answer(good)
  const party = parties.confidential
  const code = await getCode(service, party, ada.bearer, { scope: scopes.join(' ') })
  const answers = await Promise.all(Array.from({ length: 10 }, () => exchangeCode(service, party, code)))
  // The second use ends what the first one got.
  expect(answers.filter(({ status }) => status === 200).length).toBeLessThan(2)
  expect(answers.filter(({ status }) => status >= 500)).toEqual([])
})
