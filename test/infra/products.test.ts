import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { App, Stack } from 'aws-cdk-lib'
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { afterAll, describe, expect, it } from 'vitest'
import { AuthService } from '../../infra/auth-service.ts'
import { OidcClient } from '../../infra/configuration/constructs.ts'
import { type Resource, readTemplates, resourcesOf, type Template, writeEmptyBundles } from './synthesis.ts'

/* What a service has for each product: who may configure it is decided by IAM, by an alias of the function of products. */

const folder = mkdtempSync(join(tmpdir(), 'latchkey-products-'))
afterAll(() => rmSync(folder, { recursive: true }))
const bundleDir = writeEmptyBundles(join(folder, 'bundles'))
const accounts = ['444455556666', '777788889999']

type Build = (auth: AuthService, stack: Stack) => void

const synthesize = (
  build: Build,
  { products = [], region }: { products?: string[]; region?: string } = {},
) => {
  const outdir = mkdtempSync(join(folder, 'app-'))
  const app = new App({ analyticsReporting: false, outdir })
  const stack = new Stack(app, 'Service', region ? { env: { region } } : {})
  build(new AuthService(stack, 'Auth', { bundleDir, products }), stack)
  app.synth()
  const templates = [...readTemplates(outdir)]
  const find = (isWanted: (name: string) => boolean): Template => {
    const found = templates.find(([name]) => isWanted(name))?.[1]
    if (!found) throw new Error(`There is none of the templates ${templates.map(([name]) => name)}.`)
    return found
  }
  return {
    main: find((name) => name === 'Service'),
    find,
    products: () => find((name) => name.includes('Products')),
  }
}

const propertiesOf = (template: Template, type: string): readonly Resource['Properties'][] =>
  resourcesOf(template, type).map(([, { Properties }]) => Properties)

describe('a service with products', () => {
  const { main, products } = synthesize((auth) => {
    auth.addProduct('films', { accounts: [...accounts, ...accounts] })
    auth.addProduct('books')
  })

  it('has two aliases for each, of which one has a URL that IAM guards', () => {
    const aliases = propertiesOf(products(), 'AWS::Lambda::Alias').map(({ Name }) => Name)
    expect(aliases.toSorted()).toEqual(['books', 'books-url', 'films', 'films-url'])
    const urls = propertiesOf(products(), 'AWS::Lambda::Url')
    expect(urls.map(({ Qualifier, AuthType }) => [Qualifier, AuthType]).toSorted()).toEqual([
      ['books-url', 'AWS_IAM'],
      ['films-url', 'AWS_IAM'],
    ])
  })

  it('admits the accounts of a product to its aliases alone, and to that of its URL only by the URL', () => {
    const idOf = (name: string) =>
      resourcesOf(products(), 'AWS::Lambda::Alias').find(
        ([, { Properties }]) => Properties.Name === name,
      )?.[0]
    const [alias, ofUrl] = ['films', 'films-url'].map((name) => ({ Ref: idOf(name) }))
    const permissions = propertiesOf(products(), 'AWS::Lambda::Permission')
    const admitted = (Principal: string) => [
      { Action: 'lambda:InvokeFunction', FunctionName: alias, Principal },
      { Action: 'lambda:InvokeFunction', FunctionName: ofUrl, Principal, InvokedViaFunctionUrl: true },
      {
        ...{ Action: 'lambda:InvokeFunctionUrl', FunctionName: ofUrl, Principal },
        FunctionUrlAuthType: 'AWS_IAM',
      },
    ]
    expect(permissions).toHaveLength(accounts.flatMap(admitted).length)
    expect(permissions).toEqual(expect.arrayContaining(accounts.flatMap(admitted)))
    expect(JSON.stringify(propertiesOf(main, 'AWS::Lambda::Permission'))).not.toContain(accounts[0])
  })

  it('says where stacks and files of each product go', () => {
    const outputs = Object.keys(main.Outputs).flatMap((id) => /^AuthConfig\w+Of[A-Z][a-z]+/.exec(id) ?? [])
    expect(outputs.map((id) => id.replace(/[0-9A-F]{8}$/, '')).toSorted()).toEqual([
      'AuthConfigFunctionArnOfBooks',
      'AuthConfigFunctionArnOfFilms',
      'AuthConfigUrlOfBooks',
      'AuthConfigUrlOfFilms',
    ])
    expect(JSON.stringify(main)).not.toContain('"Export"')
  })

  it('has nothing of the function of products without an alias', () => {
    const none = synthesize(() => {})
    expect(() => none.products()).toThrow('There is none')
    expect(
      propertiesOf(none.main, 'AWS::Lambda::Alias').every(({ Name }) => /^(?:url|invoked)$/.test(Name)),
    ).toBe(true)
  })
})

