import { expect, it } from 'vitest'
import { addRelyingParty, exchangeCode, getCode, postToken, proveClient, refresh } from '../support/oidc.ts'
import { addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const service = await useService({ RATE_LIMITS: 'lookUpFailures=5/600' })
const person = await addSignedIn(service)
const party = await addRelyingParty(service)

it('counts wrong secrets, codes and refresh tokens against the network, and serves good ones', async () => {
  const issued = await getCode(service, party, person.bearer)
  const wrong = { ...proveClient(party), client_secret: 'lko_guess' }
  const attempts = [
    () => postToken(service, { grant_type: 'refresh_token', refresh_token: 'x', ...wrong }),
    () => refresh(service, party, 'guess'),
    () => exchangeCode(service, party, { ...issued, code: 'guess' }),
  ]
  const answers = []
  for (let at = 0; at < 8; at++) answers.push(await attempts[at % 3]?.())
  expect(answers.map((answer) => answer?.status)).toEqual([401, 400, 400, 401, 400, 429, 429, 429])
  const last = answers.at(-1)
  expect(last?.body.error).toBe('temporarily_unavailable')
  expect(Number(last?.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await exchangeCode(service, party, issued)).status).toBe(200)
})
