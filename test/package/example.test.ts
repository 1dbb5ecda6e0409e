import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type ExampleProduct, installExampleProduct } from './example-product.ts'
import { run, runOrFail } from './project.ts'

let product: ExampleProduct
beforeAll(async () => {
  product = await installExampleProduct(inject('tarballs'))
})
afterAll(() => product?.remove())

describe('the example product', () => {
  it('type-checks', async () => {
    expect(await run(['node_modules/.bin/tsc'], { cwd: product.folder })).toMatchObject({
      code: 0,
      output: '',
    })
  })

  it('synthesizes two stages with the service, the product and the same configuration, without circular references', async () => {
    const { code, output } = await run(['npx', 'cdk', 'synth', '--quiet'], { cwd: product.folder })
    expect(code, output).toBe(0)
    const stages = ['Test', 'Production'].map((stage) => readTemplate(product, `MediaLibrary${stage}`))
    for (const { Resources } of stages) {
      const types = Object.values(Resources).map(({ Type }) => Type)
      expect(types.filter((type) => type === 'AWS::ApiGatewayV2::Api').length).toBe(2)
      expect(types).not.toContain('Custom::Trigger')
      expect(findCircle(Resources)).toEqual([])
    }
    const [test, production] = stages.map(readConfiguration)
    expect(test).toEqual(production)
    expect(test?.map(({ kind, key }) => [kind, key])).toEqual([
      ['api', 'films'],
      ['client', 'media-library'],
      ['service_account', 'media-library-links'],
    ])
  })

  it('has on AWS what its configuration file has on a machine', async () => {
    const program = `import { createConfig } from './latchkey.config.ts'
console.log(JSON.stringify(createConfig('${origin}')))`
    const output = await runOrFail(['npx', 'tsx', '--input-type=module', '--eval', program], {
      cwd: product.folder,
    })
    const { apis, clients, service_accounts: accounts } = JSON.parse(output)
    const entries = readConfiguration(readTemplate(product, 'MediaLibraryTest')).map(({ key, entry }) => ({
      [key]: entry,
    }))
    expect(entries).toEqual([apis, clients, accounts])
  })

  it('lets its function read the secret of its client and the token of its account, and no other secret', () => {
    const { Resources } = readTemplate(product, 'MediaLibraryTest')
    const [, policy] =
      Object.entries(Resources).find(
        ([id, { Type }]) => Type === 'AWS::IAM::Policy' && /^Productserve/.test(id),
      ) ?? []
    const secrets = (policy?.Properties?.PolicyDocument?.Statement ?? [])
      .filter(({ Action }) => [Action].flat().some((action) => action.startsWith('secretsmanager:Get')))
      .flatMap(({ Resource }) => listReferences(Resource).map((id) => Resources[id]?.Type))
    expect(secrets.sort()).toEqual(['Custom::LatchkeyClient', 'Custom::LatchkeyServiceAccount'])
  })
})

const origin = 'https://films.example.com'

/** A text in which CloudFormation fills in the origin of the product. */
type Text = string | { readonly 'Fn::Join': readonly [separator: '', parts: readonly Part[]] }

type Part = string | { readonly 'Fn::GetAtt': readonly [id: string, name: string] }

interface Template {
  readonly Resources: Readonly<Record<string, Resource>>
}

interface Resource {
  readonly Type: string
  readonly Properties?: {
    readonly Configuration?: Text
    readonly PolicyDocument?: { readonly Statement: readonly Statement[] }
  }
}

interface Statement {
  readonly Action: string | readonly string[]
  readonly Resource: unknown
}

const readTemplate = ({ folder }: ExampleProduct, stack: string): Template =>
  JSON.parse(readFileSync(join(folder, `cdk.out/${stack}.template.json`), 'utf8'))

interface Entry {
  readonly kind: string
  readonly key: string
  readonly entry: object
}

/** What the constructs of a template configure, by kind. */
const readConfiguration = ({ Resources }: Template): readonly Entry[] =>
  Object.values(Resources)
    .flatMap(({ Properties }) => Properties?.Configuration ?? [])
    .map((text) => JSON.parse(fillIn(text)) as Entry)
    .sort((a, b) => a.kind.localeCompare(b.kind))

const fillIn = (text: Text): string =>
  typeof text === 'string'
    ? text
    : text['Fn::Join'][1].map((part) => (typeof part === 'string' ? part : resolve(part))).join('')

/** @throws Error if the configuration depends on anything else of the stack than the address of its product */
const resolve = (part: Exclude<Part, string>): string => {
  const [id, name] = part['Fn::GetAtt'] ?? []
  if (!id?.startsWith('ProductApi') || name !== 'ApiEndpoint')
    throw new Error(`${JSON.stringify(part)} is no address.`)
  return origin
}

/** The resources of a template that depend on each other in a circle. */
const findCircle = (resources: Readonly<Record<string, unknown>>): readonly string[] => {
  const names = Object.keys(resources)
  const needs = new Map(
    names.map((name) => [name, listReferences(resources[name]).filter((one) => names.includes(one))]),
  )
  const done = new Set<string>()
  for (let isChanged = true; isChanged; ) {
    const ready = names.filter((name) => !done.has(name) && needs.get(name)?.every((one) => done.has(one)))
    for (const name of ready) done.add(name)
    isChanged = ready.length > 0
  }
  return names.filter((name) => !done.has(name))
}

const listReferences = (value: unknown): readonly string[] => {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    if (key === 'Ref' || key === 'DependsOn') return [inner].flat().map(String)
    if (key === 'Fn::GetAtt') return [String(inner[0])]
    if (key === 'Fn::Sub')
      return [...String([inner].flat()[0]).matchAll(/\$\{([^.}]+)/g)].map(([, name = '']) => name)
    return listReferences(inner)
  })
}
