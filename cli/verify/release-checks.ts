import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import { describeStatement } from '../../infra/grants/describe-statement.ts'
import { mapInBatches } from '../../lib/kernel/util/work.ts'
import { type Account, read, requireOutput } from './account.ts'
import { type Aws, findChild, listMembers, orMissing, textOf } from './aws.ts'
import { type AreaCheck, Failed, Skipped } from './check.ts'
import { matchesTemplate, type PhysicalNames } from './match-template.ts'
import type { ReleaseFile } from './release-file.ts'
import { parseJson, type Send } from './request.ts'

/*
 * Checks that compare an account with a release. They only read. Code, grants and routes are the same in each account, so the release
 * decides. Names and settings differ, so there the deployed template decides.
 */

export const buildReleaseChecks = (
  account: Account,
  release: ReleaseFile,
  send: Send,
): readonly AreaCheck[] => {
  const deployment = once(() => readDeployment(account))
  const compare = (id: string, title: string, run: AreaCheck['run']): AreaCheck => ({
    id,
    title,
    advice: 'Find out who changed it, and deploy the release again.',
    docs: 'docs/operate.md#prove-what-runs',
    run,
  })
  return [
    compare('release-code', 'Code of functions', async () => compareCode(await deployment(), release)),
    compare('release-settings', 'Settings of functions', async () => compareSettings(await deployment())),
    compare('release-aliases', 'Aliases and addresses', async () => compareAliases(await deployment())),
    compare('release-callers', 'Callers of functions', async () => compareCallers(await deployment())),
    compare('release-grants', 'Grants of roles', async () => compareGrants(await deployment(), release)),
    compare('release-routes', 'Routes of the API', async () =>
      compareRoutes(account, await deployment(), release),
    ),
    compare('release-pages', 'Files of the pages', (signal) => comparePages(send, release, signal)),
  ]
}

const once = <Result>(call: () => Promise<Result>): (() => Promise<Result>) => {
  let result: Promise<Result> | undefined
  return () => {
    result ??= call()
    return result
  }
}

interface Resource {
  readonly Type: string
  readonly Properties?: Readonly<Record<string, unknown>> | undefined
}

/** A function of the service. */
interface DeployedFunction {
  readonly id: string
  /** Its name in Latchkey, such as `sessions`. */
  readonly name: string
  /** Its name in the account. */
  readonly physicalName: string
  readonly properties: z.output<typeof FunctionProperties>
}

interface Deployment {
  readonly aws: Aws
  /** The names of all resources. */
  readonly allNames: PhysicalNames
  /** The names of resources whose references and ARNs end with them. */
  readonly names: PhysicalNames
  readonly resources: readonly (readonly [id: string, resource: Resource])[]
  readonly functions: readonly DeployedFunction[]
}

const Template = z.object({
  Resources: z.record(
    z.string(),
    z.object({ Type: z.string(), Properties: z.optional(z.record(z.string(), z.unknown())) }),
  ),
})

const FunctionProperties = z.object({
  Description: z.string(),
  Role: z.object({ 'Fn::GetAtt': z.tuple([z.string(), z.string()]) }),
  Handler: z.string(),
  Runtime: z.string(),
  Environment: z.optional(z.object({ Variables: z.optional(z.record(z.string(), z.unknown())) })),
})

const namedTypes =
  /^AWS::(?:Lambda::Function|IAM::Role|DynamoDB::Table|KMS::Key|S3::Bucket|ApiGatewayV2::Api)$/

