import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { describePlan } from '../../cli/config/describe-plan.ts'
import { separateImages } from '../../cli/config/export-images.ts'
import { exportDocument } from '../../lib/features/configuration/export.part.ts'
import { planChanges } from '../../lib/features/configuration/plan.part.ts'
import { readDocument } from '../../lib/features/configuration/read-document.ts'
import { readConfigFile } from '../../local/config/read-config-file.ts'
import { makeFolder } from '../cli/command.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { makeJpeg, makePng } from '../support/images.ts'
import { addSignedIn, callAs } from '../support/people.ts'
import { useService } from '../support/use-service.ts'
import { apply, createContext, listProblems } from './support.ts'

const service = await useService({
  ALLOWED_ORIGINS: 'https://shop.example',
  LINK_URL: 'Shop=https://shop.example/{id}, https://shop.example/other/{id}',
})
const { services } = service
const call = callAs(service, await addSignedIn(service, { permissions: ['system:admin-access'] }))
const made = makeFolder()
closeAfterTests({ close: async () => made.remove() })
const folder = join(made.path, 'product')
mkdirSync(folder)

const write = (name: string, content: string | Buffer): string => {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}
const base = { schema_version: 1, owner: 'film-library' }
const toImage = (bytes: Buffer, content_type = 'image/png') => ({
  content_type,
  data: bytes.toString('base64'),
})
const plan = (input: object) =>
  planChanges(services, createContext(services), readDocument(input), { prune: false })

/** The lines of the failure that a file is refused with. */
const listFileProblems = (path: string): Promise<readonly string[]> =>
  readConfigFile(path).then(
    () => [],
    (error: Error) => error.message.split('\n').slice(1),
  )

