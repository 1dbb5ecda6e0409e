import { expect } from 'vitest'
import type { Answer } from './client.ts'

/** Details that would help an attacker: stack traces, file names, libraries, and their error messages. */
const internalDetails =
  /\bat \S+:\d+|node_modules|\.ts\b|node:|xml-crypto|xmldom|xpath|TypeError|RangeError|SyntaxError|ERR_[A-Z]|openssl|incorrect header|unexpected end of file/i

/** Expects a rejection that reveals no internal details and sets no session cookie. */
export const expectPlainRefusal = (answer: Answer, name: string): void => {
  const type = answer.headers.get('content-type') ?? ''
  expect([name, answer.status, answer.text.slice(0, 300)]).toEqual([
    name,
    expect.toSatisfy((status: number) => status >= 400 && status < 500),
    expect.not.stringMatching(internalDetails),
  ])
  expect(answer.text, name).not.toMatch(internalDetails)
  expect(type, name).toMatch(/^(application\/problem\+json|text\/html)/)
  expect(
    answer.cookies.filter((line) => line.includes('lks_')),
    name,
  ).toEqual([])
}
