import { expect, it } from 'vitest'
import type { ApiFailure } from '../../functions/pages/shared/call-api.ts'
import { describeFailure } from '../../functions/pages/shared/messages.ts'

const failure = (facts: Partial<ApiFailure>): ApiFailure => ({
  isOk: false,
  status: 400,
  retryAfterSeconds: 0,
  problem: {},
  ...facts,
})

it.each([
  [0, 'a minute'],
  [Number.NaN, 'a minute'],
  [1, 'a second'],
  [90, '90 seconds'],
  [91, '2 minutes'],
  [3600, '60 minutes'],
])('reports a rate limit of %s seconds as %s', (retryAfterSeconds, wait) => {
  const messages = describeFailure(failure({ status: 429, retryAfterSeconds }))
  expect(messages).toEqual([`Too many attempts. Wait ${wait}, then try again.`])
})

it('names each invalid field by its label and never by its API name', () => {
  const errors = [
    { field: 'new_password', message: 'must have at least 12 characters' },
    { field: 'x_y', message: 'is not allowed' },
    { field: 'password', message: 'The password was found in a data breach.' },
  ]
  expect(describeFailure(failure({ problem: { code: 'invalid_request', errors } }))).toEqual([
    'The new password must have at least 12 characters.',
    'One of your entries is not allowed.',
    'The password was found in a data breach.',
  ])
})

it('prefers the message for the reason, then for the code, then the detail of the API', () => {
  const detail = 'Username or password is wrong.'
  const describe = (problem: ApiFailure['problem']) => describeFailure(failure({ problem }))
  expect(describe({ code: 'login_incomplete', reason: 'otp_invalid', detail })[0]).toContain(
    'Wait for the next code',
  )
  expect(describe({ code: 'conflict', reason: 'unknown', detail })[0]).toContain('Someone else made a change')
  expect(describe({ code: 'login_failed', detail })).toEqual([detail])
  expect(describe({})).toEqual(['That did not work. Try again.'])
})

it('never shows the detail of a server error', () => {
  const problem = { code: 'internal_error', detail: 'The log contains the request ID.' }
  expect(describeFailure(failure({ status: 500, problem }))).toEqual([
    'Something went wrong on our side. Try again in a moment.',
  ])
})
