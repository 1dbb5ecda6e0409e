import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { environmentOf, makeFolder, startCommand } from '../cli/command.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { deployerEnvironment, startFunctionUrl } from '../support/config-function.ts'
import { addSignedIn, callAs } from '../support/people.ts'
import { useService } from '../support/use-service.ts'
import { unique } from './support.ts'

const service = await useService()
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const call = callAs(service, admin)
const folder = makeFolder()
afterAll(() => folder.remove())

const functionUrl = closeAfterTests(await startFunctionUrl(service))
const run = (...args: readonly string[]) =>
  startCommand('config', args, { ...environmentOf(), ...deployerEnvironment }).ended
const runOn = (...args: readonly string[]) => run(...args, '--function', functionUrl.url)

const name = unique('films')
const file = folder.file(
  'latchkey.yaml',
  `schema_version: 1
owner: ${name}
groups:
  ${name}: { name: ${name}, permissions: ["films:view"] }
clients:
  ${name}:
    name: ${name}
    redirect_uris: [https://films.example.com/callback]
`,
)

it('takes a person from an export of nothing to an applied file and back', async () => {
  const shown = await runOn('diff', file)
  expect(shown).toMatchObject({ code: 2, stderr: '' })
  expect(shown.stdout).toBe(`+ group ${name} (gives rights)
    name: "${name}"
    permissions: ["films:view"]
+ client ${name} (gives rights)
    name: "${name}"
    redirect_uris: ["https://films.example.com/callback"]

2 to create.
`)
  const refused = await runOn('apply', file, '--yes')
  expect(refused.code).toBe(1)
  expect(refused.stderr).toBe(
    `Nothing was changed. Add --outputs FILE: the service makes a secret for ${name}, which it shows only once.\n`,
  )
  expect((await call('GET', `groups?name=${name}`)).body).toEqual([])

  const outputs = join(folder.path, 'outputs.json')
  const asked = await runOn('apply', file, '--outputs', outputs)
  expect(asked).toMatchObject({
    code: 1,
    stderr: 'Nothing was changed. Add --yes to apply without a question.\n',
  })
  const applied = await runOn('apply', file, '--yes', '--outputs', outputs)
  expect(applied.stdout).toContain(`Applied client ${name}.\n`)
  expect(applied.code).toBe(0)
  expect(statSync(outputs).mode & 0o777).toBe(0o600)
  const { clients } = JSON.parse(readFileSync(outputs, 'utf8'))
  const { client_id, client_secret } = clients[name]
  expect(applied.stdout + applied.stderr).not.toContain(client_secret)
  const { body } = await call('GET', `oidc-clients?filter=${name}`)
  expect(body).toMatchObject([{ client_id, has_client_secret: true }])

  // The secret is that of the client.
  const credentials = Buffer.from(`${client_id}:${client_secret}`).toString('base64')
  const introspect = (authorization: string) =>
    service.client('POST', '/oauth2/introspect', {
      headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
      raw: 'token=none',
    })
  expect((await introspect(`Basic ${credentials}`)).body).toEqual({ active: false })

  expect(await runOn('diff', file)).toMatchObject({ code: 0, stdout: '2 unchanged.\n' })
  const again = await runOn('apply', file, '--yes', '--outputs', outputs)
  expect(again).toMatchObject({ code: 0, stdout: '2 unchanged.\n' })
  expect(JSON.parse(readFileSync(outputs, 'utf8')).clients[name]).toEqual({ client_id, client_secret })

  const exported = await runOn('export', join(folder.path, 'exported.yaml'), '--owner', name)
  expect(exported).toMatchObject({ code: 0, stderr: '' })
  expect(await runOn('diff', join(folder.path, 'exported.yaml'))).toMatchObject({
    stdout: expect.stringContaining('unchanged.'),
  })
})

