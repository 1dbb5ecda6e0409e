import { randomBytes } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { readLeaksArguments } from '../../cli/leaks/command.ts'
import { mintCredential } from '../../lib/kernel/secrets/credentials.ts'
import { startStub } from '../infra/stub-server.ts'
import { addSignedIn, signIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'
import { makeFolder, runLeaks } from './command.ts'

const service = await useService()
const folder = makeFolder()
afterAll(() => folder.remove())

const status = async (bearer: string) => (await service.client('GET', '/api/2/users/me', { bearer })).status

describe('report', () => {
  it('ends every credential in a file, prints none of them, and changes nothing in a dry run', async () => {
    const person = await addSignedIn(service)
    const others = [await signIn(service, person), await signIn(service, person)]
    const mistyped = `${mintCredential('session', 1).value.slice(0, -1)}!`
    const log = folder.file(
      'leaked.log',
      `GET /?t=${others[0]}&x=1\r\n{"token":"${others[1]}"} ${others[1]} ${mistyped}\n`,
    )
    const dry = await runLeaks(['report', log, '--url', service.url, '--dry-run'])
    expect(dry).toEqual({ code: 0, stdout: 'session: 2\n', stderr: '' })
    expect(await status(others[0] ?? '')).toBe(200)
    const { code, stdout, stderr } = await runLeaks(['report', log, '--url', service.url])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toBe('session: 2\n2 credentials reported.\n')
    for (const bearer of others) expect(await status(bearer)).toBe(401)
    expect(await status(person.bearer)).toBe(200)
    expect((await runLeaks(['report', log, '--url', service.url])).code).toBe(0)
  })

  it('ends API tokens with custom values, one in each line', async () => {
    const { bearer } = await addSignedIn(service)
    const token = randomBytes(32).toString('base64url')
    const body = { name: 'custom', token }
    expect((await service.client('POST', '/api/2/api-tokens', { bearer, body })).status).toBe(201)
    const file = folder.file('values.txt', `\n  ${token}  \nnot a credential\n`)
    expect((await runLeaks(['report', file, '--url', service.url])).stdout).toBe('0 credentials reported.\n')
    expect(await status(token)).toBe(200)
    const reported = await runLeaks(['report', file, '--url', service.url, '--values'])
    expect(reported.stdout).toBe('other value: 2\n2 credentials reported.\n')
    expect(await status(token)).toBe(401)
  })

  it('waits as long as the service asks, and gives up after other answers', async () => {
    const file = folder.file('one.txt', mintCredential('api_token', 1).value)
    const seen: number[] = []
    const answers = [429, 204, 400]
    const stub = await startStub(() => {
      const next = answers[seen.length] ?? 500
      seen.push(next)
      return { status: next }
    })
    expect((await runLeaks(['report', file, '--url', stub.url])).code).toBe(0)
    expect(seen).toEqual([429, 204])
    expect(await runLeaks(['report', file, '--url', stub.url])).toMatchObject({
      code: 2,
      stderr: 'The service answered with status 400. Run the same command again.\n',
    })
    await stub.close()
    expect(await runLeaks(['report', file, '--url', stub.url])).toMatchObject({
      code: 2,
      stderr: `${stub.url} cannot be reached. Run the same command again.\n`,
    })
  })
})

it('prints help that fits a terminal', async () => {
  const { code, stdout } = await runLeaks(['--help'])
  expect(code).toBe(0)
  expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([])
})

it.each([
  [[], 'Use report. See --help.'],
  [['end'], 'Unknown command "end".'],
  [['report', '--url', 'https://auth.example.com'], 'report needs FILE. See --help.'],
  [['report', 'a', 'b'], 'report takes one FILE, but 2 were given.'],
  [['report', 'a'], 'report needs --url'],
  [['report', 'a', '--url', 'https://auth.example.com/'], 'report needs --url'],
])('rejects the arguments %j', (args, sentence) => {
  expect(() => readLeaksArguments(args)).toThrow(sentence)
})
