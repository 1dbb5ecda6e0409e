import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { operations } from '../../lib/features/operations.ts'
import { inlineCodeIn } from './markdown.ts'

/* What the page says is missing is missing. An engineer who adds it finds out here. */

const page = readFileSync('docs/not-included.md', 'utf8')
const ids = Object.values(operations).map(({ id }) => id)

it.each([
  ['organizations', /organi[sz]ation|tenant|realm/],
  ['SCIM', /scim|ldap/],
  ['SMS', /sms|phone/],
  ['webhooks', /webhook/],
  ['CAPTCHA', /captcha|challenge_proof/],
  ['remembered devices', /remembered|trusted_device/],
  ['risk scores', /risk/],
  ['exchange tokens', /exchange_token|token_exchange/],
  ['inside the service from CDK', /configuration_(apply|plan)|apply_config/],
])('no operation is about %s, as the page says', (name, pattern) => {
  expect(page).toContain(name)
  expect(ids.filter((id) => pattern.test(id))).toEqual([])
})

it('each operation that is named as a way around exists', () => {
  const named = inlineCodeIn(page).filter((code) => /^[a-z]+_[a-z_]+$/.test(code))
  expect(named.length).toBeGreaterThan(1)
  for (const id of named) expect(ids).toContain(id)
})