it('products of the settings are those of the construct', () => {
  const { products } = synthesize(() => {}, {
    products: ['films', 'books=444455556666', 'books=777788889999'],
  })
  expect(propertiesOf(products(), 'AWS::Lambda::Alias').map(({ Name }) => Name)).toHaveLength(4)
  const principals = propertiesOf(products(), 'AWS::Lambda::Permission').map(({ Principal }) => Principal)
  expect([...new Set(principals)].toSorted()).toEqual(accounts)
})

describe('regions without function URLs', () => {
  it('have the alias of the product in the place of its URL', () => {
    const { products } = synthesize((auth) => void auth.addProduct('films'), { region: 'eu-central-2' })
    expect(propertiesOf(products(), 'AWS::Lambda::Alias').map(({ Name }) => Name)).toEqual(['films'])
    expect(resourcesOf(products(), 'AWS::Lambda::Url')).toEqual([])
  })

  it('are chosen by CloudFormation if the stack does not know its region', () => {
    const { products } = synthesize((auth) => void auth.addProduct('films'))
    const [[, url] = []] = resourcesOf(products(), 'AWS::Lambda::Url')
    expect(url).toMatchObject({ Condition: 'HasFunctionUrls' })
    const address = Object.values(products().Outputs).find(({ Value }) => 'Fn::If' in Object(Value))
    expect(address?.Value['Fn::If'][0]).toBe('HasFunctionUrls')
  })
})

describe('those who may configure', () => {
  const allowed = (build: (auth: AuthService, role: Role) => void): string => {
    const { main } = synthesize((auth, stack) => {
      const role = new Role(stack, 'Pipeline', { assumedBy: new ServicePrincipal('codebuild.amazonaws.com') })
      build(auth, role)
    })
    const policies = resourcesOf(main, 'AWS::IAM::Policy').filter(([id]) => id.startsWith('Pipeline'))
    return JSON.stringify(policies.map(([, { Properties }]) => Properties.PolicyDocument.Statement))
  }

  it('a product get its two aliases, and no other one', () => {
    const text = allowed((auth, role) => {
      auth.addProduct('books')
      auth.addProduct('films').grantConfigure(role)
    })
    expect(text).toContain(':films"')
    expect(text).toContain(':films-url"')
    expect(text).toContain('lambda:InvokeFunctionUrl')
    expect(text).not.toContain('books')
    expect(text).not.toMatch(/"Resource":\{"Fn::GetAtt"/)
  })

  it('the service get its function and its URL', () => {
    const text = allowed((auth, role) => void auth.grantConfigure(role))
    expect(text).toMatch(/"Fn::GetAtt":\["AuthConfigFunction[0-9A-F]+","Arn"\]/)
    expect(text).toContain(':url"')
    expect(text).not.toContain('AuthConfigProductFunction')
  })
})

it('constructs of a product call its alias', () => {
  const { main } = synthesize((auth, stack) => {
    const films = auth.addProduct('films')
    const redirectUris = ['https://films.example.com/callback']
    new OidcClient(stack, 'Web', { auth: films, key: 'web', name: 'Films', type: 'public', redirectUris })
  })
  const [client] = propertiesOf(main, 'Custom::LatchkeyClient')
  expect(JSON.stringify(client?.ServiceToken)).toMatch(/Outputs\.\w*FilmsAlias/)
})

describe('what is no product', () => {
  it.each([
    ['url', 'neither be url or invoked'],
    ['invoked', 'neither be url'],
    ['films-url', 'end with -url'],
    ['Films', 'lower-case'],
    ['films/web', 'lower-case'],
    ['__proto__', 'lower-case'],
    ['', 'must begin with a letter'],
    ['f'.repeat(47), 'up to 46'],
  ])('is refused with the name %j', (name, message) => {
    expect(() => synthesize((auth) => void auth.addProduct(name))).toThrow(message)
  })

  it.each(['*', '44445555666', '4444555566667', 'arn:aws:iam::444455556666:root', ''])(
    'is refused with %j, which is no account',
    (account) => {
      expect(() => synthesize((auth) => void auth.addProduct('films', { accounts: [account] }))).toThrow(
        'accounts of the product films must list AWS accounts',
      )
    },
  )

  it('is refused with more accounts than the policy of an alias takes, or another prop', () => {
    const many = Array.from({ length: 26 }, (_, at) => String(100_000_000_000 + at))
    expect(() => synthesize((auth) => void auth.addProduct('films', { accounts: many }))).toThrow('takes 25')
    const typo = { acounts: [] } as never
    expect(() => synthesize((auth) => void auth.addProduct('films', typo))).toThrow('Did you mean accounts?')
  })
})
