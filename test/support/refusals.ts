import { expect } from 'vitest'
import type { Answer } from './client.ts'

/** What would tell an attacker how the service is made: stack traces, its files, its libraries and their words. */
const innerWords =
  /\bat \S+:\d+|node_modules|\.ts\b|node:|xml-crypto|xmldom|xpath|TypeError|RangeError|SyntaxError|ERR_[A-Z]|openssl|incorrect header|unexpected end of file/i

/** A refusal that tells what is wrong, and nothing of what is inside; it sets no session. */
export const expectPlainRefusal = (answer: Answer, name: string): void => {
  const type = answer.headers.get('content-type') ?? ''
  expect([name, answer.status, answer.text.slice(0, 300)]).toEqual([
    name,
    expect.toSatisfy((status: number) => status >= 400 && status < 500),
    expect.not.stringMatching(innerWords),
  ])
  expect(answer.text, name).not.toMatch(innerWords)
  expect(type, name).toMatch(/^(application\/problem\+json|text\/html)/)
  expect(
    answer.cookies.filter((line) => line.includes('lks_')),
    name,
  ).toEqual([])
}
