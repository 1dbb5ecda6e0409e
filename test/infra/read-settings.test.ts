import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { readSettings } from '../../infra/settings/read-settings.ts'

const folder = mkdtempSync(join(tmpdir(), 'latchkey-stages-'))
afterAll(() => rmSync(folder, { recursive: true }))
const writeStage = (name: string, content: string) => writeFileSync(join(folder, `${name}.json`), content)

const certificateArn = 'arn:aws:acm:eu-central-1:111122223333:certificate/example'
const zone = { id: 'Z0123456789ABCDEFGHIJ', name: 'example.com' }
const domain = { name: 'auth.example.com', certificateArn }
const prod = { stackName: 'LatchkeyProd', domain, backup: true }
writeStage('prod', JSON.stringify({ ...prod, allowedOrigins: ['https://a.example.com'] }))
writeStage('unnamed', '{}')
writeStage('mistyped', '{ "stackName": "A", "publicURL": "https://auth.example.com", "stage": "prod" }')
writeStage('broken', '{ "stackName": ')
writeStage('list', '[]')
writeStage('repeated', '{ "stackName": "A", "stackName": "B" }')

const read = (context: Record<string, unknown>) => readSettings(context, folder)
const problemsOf = (context: Record<string, unknown>) => read(context).problems

describe('settings of the context', () => {
  it('need none', () => {
    expect(read({})).toEqual({
      stackName: 'Latchkey',
      terminationProtection: false,
      props: {},
      problems: [],
    })
  })

  it('are texts on the command line, and JSON values in cdk.json', () => {
    const props = {
      allowedOrigins: ['https://a.example.com', 'https://b.example.com'],
      hashingConcurrency: 20,
      tracing: true,
      breachEndpoint: '',
    }
    const texts = { allowedOrigins: 'https://a.example.com, https://b.example.com', breachEndpoint: '' }
    expect(read({ ...texts, hashingConcurrency: '20', tracing: 'true' })).toMatchObject({
      props,
      problems: [],
    })
    expect(read(props)).toMatchObject({ props, problems: [] })
  })

  it('may stand beside keys of the CDK and its CLI', () => {
    const keys = ['@aws-cdk/core:stackRelativeExports', 'aws:cdk:bundling-stacks', 'cli-telemetry']
    const lookup = 'availability-zones:account=111122223333:region=eu-central-1'
    const context = Object.fromEntries(
      [...keys, lookup, 'acknowledged-issue-numbers'].map((key) => [key, true]),
    )
    expect(problemsOf(context)).toEqual([])
  })

  it.each([
    [
      { publicURL: 'https://auth.example.com' },
      '"publicURL" is not a setting of the context. Did you mean publicUrl?',
    ],
    [{ domain: 'auth.example.com' }, 'domain must be an object with fields such as name.'],
    [{ domain: '[]' }, 'domain must be an object with fields such as name.'],
    [{ domain: '{"__proto__":{},"name":"a"}' }, '"__proto__" is not a field of domain.'],
    [{ throttle: 5 }, '"throttle" is not a setting of the context. All settings are in docs/reference/'],
    [{ domainName: 'auth.example.com' }, 'Did you mean domain.name?'],
    [{ hostedZoneId: 'Z1' }, 'Did you mean domain.hostedZone.id or formerDomain.hostedZone.id?'],
    [{ alarmTopic: 'x' }, 'Did you mean alarmTopicArn?'],
    [{ mailfrom: 'a@example.com' }, 'Did you mean mailFrom?'],
    [{ mailTlsPolizy: 'optional' }, 'Did you mean mailTlsPolicy?'],
    [{ mailTlsPolicy: 'never' }, 'mailTlsPolicy must be one of require, optional'],
    [
      { 'domain.name': 'auth.example.com' },
      '"domain.name" is not a setting of the context. It is a field of an object: give domain as {"name":…}',
    ],
    [{ 'Domain.hostedZone.id': 'Z1' }, 'give domain as {"hostedZone":{"id":…}}'],
    [{ constructor: 'x' }, '"constructor" is not a setting of the context.'],
    [{ publicUrl: '' }, 'publicUrl must not be empty. Leave it out to use its default.'],
    [{ allowedOrigins: '' }, 'allowedOrigins must not be empty.'],
    [{ allowedOrigins: 5 }, 'allowedOrigins must be a list, or a text with commas between its entries.'],
    [{ publicUrl: 5 }, 'publicUrl must be a text.'],
    [{ tracing: 'yes' }, 'tracing must be true or false.'],
    [{ backup: '' }, 'backup must be true or false.'],
    [{ hashingConcurrency: '0' }, 'hashingConcurrency must be a whole number from 1.'],
    [{ hashingConcurrency: '1e3' }, 'hashingConcurrency must be a whole number from 1.'],
    [{ hashingConcurrency: 1.5 }, 'hashingConcurrency must be a whole number from 1.'],
    [{ passkeyTimeoutSeconds: 'soon' }, 'passkeyTimeoutSeconds must be a whole number from 30 to 300.'],
    [{ passkeyUserVerification: 'never' }, 'passkeyUserVerification must be one of required, preferred.'],
    [{ stackName: 'my stack' }, 'stackName must start with a letter, and consist of'],
    [{ region: 'Frankfurt' }, 'region must be the name of a region, such as eu-central-1.'],
    [{ domain, frontDoor: { priceClass: '300' } }, 'frontDoor.priceClass must be one of 100, 200, all.'],
    [{ frontDoor: { requestsPerAddress: '5' } }, 'frontDoor.requestsPerAddress must be a whole number from'],
    [{ originSecretVersion: '2' }, 'Did you mean frontDoor.originSecretVersion?'],
    [{ table: { name: 'Restored' } }, 'table requires table.streamArn.'],
    [{ tableName: 'Restored' }, 'Did you mean table.name?'],
  ])('%j has one problem, with a sentence about it', (context, text) => {
    expect(problemsOf(context)).toEqual([expect.stringContaining(text)])
  })

  it('have their problems listed at once, without losing the valid ones', () => {
    const context = { tracing: 'yes', publicURL: 'x', backup: 'maybe', publicUrl: 'https://auth.example.com' }
    expect(problemsOf(context)).toHaveLength(3)
    expect(read(context).props).toEqual({ publicUrl: 'https://auth.example.com' })
  })

  it('may be objects, as JSON on the command line', () => {
    const full = { name: 'auth.example.com', hostedZone: zone }
    for (const given of [full, JSON.stringify(full)])
      expect(read({ domain: given })).toMatchObject({ props: { domain: full }, problems: [] })
    for (const given of ['true', true, {}, '{}'])
      expect(read({ frontDoor: given }).props.frontDoor).toEqual({})
    for (const given of ['false', false]) expect(read({ frontDoor: given }).props).toEqual({})
    const frontDoor = { priceClass: 200, originSecretVersion: '3' }
    expect(read({ frontDoor }).props.frontDoor).toEqual({ priceClass: '200', originSecretVersion: 3 })
  })
})

