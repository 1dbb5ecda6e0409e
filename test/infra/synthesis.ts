import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { zipFiles } from '../../build/bundle/zip-files.ts'
import { grants } from '../../infra/grants/grants.ts'
import type { JsonValue } from '../support/client.ts'
import { shareFolder } from '../support/shared-folder.ts'
import { shareBundles } from './shared-bundles.ts'

export interface Resource {
  readonly Type: string
  readonly Properties: JsonValue
  readonly DependsOn?: string | readonly string[]
  readonly DeletionPolicy?: string
  readonly UpdateReplacePolicy?: string
}

export interface Template {
  readonly Resources: Readonly<Record<string, Resource>>
  readonly Outputs: Readonly<Record<string, { readonly Value: JsonValue }>>
}

export interface Synthesis {
  readonly template: Template
  /** The permissions of the API in their nested stack, with references to the resources of `template`. */
  readonly permissions: Template
  /** The resources of the nested stack of alarms, with references to the resources of `template`. */
  readonly monitoring: Template
  /** The template of another stack of the app. */
  readonly templateOf: (stackName: string) => Template
  /** Messages of the CDK and its plugins: `error /Latchkey/Auth/… text`. */
  readonly messages: readonly string[]
  /** The folder of a function's code. */
  readonly assetOf: (functionId: string) => string
}

const ofTable = 'arn:aws:dynamodb:eu-west-1:000000000000:table/Latchkey-Restored'
const ofKey = 'arn:aws:kms:eu-west-1:000000000000:key'

/** The key that encrypts tables which stacks adopt. */
const adoptedKeyArn = `${ofKey}/of-the-table`

/** A function of the operator, which checks passwords at an old system. */
export const oldSystemArn = 'arn:aws:lambda:local:000000000000:function:old-passwords'

const oldSystem = { legacyPasswordCheck: oldSystemArn, legacyPasswordCheckUntil: '2099-12-31' }

/** Functions of the operator, which are asked at sign-ins and before tokens. */
export const hookArns = {
  beforeSignUp: 'arn:aws:lambda:local:000000000000:function:before-sign-up:live',
  afterSignIn: 'arn:aws:lambda:local:000000000000:function:after-sign-in:live',
  beforeToken: 'arn:aws:lambda:local:000000000000:function:before-token:live',
} as const

/** The settings of each stack that the tests synthesize, as `-c name=value` gives them. */
export const stackSettings = {
  default: {},
  full: {
    allowedOrigins: 'https://product.example.com, https://other.example.com',
    signInUrl: 'https://product.example.com/sign-in',
    linkUrl: 'Product=https://product.example.com/shared/{id}, https://other.example.com/',
    domain: {
      name: 'auth.example.com',
      certificateArn: 'arn:aws:acm:eu-west-1:000000000000:certificate/1',
    },
    alarmEmail: 'ops@example.com',
    mailFrom: 'Example <no-reply@mail.example.com>',
    breachEndpoint: '',
    rateLimits: 'addressFailures=500/600',
    tracing: 'true',
    hashingConcurrency: '20',
    backup: 'true',
    auditRetentionDays: '90',
    auditArchive: 'true',
    dashboard: 'false',
    hooks: { beforeToken: { function: hookArns.beforeToken, claims: ['plan'] } },
    ...oldSystem,
  },
  frontDoor: {
    // The region of the test deployment.
    region: 'local',
    allowedOrigins: 'https://product.example.com',
    domain: { name: 'auth.example.com', hostedZone: { id: 'Z0123456789ABCDEFGHIJ', name: 'example.com' } },
    frontDoor: { originSecretVersion: 2 },
    alarmEmail: 'ops@example.com',
  },
  adopted: {
    table: {
      name: 'Latchkey-Restored',
      streamArn: `${ofTable}/stream/2026-01-01T00:00:00.000`,
      keyArn: adoptedKeyArn,
    },
    vaultKeyArn: `${ofKey}/of-the-vault`,
    auditKeyArn: `${ofKey}/of-the-audit-log`,
    otherVaultKeyArn: `${ofKey}/of-the-earlier-vault`,
    mailFrom: 'no-reply@mail.example.com',
    mailTlsPolicy: 'optional',
    alarmEmail: 'ops@example.com',
    backup: 'true',
  },
  backedUp: {
    region: 'local',
    backup: 'true',
    backupRegion: 'eu-west-1',
    alarmEmail: 'ops@example.com',
    dashboard: 'false',
  },
  /** The service of `backedUp` in the second region, after its own region failed. */
  restored: {
    table: {
      name: 'Latchkey-Copied',
      streamArn: `${ofTable.replace('Restored', 'Copied')}/stream/2026-01-01T00:00:00.000`,
      keyArn: adoptedKeyArn,
    },
    // Replicas of the keys that the other stack created.
    vaultKeyArn: `${ofKey}/mrk-AuthVaultKey5EBF8D42`,
    auditKeyArn: `${ofKey}/mrk-AuthAuditKeyA70C4941`,
    dashboard: 'false',
  },
  /** The service that journeys and attacks use. Tests add their own settings. */
  service: {
    mailFrom: 'Latchkey <no-reply@localhost.example.com>',
    adminEmail: 'first-admin@example.com',
    tracing: 'true',
    dashboard: 'false',
    ...oldSystem,
  },
  hooks: {
    mailFrom: 'Latchkey <no-reply@localhost.example.com>',
    adminEmail: 'first-admin@example.com',
    dashboard: 'false',
    hooks: {
      beforeSignUp: { function: hookArns.beforeSignUp, groups: ['Customers'], attributes: ['plan'] },
      afterSignIn: { function: hookArns.afterSignIn },
      beforeToken: { function: hookArns.beforeToken, claims: ['plan', 'role'] },
    },
  },
} as const satisfies Record<string, Record<string, unknown>>

