import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { readVerifyArguments } from '../../../cli/verify/command.ts'
import { startStub } from '../../infra/stub-server.ts'
import { clientOf } from '../../support/client.ts'
import { closeAfterTests } from '../../support/close-after-tests.ts'
import { endServices, startService as startLocalMode } from '../../support/local-service.ts'
import { addSignedIn } from '../../support/people.ts'
import { makeFolder, startVerify } from '../command.ts'
import { idsOf, onPath, startChangingService, verifyAt } from './changing-service.ts'

const running = closeAfterTests(await startChangingService())
const folder = makeFolder()
afterEach(() => running.setChange(() => {}))
afterAll(() => folder.remove())

/** Lines that a terminal would break. A long word, such as an address, stays whole. */
const findWide = (output: string): readonly string[] =>
  output.split('\n').filter((line) => line.length > 80 && line.trim().includes(' '))

describe('what the checks create', () => {
  it('is deleted although the answer with its ID was lost', async () => {
    running.setChange(onPath(/^POST \/api\/2\/users$/, () => 'break'))
    const results = await running.verify()
    expect(idsOf(results, 'failed')).toEqual(['user'])
    expect(results.find(({ id }) => id === 'clean-up')?.status).toBe('ok')
    expect(await running.findRemaining()).toEqual([])
  })

  it('is deleted although the command was interrupted', async () => {
    const interruption = new AbortController()
    const results = await running.verify(
      {},
      {
        signal: interruption.signal,
        onResult: ({ id }) => {
          if (id === 'access-link') interruption.abort()
        },
      },
    )
    expect(results.find(({ id }) => id === 'mail')?.detail).toBe('The command was interrupted.')
    expect(results.find(({ id }) => id === 'clean-up')?.status).toBe('ok')
    expect(await running.findRemaining()).toEqual([])
  })

  it('is named if it cannot be deleted', async () => {
    running.setChange(
      onPath(/^DELETE \/api\/2\/users/, (answer) => {
        answer.status = 403
      }),
    )
    const results = await running.verify()
    expect(idsOf(results, 'failed')).toEqual(['clean-up'])
    expect(results.find(({ id }) => id === 'clean-up')?.advice).toMatch(/Delete the user latchkey-verify-/)
  })

  it('is nothing if the service refuses to create it', async () => {
    const { bearer } = await addSignedIn(running.service)
    const failed = idsOf(await running.verify({ token: bearer }), 'failed')
    expect(failed).toEqual(expect.arrayContaining(['administrator', 'user']))
    expect(failed).not.toContain('clean-up')
  })
})

