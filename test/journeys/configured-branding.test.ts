import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it, vi } from 'vitest'
import { brandingCacheMs } from '../../lib/kernel/limits/limits.ts'
import { environmentOf, makeFolder, startCommand } from '../cli/command.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { deployerEnvironment, startFunctionUrl } from '../support/config-function.ts'
import { makePng } from '../support/images.ts'
import { addSignedIn, callAs } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/* The team of a product keeps the logos of the service and of the product in files beside its code. */

vi.useFakeTimers({ toFake: ['Date'] })
const service = await useService({
  ALLOWED_ORIGINS: 'https://shop.example',
  LINK_URL: 'Shop=https://shop.example/{id}',
})
const { url } = closeAfterTests(await startFunctionUrl(service))
const folder = makeFolder()
afterAll(() => {
  vi.useRealTimers()
  folder.remove()
})

const run = (...args: readonly string[]) =>
  startCommand('config', [...args, '--function', url], { ...environmentOf(), ...deployerEnvironment }).ended
const apply = async () => {
  const { code, stdout, stderr } = await run('apply', join(folder.path, 'latchkey.yaml'), '--yes', '--prune')
  expect([code, stderr]).toEqual([0, ''])
  return stdout
}

/** The logo that a page shows, as the browser gets it. Undefined for none. */
const openPage = async (path: string) => {
  // Pages show a change within seconds.
  vi.setSystemTime(Date.now() + brandingCacheMs + 1)
  const { status, text } = await service.client('GET', path)
  expect(status).toBe(200)
  const [address] = /\/logos\/[0-9a-f]{64}/.exec(text) ?? []
  if (address === undefined) return undefined
  const image = await fetch(`${service.url}${address}`)
  return { type: image.headers.get('content-type'), bytes: Buffer.from(await image.arrayBuffer()) }
}
const signIn = '/'
const shop = '/?product=Shop'

it('a team puts logos on the pages of the service and its product, changes one, and takes them back', async () => {
  writeFileSync(join(folder.path, 'logo.png'), makePng(80, 20))
  writeFileSync(join(folder.path, 'shop.png'), makePng(90, 20))
  folder.file(
    'latchkey.yaml',
    `schema_version: 1
owner: film-library
branding: { product_name: Films, logo: { file: ./logo.png } }
products:
  Shop: { product_name: Film shop, logo: { file: shop.png } }
`,
  )
  expect(await apply()).toContain('Applied product_branding Shop.\n')
  expect(await openPage(signIn)).toEqual({ type: 'image/png', bytes: makePng(80, 20) })
  expect(await openPage(shop)).toEqual({ type: 'image/png', bytes: makePng(90, 20) })

  writeFileSync(join(folder.path, 'shop.png'), makePng(100, 20))
  const diff = await run('diff', join(folder.path, 'latchkey.yaml'))
  expect(diff.code).toBe(2)
  expect(diff.stdout).toMatch(
    /^~ product_branding Shop\n {4}logo: image\/png, 90 × 20 pixels, sha256 \w{12}… -> image\/png, 100 × 20 pixels, sha256 \w{12}…\n/,
  )
  await apply()
  expect(await openPage(signIn)).toEqual({ type: 'image/png', bytes: makePng(80, 20) })
  expect(await openPage(shop)).toEqual({ type: 'image/png', bytes: makePng(100, 20) })
  expect(await apply()).toBe('2 unchanged.\n')

  const exported = await run('export', join(folder.path, 'exported.yaml'), '--owner', 'film-library')
  expect([exported.code, exported.stderr]).toEqual([0, ''])
  expect((await run('diff', join(folder.path, 'exported.yaml'))).stdout).not.toContain('branding')

  // The product shows the logo of the service again, and then there is none.
  folder.file(
    'latchkey.yaml',
    'schema_version: 1\nowner: film-library\nbranding: { logo: { file: ./logo.png } }\nproducts: { Shop: {} }\n',
  )
  await apply()
  expect(await openPage(shop)).toEqual({ type: 'image/png', bytes: makePng(80, 20) })
  folder.file(
    'latchkey.yaml',
    'schema_version: 1\nowner: film-library\nbranding: {}\nproducts: { Shop: {} }\n',
  )
  await apply()
  expect([await openPage(signIn), await openPage(shop)]).toEqual([undefined, undefined])
})

it('a team writes words of emails in its file, learns where a mistake is, and takes a row back', async () => {
  const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
  const read = async (language: string) =>
    (await callAs(service, admin)('GET', `branding/email-texts/service/sign_up/${language}`)).body
  const write = (rows: readonly string[]) =>
    folder.file(
      'words.yaml',
      ['schema_version: 1', 'owner: words', 'email_texts:', '  service:', '    sign_up:', ...rows, ''].join(
        '\n',
      ),
    )
  const row = (language: string, line: string) => [
    `      ${language}:`,
    '        subject: Welcome to {product}',
    '        body: |',
    `          ${line}`,
    '          [Go on]({link})',
  ]
  const applyWords = () => run('apply', join(folder.path, 'words.yaml'), '--yes')
  write([...row('en', 'Hello'), ...row('de', 'Hallo {produkt}')])
  const refused = await applyWords()
  expect(refused.code).not.toBe(0)
  expect(refused.stderr).toMatch(
    /words\.yaml has a problem:\n {2}13:\d+ email_texts\.service\.sign_up\.de\.body line 1: has the unknown variable \{produkt\}\. .* Did you mean \{product\}\?/,
  )
  expect(await read('en')).toMatchObject({ body: null, versions: [] })
  write([...row('en', 'Hello'), ...row('de', 'Hallo {product}')])
  expect((await applyWords()).stdout).toContain('Applied email_texts service.\n')
  expect(await read('de')).toMatchObject({
    subject: 'Welcome to {product}',
    versions: [{ changed_by: null }],
  })
  write(row('en', 'Hello'))
  expect((await applyWords()).stderr).toBe('')
  expect([(await read('en')).body, (await read('de')).body]).toEqual(['Hello\n[Go on]({link})\n', null])
  expect((await applyWords()).stdout).toBe('1 unchanged.\n')
})