/** Writes functions without code to a folder, for a synthesis whose result does not depend on it. Returns the folder. */
export const writeEmptyBundles = (folder: string): string => {
  mkdirSync(folder, { recursive: true })
  const empty = zipFiles([{ name: 'index.mjs', contents: new Uint8Array() }])
  for (const name of Object.keys(grants)) writeFileSync(join(folder, `${name}.zip`), empty)
  return folder
}

/** Unpacks the functions of a synthesis, each into a folder beside its zip file. */
const unpackFunctions = (outdir: string): void => {
  for (const zip of readdirSync(outdir).filter((file) => /^asset\.\w+\.zip$/.test(file))) {
    const folder = join(outdir, zip.replace(/\.zip$/, ''))
    mkdirSync(folder)
    for (const [name, contents] of Object.entries(unzipSync(readFileSync(join(outdir, zip)))))
      writeFileSync(join(folder, name), contents)
  }
}

/** Reads the templates of all stacks and nested stacks of a synthesis, by the name of their file without its endings. */
export const readTemplates = (outdir: string): ReadonlyMap<string, Template> =>
  new Map(
    readdirSync(outdir)
      .filter((file) => file.endsWith('.template.json'))
      .sort()
      .map((file) => [
        file.replace(/(?:\.nested)?\.template\.json$/, ''),
        JSON.parse(readFileSync(join(outdir, file), 'utf8')),
      ]),
  )

interface MessageOfCdk {
  readonly entry: { readonly data?: unknown }
}

/** The messages of a stack. `stack.test.ts` compares the number of its resources with the limit of CloudFormation. */
export const findMessages = <Message extends MessageOfCdk>(stack: {
  readonly messages: readonly Message[]
}): readonly Message[] =>
  stack.messages.filter(({ entry }) => !String(entry.data).startsWith('Number of resources: '))

/** Synthesizes a stack once per run, as `cdk synth` does, with the bundles that all stacks share. */
export const shareSynthesis = async (name: keyof typeof stackSettings): Promise<Synthesis> => {
  const folder = await shareFolder(`stack-${name}`, async (outdir) => {
    const { folder: bundleDir } = await shareBundles()
    // Loading the CDK takes seconds, so only the test file that synthesizes loads it.
    const { createApp } = await import('../../infra/app.ts')
    const app = createApp({ outdir, bundleDir, context: stackSettings[name] })
    const messages = app
      .synth()
      .stacks.flatMap((stack) => findMessages(stack))
      .map(({ level, id, entry }) => `${level} ${id} ${entry.data}`)
    writeFileSync(join(outdir, 'messages.json'), JSON.stringify(messages))
    unpackFunctions(outdir)
  })
  const read = (file: string): JsonValue => JSON.parse(readFileSync(join(folder, file), 'utf8'))
  const templateOf = (stackName: string): Template => read(`${stackName}.template.json`)
  const template = templateOf('Latchkey')
  return {
    template,
    permissions: readNested(folder, template, 'Permissions'),
    monitoring: readNested(folder, template, 'Monitoring'),
    templateOf,
    messages: read('messages.json'),
    assetOf: (functionId) => {
      const { S3Key } = template.Resources[functionId]?.Properties.Code ?? {}
      return join(folder, `asset.${String(S3Key).replace(/\.zip$/, '')}`)
    },
  }
}

/** Reads the template of the nested stack with a name, and puts what its parent passes in the place of parameters. */
export const readNested = (
  folder: string,
  template: Template,
  name: 'Permissions' | 'Monitoring',
): Template => {
  const [[, nested] = [], ...others] = resourcesOf(template, 'AWS::CloudFormation::Stack').filter(([id]) =>
    id.includes(`${name}NestedStack`),
  )
  const [file, ...otherFiles] = readdirSync(folder).filter(
    (entry) => entry.includes(name) && entry.endsWith('.nested.template.json'),
  )
  if (!nested || !file || others.length + otherFiles.length > 0)
    throw new Error(`there is not one nested stack ${name}`)
  const parameters = new Map<string, JsonValue>(Object.entries(nested.Properties.Parameters ?? {}))
  return JSON.parse(readFileSync(join(folder, file), 'utf8'), (_, value) =>
    typeof value?.Ref === 'string' && parameters.has(value.Ref) ? parameters.get(value.Ref) : value,
  )
}

/** The resources of a type, by logical id. */
export const resourcesOf = (
  { Resources }: Template,
  type: string,
): readonly (readonly [string, Resource])[] =>
  Object.entries(Resources).filter(([, { Type }]) => Type === type)
