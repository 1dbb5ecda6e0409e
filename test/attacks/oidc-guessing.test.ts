import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  addRelyingParty,
  exchangeCode,
  getCode,
  postToken,
  proveClient,
  type RelyingParty,
  refresh,
} from '../support/oidc.ts'
import { addSignedIn, type SignedInPerson } from '../support/people.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let person: SignedInPerson
let party: RelyingParty
beforeAll(async () => {
  service = await startService({ RATE_LIMITS: 'lookUpFailures=5/600' })
  person = await addSignedIn(service)
  party = await addRelyingParty(service)
})
afterAll(() => service.close())

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