describe('a file that is wrong', () => {
  const validate = async (content: string) => {
    const path = folder.file('wrong.yaml', content)
    const { code, stderr } = await run('validate', path)
    return { code, lines: stderr.trimEnd().split('\n') }
  }

  it('is refused with a line and a column for each problem', async () => {
    const { code, lines } = await validate(`schema_version: 1
owner: Shop
client: {}
clients:
  web:
    name: ''
    redirect_url: https://films.example.com
    redirect_uris: [1]
  __proto__: { name: a, redirect_uris: [] }
groups:
  constructor: { permissions: [] }
`)
    expect(code).toBe(1)
    expect(lines).toEqual([
      'wrong.yaml has 7 problems:',
      '  2:1 owner must begin with a letter, and have up to 50 lower-case letters, digits and hyphens',
      '  11:16 groups.constructor.name is required',
      '  6:5 clients.web.name must not be empty',
      '  8:21 clients.web.redirect_uris.0 must be a text',
      '  7:5 clients.web.redirect_url is not recognized. Did you mean redirect_uris?',
      '  3:1 client is not recognized. Did you mean clients?',
      '  9:3 clients.__proto__ must begin with a letter, and have up to 50 lower-case letters, digits and hyphens',
    ])
  })

  it.each([
    [
      'of a later version',
      'schema_version: 2\nowner: shop\n',
      '1:1 schema_version is 2, but this version of Latchkey knows only 1',
    ],
    ['with a repeated key', 'schema_version: 1\nowner: a\nowner: b\n', 'Map keys must be unique'],
    ['that is no YAML', 'clients: [', '1:'],
    [
      'with a text in place of a list',
      'schema_version: 1\nowner: a\nclients: { web: { name: Web, redirect_uris: text } }\n',
      /^wrong.yaml has a problem:\n {2}3:30 clients.web.redirect_uris must be a list$/m,
    ],
    [
      'with a list in place of things',
      'schema_version: 1\nowner: a\nclients: []\n',
      /^wrong.yaml has a problem:\n {2}3:1 clients must be an object$/m,
    ],
    [
      'with two documents',
      'schema_version: 1\nowner: a\n---\nschema_version: 1\nowner: b\n',
      /^ {2}\d:\d A second document begins. A file has one document: write the other one into a file of its own.$/m,
    ],
    ['that is empty', '', 'document must not be null'],
    ['that is a list', '- a\n', 'must be an object'],
    [
      'in which aliases stand for a billion nodes',
      `a: &a [x, x, x, x, x, x, x, x, x]\n${['b', 'c', 'd', 'e', 'f', 'g', 'h', 'i']
        .map((key, at) => `${key}: &${key} [${Array(9).fill(`*${'abcdefgh'[at]}`).join(', ')}]\n`)
        .join('')}`,
      'has too many aliases',
    ],
    ['that contains itself', 'schema_version: 1\nowner: a\ngroups: &a\n  b: *a\n', ''],
    ['of 3 MB', `# ${'x'.repeat(3 * 1024 * 1024)}\n`, 'has more than 2 MB'],
  ])('is refused %s', async (_, content, sentence) => {
    const { code, lines } = await validate(content)
    expect(code).toBe(1)
    if (typeof sentence === 'string') expect(lines.join('\n')).toContain(sentence)
    else expect(lines.join('\n')).toMatch(sentence)
    expect(lines.join('\n')).not.toMatch(/parseAllDocuments|record/)
    expect(lines.length).toBeLessThan(20)
  })

  it.each([
    ['a comma after the last entry', '{\n  "schema_version": 1,\n  "owner": "shop",\n}\n', '4:1'],
    ['a comment', '{\n  // ours\n  "schema_version": 1, "owner": "shop" }\n', ''],
    ['a name without quotation marks', '{ schema_version: 1, "owner": "shop" }', '1:3'],
    ['an end that is missing', '{ "schema_version": 1, "owner": "shop"', ''],
    ['YAML', 'schema_version: 1\nowner: shop\n', 'This is not JSON.'],
  ])('is refused as JSON with %s', async (_, content, place) => {
    const { code, stderr } = await run('validate', folder.file('wrong.json', content))
    expect(code).toBe(1)
    expect(stderr).toContain(`wrong.json has a problem:\n  ${place}`)
  })

  it('is accepted as JSON', async () => {
    const right = folder.file('right.json', '{\n\t"schema_version": 1,\n\t"owner": "shop"\n}\n')
    expect(await run('validate', right)).toMatchObject({ code: 0, stderr: '' })
  })

  it('can be a module that throws or exports nothing', async () => {
    const throwing = folder.file('throws.mjs', 'throw new Error("no stage")')
    expect((await run('validate', throwing)).stderr).toBe('throws.mjs cannot be run: no stage\n')
    const empty = folder.file('empty.mjs', 'export const owner = 1')
    expect((await run('validate', empty)).stderr).toBe('empty.mjs must export its document as default.\n')
  })

  it.each([
    ['that npm 11 makes', { type: 'commonjs' }],
    ['that npm 10 makes', {}],
    ['of modules', { type: 'module' }],
  ])('is a module in a folder %s, with the files that it imports', async (_, manifest) => {
    const product = makeFolder()
    product.file('package.json', JSON.stringify(manifest))
    for (const extension of ['ts', 'js']) {
      const cast = extension === 'ts' ? ': string' : ''
      product.file(`owner.${extension}`, `export const owner${cast} = 'shop'`)
      const file = product.file(
        `latchkey.config.${extension}`,
        `import { owner } from './owner.${extension}'\nexport default { schema_version: 1, owner }`,
      )
      expect(await run('validate', file)).toMatchObject({ code: 0, stderr: '' })
    }
    product.remove()
  })
})