/** Reads the templates of the stack and of its nested stacks, in which parameters have what the stack passes. */
const readDeployment = async (account: Account): Promise<Deployment> => {
  const { resources: listed } = await account.stack()
  const aws = await account.aws()
  const allNames = new Map(listed.map(({ id, name }) => [id, name]))
  const names = new Map(listed.flatMap(({ id, type, name }) => (namedTypes.test(type) ? [[id, name]] : [])))
  const readTemplate = async (stack: string) => {
    const answer = await aws.query('cloudformation', 'GetTemplate', { StackName: stack })
    const template = z.safeParse(Template, parseJson(textOf(answer, 'TemplateBody')))
    if (!template.success) throw new Skipped('The template of the stack cannot be read.')
    return Object.entries<Resource>(template.data.Resources)
  }
  const own = await readTemplate(account.stackName ?? '')
  const nested = await Promise.all(
    own
      .filter(([, { Type }]) => Type === 'AWS::CloudFormation::Stack')
      .map(async ([id, { Properties }]) => {
        const parameters = new Map(Object.entries(Object(Properties?.['Parameters'])))
        return fillParameters(await readTemplate(allNames.get(id) ?? ''), parameters)
      }),
  )
  const resources = [...own, ...nested.flat()]
  const functions = resources.flatMap(([id, { Type, Properties }]) => {
    if (Type !== 'AWS::Lambda::Function') return []
    const [, name] = /^Latchkey: ([\w-]+)$/.exec(String(Properties?.['Description'])) ?? []
    const physicalName = allNames.get(id)
    return name === undefined || physicalName === undefined
      ? []
      : [{ id, name, physicalName, properties: read(FunctionProperties, Properties) }]
  })
  if (functions.length === 0) throw new Skipped('The stack has no functions of Latchkey.')
  return { aws, allNames, names, resources, functions }
}

const fillParameters = <Value>(value: Value, parameters: ReadonlyMap<string, unknown>): Value =>
  JSON.parse(JSON.stringify(value), (_, inner) =>
    typeof inner?.Ref === 'string' && parameters.has(inner.Ref) ? parameters.get(inner.Ref) : inner,
  )

const pathOf = (name: string, rest: string): string =>
  `/2015-03-31/functions/${encodeURIComponent(name)}/${rest}`

const Configuration = z.object({
  CodeSha256: z.string(),
  Handler: z.string(),
  Runtime: z.string(),
  Role: z.string(),
  Layers: z.optional(z.array(z.unknown())),
  Environment: z.optional(z.object({ Variables: z.optional(z.record(z.string(), z.string())) })),
})

const readConfiguration = async ({ aws }: Deployment, { physicalName }: DeployedFunction) =>
  read(Configuration, await aws.get('lambda', pathOf(physicalName, 'configuration')))

/** @throws Failed with all differences */
const report = (differences: readonly string[], sentence: string): string => {
  if (differences.length > 0) throw new Failed(`Not as released: ${differences.join('; ')}.`)
  return sentence
}

/** Asks about few functions at the same time, because Lambda and IAM limit such calls. */
const findDifferences = async (
  { functions }: Deployment,
  find: (one: DeployedFunction) => Promise<readonly string[]>,
): Promise<readonly string[]> => (await mapInBatches(functions, callsAtOnce, find)).flat()

const callsAtOnce = 4

const compareCode = async (deployment: Deployment, release: ReleaseFile): Promise<string> => {
  const digests = new Map(Object.entries(release.functions))
  const differences = await findDifferences(deployment, async (one) => {
    const { CodeSha256 } = await readConfiguration(deployment, one)
    return CodeSha256 === digests.get(one.name) ? [] : [`the code of ${one.name}`]
  })
  return report(differences, `${deployment.functions.length} functions have the code of ${release.version}.`)
}

const compareSettings = async (deployment: Deployment): Promise<string> => {
  const { names, functions } = deployment
  const differences = await findDifferences(deployment, async (one) => {
    const { Handler, Runtime, Role, Layers = [], Environment } = await readConfiguration(deployment, one)
    const { properties } = one
    const found = Environment?.Variables ?? {}
    const variables = properties.Environment?.Variables ?? {}
    const changed = [...new Set([...Object.keys(found), ...Object.keys(variables)])].filter(
      (name) =>
        !(Object.hasOwn(found, name) && Object.hasOwn(variables, name)) ||
        !matchesTemplate(variables[name], found[name], names),
    )
    return [
      ...(Handler === properties.Handler ? [] : [`the handler of ${one.name}`]),
      ...(Runtime === properties.Runtime ? [] : [`the runtime of ${one.name}`]),
      ...(matchesTemplate(properties.Role, Role, names) ? [] : [`the role of ${one.name}`]),
      ...(Layers.length === 0 ? [] : [`a layer of ${one.name}`]),
      ...changed.map((name) => `the variable ${name} of ${one.name}`),
    ]
  })
  return report(differences, `${functions.length} functions have the settings of the template.`)
}