describe('an image of a file', () => {
  write('logo.png', makePng(40, 20))
  write('wide.PNG', makePng(41, 20))

  it('is read from the folder of the file, which names all of its files', async () => {
    mkdirSync(join(folder, 'images'))
    write('images/shop.png', makePng(50, 20))
    const path = write(
      'latchkey.yaml',
      `schema_version: 1
owner: film-library
branding: { logo: { file: ./logo.png }, icon: { file: wide.PNG } }
products:
  Shop: { dark_logo: { file: images/../images/shop.png }, icon: null }
`,
    )
    const { document, files } = await readConfigFile(path)
    expect(document).toMatchObject({
      branding: { logo: toImage(makePng(40, 20)), icon: toImage(makePng(41, 20)) },
      products: { Shop: { dark_logo: toImage(makePng(50, 20)), icon: null } },
    })
    expect(files).toEqual([
      path,
      ...['logo.png', 'wide.PNG', 'images/shop.png'].map((name) => join(folder, name)),
    ])
  })

  it('is refused with its line if it is outside of the folder, or no file', async () => {
    writeFileSync(join(dirname(folder), 'secret.png'), makePng())
    symlinkSync('../secret.png', join(folder, 'link.png'))
    symlinkSync('..', join(folder, 'up'))
    symlinkSync('loop.png', join(folder, 'loop.png'))
    mkdirSync(join(folder, 'directory.png'))
    execFileSync('mkfifo', [join(folder, 'pipe.png')])
    write('large.png', Buffer.alloc(10 * 1024 * 1024))
    write('text.txt', 'text')
    const outside = 'must be in the folder of the document'
    const tries: readonly (readonly [file: string, problem: string])[] = [
      ['../../etc/passwd', 'must end with .png, .jpg, .jpeg, .webp or .gif'],
      ['../secret.png', outside],
      [join(folder, 'logo.png'), outside],
      ['/etc/secret.png', outside],
      ['link.png', outside],
      ['up/secret.png', outside],
      ['logo.png\\0.png', outside],
      ['loop.png', 'cannot be read (ELOOP)'],
      ['directory.png', 'is not a file'],
      ['pipe.png', 'is not a file'],
      ['missing.png', 'does not exist'],
      ['logo.png/a.png', 'cannot be read (ENOTDIR)'],
      ['large.png', 'has more than 128 KiB'],
      ['text.txt', 'must end with .png, .jpg, .jpeg, .webp or .gif'],
      ['', 'must not be empty'],
    ]
    for (const [file, problem] of tries) {
      const path = write(
        'wrong.yaml',
        `schema_version: 1\nowner: shop\nbranding:\n  logo:\n    file: "${file}"\n`,
      )
      expect(await listFileProblems(path), file).toEqual([`  5:5 branding.logo.file ${problem}`])
    }
    const dotted = write(
      'dotted.yaml',
      'schema_version: 1\nowner: shop\nproducts:\n  Shop: {}\n  shop.example:\n    icon: { file: ../a.png }\n    logo: 1\n',
    )
    expect(await listFileProblems(dotted)).toEqual([
      '  7:5 products.shop.example.logo must be an object',
      `  6:13 products.shop.example.icon.file ${outside}`,
    ])
  })

  it('is either a file or data', async () => {
    const message = 'must have a file, or content_type and data'
    for (const logo of [{}, { content_type: 'image/png' }, { file: 'a.png', ...toImage(makePng()) }])
      expect(await listProblems(() => readDocument({ ...base, branding: { logo } }))).toEqual([
        `branding.logo ${message}`,
      ])
    // The service does not read its own files.
    const unread = {
      ...base,
      branding: { logo: { file: '/etc/a.png' } },
      products: { Shop: { icon: { file: 'a' } } },
    }
    expect(await listProblems(() => plan(unread))).toEqual([
      'branding.logo.file is read by the command only. Send content_type and data',
      'products.Shop.icon.file is read by the command only. Send content_type and data',
    ])
  })

  it('is refused for what an upload is refused for, and nothing of the document is applied', async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
    const wrong = {
      ...base,
      groups: { viewers: { name: 'Viewers of images', permissions: [] } },
      branding: {
        ...{ accent_color: '#ffffff', background_color: '#000000' },
        ...{ logo: toImage(svg), dark_logo: toImage(makeJpeg()), icon: toImage(makePng(4000, 20)) },
      },
      products: { Shop: { logo: { content_type: 'image/png', data: '!!!' } } },
    }
    expect(await listProblems(() => apply(services, wrong))).toEqual([
      expect.stringMatching(/^branding\.background_color /),
      expect.stringMatching(/^branding\.logo\.content_type must not be SVG/),
      'branding.dark_logo.content_type does not match the data, which is image/jpeg',
      'branding.icon.data has 4000 × 20 pixels. Both numbers must be from 16 to 2,048',
      'products.Shop.logo.data must be base64 (RFC 4648 section 4), with padding',
    ])
    expect((await call('GET', 'groups?name=Viewers of images')).body).toEqual([])
    const { data } = toImage(Buffer.alloc(200 * 1024))
    expect(
      await listProblems(() =>
        readDocument({ ...base, branding: { logo: { content_type: 'image/png', data } } }),
      ),
    ).toEqual(['branding.logo.data must be at most 174764 characters long'])
  })
})

describe('the branding of a product', () => {
  it('needs the name of a product', async () => {
    const products = { shop: {}, constructor: {}, Shop: {} }
    const message = 'must be the name of a product in the setting `linkUrl`'
    expect(await listProblems(() => plan({ ...base, products }))).toEqual([
      `products.shop ${message}`,
      `products.constructor ${message}`,
    ])
    const named = JSON.parse('{"__proto__": {"product_name": "Evil"}}')
    expect(await listProblems(() => readDocument({ ...base, products: named }))).toEqual([
      'products.__proto__ is not the name of a product',
    ])
    expect({}).not.toHaveProperty('product_name')
  })

  it('has one owner, who is not that of the service', async () => {
    const ofService = { schema_version: 1, owner: 'platform', branding: { product_name: 'Films' } }
    const ofShop = { schema_version: 1, owner: 'shop', products: { Shop: { accent_color: '#b91c1c' } } }
    await apply(services, ofService)
    await apply(services, ofShop)
    const other = {
      schema_version: 1,
      owner: 'other',
      products: { Shop: { accent_color: '#1d4ed8', adopt: true } },
    }
    expect(await listProblems(() => apply(services, other))).toEqual([
      'products.Shop belongs to shop. The command latchkey config transfer can give it to another owner',
    ])
    const both = { ...ofService, products: { Shop: {} } }
    expect(await listProblems(() => apply(services, both))).toEqual([
      'products.Shop belongs to shop. The command latchkey config transfer can give it to another owner',
    ])
    // Without an entry, its branding stays, and others can take it over.
    await apply(services, { schema_version: 1, owner: 'shop' }, { prune: true })
    expect((await call('GET', 'branding?product=Shop')).body.accent_color).toBe('#b91c1c')
    expect(await listProblems(() => apply(services, { ...other, products: { Shop: {} } }))).toEqual([
      'products.Shop was set by somebody. Set `adopt: true` to manage it from here',
    ])
    await apply(services, other)
    expect((await call('GET', 'branding?product=Shop')).body.accent_color).toBe('#1d4ed8')
    await apply(services, { schema_version: 1, owner: 'other' }, { prune: true })
    await apply(services, { schema_version: 1, owner: 'platform' }, { prune: true })
    await call('DELETE', 'branding/products/Shop')
    await call('DELETE', 'branding')
  })
})