describe('the file of a stage', () => {
  it('holds the settings, which the context overrides', () => {
    const own = { backup: true, allowedOrigins: ['https://a.example.com'], domain }
    expect(read({ stage: 'prod' })).toEqual({
      stackName: 'LatchkeyProd',
      terminationProtection: true,
      props: own,
      problems: [],
    })
    expect(read({ stage: 'prod', terminationProtection: 'false' }).terminationProtection).toBe(false)
    const changed = read({ stage: 'prod', backup: 'false', mailFrom: 'a@example.com' })
    expect(changed.props).toEqual({ ...own, backup: false, mailFrom: 'a@example.com' })
  })

  it.each([
    [
      'prd',
      'There is no file config/prd.json for the stage "prd". The stages are: broken, list, mistyped, prod,',
    ],
    ['../package', 'There is no file config/../package.json'],
    ['broken', 'config/broken.json is not valid JSON: '],
    ['list', 'config/list.json must be a JSON object with settings.'],
    ['repeated', 'config/repeated.json repeats stackName.'],
    ['mistyped', '"publicURL" is not a setting of config/mistyped.json. Did you mean publicUrl?'],
    ['mistyped', '"stage" is not a setting of config/mistyped.json.'],
    ['unnamed', 'The stage needs a stackName, because two stages must not share a stack.'],
  ])('%s has a problem', (stage, text) => {
    expect(problemsOf({ stage })).toContainEqual(expect.stringContaining(text))
  })

  it('is required for the stack that it names, which would lose its settings', () => {
    expect(problemsOf({ stackName: 'LatchkeyProd' })).toEqual([
      'The stack LatchkeyProd has its settings in config/prod.json. Add -c stage=prod.',
    ])
  })

  it('is not required if there is no folder of files', () => {
    expect(readSettings({}, join(folder, 'missing')).problems).toEqual([])
    expect(readSettings({ stage: 'prod' }, join(folder, 'missing')).problems).toEqual([
      'There is no file config/prod.json for the stage "prod". There is no stage yet.',
    ])
  })
})