const Aliases = z.object({
  Aliases: z.array(
    z.object({
      Name: z.string(),
      FunctionVersion: z.string(),
      RoutingConfig: z.optional(
        z.nullable(z.object({ AdditionalVersionWeights: z.optional(z.looseObject({})) })),
      ),
    }),
  ),
})
const Urls = z.object({ FunctionUrlConfigs: z.array(z.object({ AuthType: z.string() })) })

const compareAliases = async (deployment: Deployment): Promise<string> => {
  const { aws, names } = deployment
  const differences = await findDifferences(deployment, async ({ id, name, physicalName }) => {
    const ofFunction = (type: string) =>
      deployment.resources.flatMap(([, { Type, Properties }]) =>
        Type === type && mentions(Properties?.['FunctionName'] ?? Properties?.['TargetFunctionArn'], id)
          ? [Properties ?? {}]
          : [],
      )
    const expected = new Map(
      ofFunction('AWS::Lambda::Alias').map((alias) => [String(alias['Name']), alias['FunctionVersion']]),
    )
    const { Aliases: aliases } = read(Aliases, await aws.get('lambda', pathOf(physicalName, 'aliases')))
    const changed = aliases.filter(
      ({ Name, FunctionVersion, RoutingConfig }) =>
        !expected.has(Name) ||
        !matchesTemplate(expected.get(Name), FunctionVersion, names) ||
        Object.keys(RoutingConfig?.AdditionalVersionWeights ?? {}).length > 0,
    )
    const path = `/2021-10-31/functions/${encodeURIComponent(physicalName)}/urls`
    const { FunctionUrlConfigs: urls } = read(Urls, await aws.get('lambda', path))
    const expectedUrls = ofFunction('AWS::Lambda::Url')
    return [
      ...changed.map(({ Name }) => `the alias ${Name} of ${name}`),
      ...(urls.length > expectedUrls.length ? [`an address of ${name}`] : []),
      ...(urls.some(({ AuthType }) => AuthType !== 'AWS_IAM') ? [`an open address of ${name}`] : []),
    ]
  })
  return report(differences, 'Aliases and addresses are those of the template.')
}

const mentions = (part: unknown, id: string): boolean => JSON.stringify(part ?? '').includes(`"${id}"`)

const Policy = z.object({ Policy: z.string() })
const Statement = z.object({
  Action: z.unknown(),
  Principal: z.unknown(),
  Condition: z.optional(z.record(z.string(), z.record(z.string(), z.unknown()))),
})
const Statements = z.object({ Statement: z.array(Statement) })

/** Compares what may invoke a function. The policies of a function and of its aliases are separate. */
const compareCallers = async (deployment: Deployment): Promise<string> => {
  const { aws, names, resources } = deployment
  const permissions = resources.flatMap(([, { Type, Properties }]) =>
    Type === 'AWS::Lambda::Permission' && Properties ? [Properties] : [],
  )
  const differences = await findDifferences(deployment, async ({ id, name, physicalName }) => {
    const aliases = resources.flatMap(([aliasId, { Type, Properties }]) =>
      Type === 'AWS::Lambda::Alias' && mentions(Properties?.['FunctionName'], id)
        ? [{ aliasId, qualifier: `?Qualifier=${String(Properties?.['Name'])}` }]
        : [],
    )
    const qualifiers = ['', ...aliases.map(({ qualifier }) => qualifier)]
    const policies = await Promise.all(
      qualifiers.map((qualifier) => orMissing(aws.get('lambda', pathOf(physicalName, `policy${qualifier}`)))),
    )
    const found = policies.flatMap((policy) =>
      policy === undefined ? [] : read(Statements, parseJson(read(Policy, policy).Policy)).Statement,
    )
    const expected = permissions.filter(({ FunctionName }) =>
      [id, ...aliases.map(({ aliasId }) => aliasId)].some((one) => mentions(FunctionName, one)),
    )
    const isExpected = (statement: z.output<typeof Statement>): boolean =>
      expected.some((permission) => allowsSame(permission, statement, names))
    return found.every(isExpected) ? [] : [`who may call ${name}`]
  })
  return report(differences, 'Functions can be called by what the template names.')
}