describe('the images of a document', () => {
  const image = toImage(makePng(60, 20))
  const document = {
    ...base,
    branding: { logo: image, dark_logo: image },
    products: { Shop: { logo: image }, 'shop.example': { icon: toImage(makePng(61, 20)) } },
  }

  it('are shown in plans by type, size and hash, and applied once', async () => {
    const changes = await plan(document)
    expect(JSON.stringify(changes.map(({ fields }) => fields))).not.toContain(image.data)
    expect(describePlan(changes)).toMatch(
      /> product_branding Shop\n {4}logo: null -> image\/png, 60 × 20 pixels, sha256 [0-9a-f]{12}…\n/,
    )
    await apply(services, document)
    expect(await apply(services, document)).toEqual([])
    const { body } = await call('GET', 'branding?product=Shop')
    expect(body.logo).toMatchObject({ width: 60, height: 20 })
    const shown = await fetch(`${service.url}${new URL(body.logo.url).pathname}`)
    expect(Buffer.from(await shown.arrayBuffer())).toEqual(makePng(60, 20))
  })

  it('are compared with one read for each branding', async () => {
    const reads: string[] = []
    const { table } = services
    const counted = {
      ...services,
      table: {
        ...table,
        get: (...given: Parameters<typeof table.get>) => {
          reads.push(given[0].pk)
          return table.get(...given)
        },
      },
    }
    await planChanges(counted, createContext(services), readDocument(document), { prune: false })
    expect(reads).toHaveLength(3)
  })

  it('are deleted, changed and shared without the loss of one that others show', async () => {
    const fewer = { ...document, branding: { logo: toImage(makePng(62, 20)) } }
    expect(await apply(services, fewer)).toMatchObject([{ kind: 'branding', action: 'update' }])
    const { body } = await call('GET', 'branding?product=Shop')
    expect((await fetch(`${service.url}${new URL(body.logo.url).pathname}`)).status).toBe(200)
    expect((await call('GET', 'branding')).body.dark_logo).toBeNull()
    await apply(services, document)
    expect(await apply(services, document)).toEqual([])
  })

  it('are written beside the file of an export, from which they come back', async () => {
    const complete = await exportDocument(services, createContext(services), 'film-library')
    const { document: separate, images } = separateImages(complete, join(folder, 'exported.yaml'))
    expect(separate).toMatchObject({
      branding: { logo: { file: './exported-logo.png' }, dark_logo: { file: './exported-dark-logo.png' } },
      products: { Shop: { logo: { file: './exported-1-shop-logo.png' } } },
    })
    for (const { path, bytes } of images) writeFileSync(path, bytes)
    const path = write('exported.json', JSON.stringify(separate))
    expect((await readConfigFile(path)).document).toEqual(complete)
    expect(readFileSync(join(folder, 'exported-logo.png'))).toEqual(makePng(60, 20))
    const applied = await apply(services, complete)
    expect(applied.filter(({ kind }) => kind.endsWith('branding'))).toEqual([])
  })
})
