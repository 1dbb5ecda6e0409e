import { expect, it } from 'vitest'
import { watchAnswers } from '../support/declared-answers.ts'

const json = { 'content-type': 'application/json' }

it('accepts answers that their operations declare', () => {
  const { watch, verify } = watchAnswers({ checksBodies: true })
  watch('POST /api/2/auth/continue', { statusCode: 200, headers: json, body: '{"location":"/account"}' })
  watch('DELETE /api/2/users/{id}', { statusCode: 204 })
  expect(verify).not.toThrow()
})

it('finds a body, and a status, that an operation does not declare', () => {
  const { watch, verify } = watchAnswers({ checksBodies: true })
  watch('GET /api/2/users/me', { statusCode: 200, headers: json, body: '{"id":"secret"}' })
  watch('DELETE /api/2/users/{id}', { statusCode: 202 })
  expect(verify).toThrow(
    /body that does not match its declaration: .*delete_user does not declare the status 202/,
  )
  expect(verify).not.toThrow('"secret"')
})