const allowsSame = (
  { Action, Principal, SourceArn, SourceAccount, FunctionUrlAuthType }: Readonly<Record<string, unknown>>,
  statement: z.output<typeof Statement>,
  names: PhysicalNames,
): boolean => {
  const caller = statement.Principal
  const principals = typeof caller === 'string' ? [caller] : Object.values(Object(caller))
  const conditions = new Map(
    Object.values(statement.Condition ?? {}).flatMap((one) =>
      Object.entries(one).map(([key, value]) => [key.toLowerCase(), value] as const),
    ),
  )
  const requires = (key: string, part: unknown): boolean =>
    part === undefined
      ? !conditions.has(key)
      : conditions.has(key) && matchesTemplate(part, conditions.get(key), names)
  return (
    matchesTemplate(Action, statement.Action, names) &&
    principals.length === 1 &&
    matchesTemplate(Principal, principals[0], names) &&
    requires('aws:sourcearn', SourceArn) &&
    requires('aws:sourceaccount', SourceAccount) &&
    requires('lambda:functionurlauthtype', FunctionUrlAuthType)
  )
}

const compareGrants = async (deployment: Deployment, release: ReleaseFile): Promise<string> => {
  const { aws, allNames, names, resources } = deployment
  const roles = new Map(resources.filter(([, { Type }]) => Type === 'AWS::IAM::Role'))
  const released = new Map(Object.entries(release.grants))
  let count = 0
  const differences = await findDifferences(deployment, async ({ name, properties }) => {
    const id = properties.Role['Fn::GetAtt'][0]
    const role = readRole(roles.get(id)?.Properties)
    const may = new Set(released.get(name))
    const ofTemplate = role.policies.flatMap(({ statements }) => statements)
    count += ofTemplate.length
    const RoleName = allNames.get(id) ?? ''
    const answer = await aws.query('iam', 'GetRole', { RoleName })
    const description = findChild(answer, 'Role') ?? answer
    const trust = parseJson(decodeURIComponent(textOf(description, 'AssumeRolePolicyDocument')))
    const attached = await aws.query('iam', 'ListAttachedRolePolicies', { RoleName })
    const listed = await aws.query('iam', 'ListRolePolicies', { RoleName })
    const policyNames = listMembers(listed, 'PolicyNames').map(({ text }) => text)
    const isSame = async (PolicyName: string): Promise<boolean> => {
      const policy = role.policies.find((one) => matchesTemplate(one.name, PolicyName, names))
      if (!policy) return false
      const found = await aws.query('iam', 'GetRolePolicy', { RoleName, PolicyName })
      const document = parseJson(decodeURIComponent(textOf(found, 'PolicyDocument')))
      const { Statement: given } = read(StatementList, document)
      return matchesTemplate(policy.statements, given, names)
    }
    const same = await Promise.all(policyNames.map(isSame))
    return [
      ...(ofTemplate.every((statement) => may.has(describeStatement(statement)))
        ? []
        : [`the grants of ${name} in the template`]),
      ...(policyNames.length === role.policies.length && same.every(Boolean)
        ? []
        : [`the policy of the role of ${name}`]),
      ...(listMembers(attached, 'AttachedPolicies').length === 0
        ? []
        : [`a policy attached to the role of ${name}`]),
      ...(matchesTemplate(role.trust, trust, names) ? [] : [`who may use the role of ${name}`]),
    ]
  })
  return report(differences, `Roles have the ${count} grants of ${release.version}.`)
}