describe('the command', () => {
  it('prints the results, and writes a report without secrets', async () => {
    const { admin } = running
    running.setChange(
      onPath(/deep=true|\/me$/, (answer) => {
        answer.status = 400
        answer.body = JSON.stringify({
          code: 'echo',
          detail: `${admin} ops@example.com \u001b[31m 123456789012`,
        })
      }),
    )
    const report = `${folder.path}/report.json`
    const args = ['--url', running.url, '--mail-to', 'ops@example.com', '--report', report]
    const { code, stdout, stderr } = await startVerify(args, { LATCHKEY_TOKEN: admin }).ended
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
    expect(stdout).toMatch(/^ok {7}Health \(health\): Version /m)
    expect(stdout).toMatch(/^failed {3}Parts of the service \(parts\): .*\n(?: {9}.*\n)* {9}→ /m)
    expect(findWide(stdout)).toEqual([])
    const json = JSON.parse(await readFile(report, 'utf8'))
    expect(json).toMatchObject({ url: running.url, failed: 2 })
    const written = JSON.stringify(json) + (await readFile(`${report}.txt`, 'utf8')) + stdout
    for (const secret of [admin, 'ops@example.com', '123456789012', '\u001b', '\\u001b', 'lks_', 'lka_'])
      expect(written).not.toContain(secret)
    expect(await running.findRemaining()).toEqual([])
  })

  it('follows no redirect, so that no other server gets a credential', async () => {
    const requests: string[] = []
    const other = await startStub(({ path }) => {
      requests.push(path)
      return { status: 200, body: '{}' }
    })
    running.setChange(
      onPath(/^GET/, (answer) => {
        answer.status = 307
        answer.headers.set('location', `${other.url}/elsewhere`)
      }),
    )
    const results = await running.verify()
    await other.close()
    expect(requests).toEqual([])
    expect(results.find(({ id }) => id === 'administrator')?.detail).toContain(`a redirect to ${other.url}`)
  })

  it('names checks together that are skipped for the same reason', async () => {
    const { stdout } = await startVerify(['--url', running.url]).ended
    expect(stdout).toMatch(/^skipped {2}administrator, parts, lists, user: Set LATCHKEY_TOKEN to /m)
    expect(stdout.match(/Pass --stack/g)).toHaveLength(1)
    expect(findWide(stdout)).toEqual([])
  })

  it('deletes what it created when it is interrupted', async () => {
    const command = startVerify(['--url', running.url], { LATCHKEY_TOKEN: running.admin })
    running.setChange(
      onPath(/auth\/login/, () => {
        // Once: a second signal could meet a process that is about to exit, and does not handle it any more.
        running.setChange(() => {})
        command.process.kill('SIGINT')
      }),
    )
    expect((await command.ended).code).toBe(130)
    expect(await running.findRemaining()).toEqual([])
  })

  it('prints help that fits a terminal', async () => {
    const { code, stdout } = await startVerify(['--help']).ended
    expect(code).toBe(0)
    expect(findWide(stdout)).toEqual([])
  })

  const url = ['--url', 'https://auth.example.com']
  it.each([
    [[], 'verify needs --url'],
    [['--url', 'https://auth.example.com/'], 'verify needs --url'],
    [['--url', 'ftp://auth.example.com'], 'verify needs --url'],
    [['--url', 'http://auth.example.com'], '--url must begin with https://'],
    [['--url', 'http://127.0.0.1.example.com'], '--url must begin with https://'],
    [[...url, 'more'], 'verify takes no "more".'],
    [[...url, '--token', 'lks_1'], 'Unknown option --token'],
    [[...url, '--mail-to', 'ops'], '--mail-to must be one email address.'],
    [[...url, '--stack', 'arn:aws:x'], '--stack must be the name of a CloudFormation stack.'],
    [[...url, '--table', 'a/b'], '--table must be the name of a DynamoDB table.'],
  ])('rejects the arguments %j', (args, sentence) => {
    expect(() => readVerifyArguments(args, {})).toThrow(sentence)
  })

  it('rejects a variable that is no credential, and does not print it', () => {
    const read = (token: string) => () => readVerifyArguments(url, { LATCHKEY_TOKEN: token })
    expect(read('lks_secret with spaces')).toThrow(/^LATCHKEY_TOKEN must be a session key or an API token/)
    expect(read('lks_secret with spaces')).not.toThrow(/secret with/)
  })

  it('reports a file that it cannot write before it checks anything', async () => {
    const { code, stderr } = await startVerify(['--url', running.url, '--report', '/nowhere/r.json']).ended
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr:
        'The report cannot be written to /nowhere/r.json (ENOENT). Choose another file with --report.\n',
    })
  })
})

it('passes local mode, as npm start runs it', async () => {
  const password = randomUUID()
  const service = await startLocalMode({ DATA_DIR: ':memory:', ADMIN_PASSWORD: password })
  const { body } = await clientOf(service.url)('POST', '/api/2/auth/login', {
    body: { username: 'admin', password },
  })
  const args = ['--url', service.url, '--mail-to', 'ops@example.com']
  const { code, stdout } = await startVerify(args, { LATCHKEY_TOKEN: body.session_key }).ended
  await endServices()
  expect(stdout.match(/^failed .*/gm)).toBe(null)
  expect(stdout).toMatch(/^ok {7}Email \(mail\): /m)
  expect(code).toBe(0)
})

describe('the documentation', () => {
  const sources = readdirSync('cli/verify').map((name) => readFileSync(`cli/verify/${name}`, 'utf8'))

  it('has the section that each advice names', () => {
    const named = sources.flatMap((text) => [...text.matchAll(/'(docs\/[\w/-]+\.md)#([\w-]+)'/g)])
    expect(named.length).toBeGreaterThan(30)
    for (const [, file = '', anchor] of named) {
      const headings = readFileSync(file, 'utf8').match(/^#+ .*$/gm) ?? []
      const anchors = headings.map((line) => line.replace(/^#+ /, '').toLowerCase().replaceAll(' ', '-'))
      expect(anchors, file).toContain(anchor)
    }
  })

  it('explains each check by its name', async () => {
    const results = await verifyAt('http://127.0.0.1:1')
    const rows = readFileSync('docs/deploy.md', 'utf8').match(/^\| `.*/gm) ?? []
    const explained = rows.flatMap((row) => [...(row.split(' | ')[0] ?? '').matchAll(/`([\w-]+)`/g)])
    expect(explained.map(([, id]) => id)).toEqual(expect.arrayContaining(results.map(({ id }) => id)))
  })
})