const StatementList = z.object({ Statement: z.array(z.unknown()) })
const Role = z.object({
  AssumeRolePolicyDocument: z.unknown(),
  Policies: z.optional(z.array(z.object({ PolicyName: z.unknown(), PolicyDocument: StatementList }))),
})

const readRole = (properties: unknown) => {
  const { AssumeRolePolicyDocument: trust, Policies = [] } = read(Role, properties)
  const policies = Policies.map(({ PolicyName, PolicyDocument }) => ({
    name: PolicyName,
    statements: PolicyDocument.Statement,
  }))
  return { trust, policies }
}

const RoutePage = z.object({
  items: z.optional(
    z.array(
      z.object({
        routeKey: z.optional(z.string()),
        target: z.optional(z.string()),
      }),
    ),
  ),
  nextToken: z.optional(z.string()),
})
const IntegrationPage = z.object({
  items: z.optional(z.array(z.object({ integrationId: z.string(), integrationUri: z.optional(z.string()) }))),
  nextToken: z.optional(z.string()),
})
const StageVariables = z.object({ stageVariables: z.optional(z.record(z.string(), z.string())) })
const maxPages = 20

const readPages = async <Item>(
  aws: Aws,
  path: string,
  schema: z.ZodMiniType<{ items?: Item[] | undefined; nextToken?: string | undefined }>,
): Promise<readonly Item[]> => {
  const found: Item[] = []
  let token = ''
  for (let page = 0; page < maxPages; page++) {
    const next = token ? `&nextToken=${encodeURIComponent(token)}` : ''
    const { items = [], nextToken = '' } = read(
      schema,
      await aws.get('apigateway', `${path}?maxResults=500${next}`),
    )
    found.push(...items)
    token = nextToken
    if (!token) break
  }
  return found
}

const compareRoutes = async (
  account: Account,
  { aws, functions }: Deployment,
  release: ReleaseFile,
): Promise<string> => {
  const api = `/v2/apis/${encodeURIComponent(requireOutput(await account.stack(), 'ApiId'))}`
  const routes = await readPages(aws, `${api}/routes`, RoutePage)
  const integrations = await readPages(aws, `${api}/integrations`, IntegrationPage)
  const { stageVariables = {} } = read(
    StageVariables,
    await aws.get('apigateway', `${api}/stages/${encodeURIComponent('$default')}`),
  )
  const variables = new Map(Object.entries(stageVariables))
  const nameOf = new Map(functions.map(({ name, physicalName }) => [physicalName, name]))
  const uriOf = new Map(
    integrations.map(({ integrationId, integrationUri }) => [integrationId, integrationUri]),
  )
  const findFunction = (target = ''): string | undefined => {
    const uri = uriOf.get(target.replace(/^integrations\//, '')) ?? ''
    const [, given = ''] = /:function:([^/]+)\/invocations$/.exec(uri) ?? []
    const [, variable] = /^\$\{stageVariables\.(\w+)\}$/.exec(given) ?? []
    return nameOf.get(variable === undefined ? given : (variables.get(variable) ?? ''))
  }
  const expected = new Map(Object.entries(release.routes))
  const found = new Map(routes.map(({ routeKey = '', target }) => [routeKey, findFunction(target)]))
  const differences = [
    ...[...found].flatMap(([key, name]) =>
      name !== undefined && expected.get(key) === name ? [] : [`the route ${key}`],
    ),
    ...[...expected.keys()].flatMap((key) => (found.has(key) ? [] : [`the missing route ${key}`])),
  ]
  return report(differences, `${found.size} routes lead to the functions of ${release.version}.`)
}

const comparePages = async (send: Send, release: ReleaseFile, signal: AbortSignal): Promise<string> => {
  const files = Object.entries(release.pages)
  const differences = await mapInBatches(files, callsAtOnce, async ([path, digest]) => {
    const { status, text } = await send('GET', path, { signal })
    const found = createHash('sha256').update(text).digest('hex')
    return status === 200 && found === digest ? [] : [path]
  })
  return report(differences.flat(), `${files.length} files of the pages are those of ${release.version}.`)
}
