import { resolve } from '../../infra/intrinsics.ts'
import type { StubAnswer, StubRequest } from '../../infra/stub-server.ts'
import { resourcesOf, type Synthesis } from '../../infra/synthesis.ts'
import { factsOf } from '../../runner/template-facts.ts'
import type { JsonValue } from '../../support/client.ts'
import { result } from './account-stub.ts'

/* What Lambda, IAM and API Gateway say of an account in which a template is deployed. Tests change parts of it. */

export interface ReleasedAccount {
  /** By the names of functions in the account, which are the logical IDs of the template. */
  readonly functions: Record<string, JsonValue>
  readonly roles: Record<string, JsonValue>
  readonly routes: JsonValue[]
  readonly integrations: JsonValue[]
  readonly stageVariables: Record<string, string>
  /** What a page of the service answers, by its path. */
  readonly pages: Record<string, string>
}

const policyOf = (permissions: readonly JsonValue[]): JsonValue =>
  permissions.map(({ Action, Principal, SourceArn, SourceAccount, FunctionUrlAuthType }) => ({
    Effect: 'Allow',
    Action,
    Principal: /\.amazonaws\.com$/.test(Principal) ? { Service: Principal } : { AWS: Principal },
    Condition: {
      ...(SourceArn ? { ArnLike: { 'AWS:SourceArn': SourceArn } } : {}),
      ...(SourceAccount || FunctionUrlAuthType
        ? {
            StringEquals: {
              ...(SourceAccount ? { 'AWS:SourceAccount': SourceAccount } : {}),
              ...(FunctionUrlAuthType ? { 'lambda:FunctionUrlAuthType': FunctionUrlAuthType } : {}),
            },
          }
        : {}),
    },
  }))

/** Deploys a template to the model, with these digests of functions. */
export const deployRelease = (
  { template, permissions }: Synthesis,
  digests: Readonly<Record<string, string>>,
): ReleasedAccount => {
  const [[tableId] = ['the-table']] = resourcesOf(template, 'AWS::DynamoDB::Table')
  const facts = factsOf(template, tableId)
  const isAbout = (part: JsonValue, id: string): boolean => JSON.stringify(part).includes(`"${id}"`)
  const allPermissions = [template, permissions].flatMap((one) =>
    resourcesOf(one, 'AWS::Lambda::Permission').map(([, { Properties }]) => Properties),
  )
  const policyAbout = (id: string): JsonValue =>
    policyOf(
      allPermissions
        .filter(({ FunctionName }) => isAbout(FunctionName, id))
        .map(({ FunctionName: _, ...others }) => resolve(others, facts)),
    )
  const functions = resourcesOf(template, 'AWS::Lambda::Function').map(([id, { Properties }]) => {
    const aliases = resourcesOf(template, 'AWS::Lambda::Alias').filter(([, alias]) =>
      isAbout(alias.Properties.FunctionName, id),
    )
    const urls = resourcesOf(template, 'AWS::Lambda::Url').filter(([, url]) =>
      isAbout(url.Properties.TargetFunctionArn, id),
    )
    const name = String(Properties.Description).replace('Latchkey: ', '')
    return [
      id,
      {
        configuration: {
          CodeSha256: digests[name],
          Handler: Properties.Handler,
          Runtime: Properties.Runtime,
          Role: resolve(Properties.Role, facts),
          Environment: resolve(Properties.Environment, facts),
        },
        aliases: aliases.map(([, alias]) => ({
          Name: alias.Properties.Name,
          FunctionVersion: resolve(alias.Properties.FunctionVersion, {
            ...facts,
            [`${id}.Version`]: '$LATEST',
          }),
        })),
        policies: Object.fromEntries([
          ['', policyAbout(id)],
          ...aliases.map(([aliasId, alias]) => [alias.Properties.Name, policyAbout(aliasId)]),
        ]),
        urls: urls.map(([, url]) => ({ AuthType: url.Properties.AuthType })),
      },
    ]
  })
  const roles = resourcesOf(template, 'AWS::IAM::Role').map(([id, { Properties }]) => [
    id,
    {
      trust: resolve(Properties.AssumeRolePolicyDocument, facts),
      policies: Object.fromEntries(
        (Properties.Policies ?? []).map((policy: JsonValue) => [
          policy.PolicyName,
          resolve(policy.PolicyDocument, facts),
        ]),
      ),
      attached: [],
    },
  ])
  const [[, api] = []] = resourcesOf(template, 'AWS::ApiGatewayV2::Api')
  const [[, stage] = []] = resourcesOf(template, 'AWS::ApiGatewayV2::Stage')
  const body = resolve(api?.Properties.Body, facts)
  const integrations = Object.entries<JsonValue>(body.components['x-amazon-apigateway-integrations']).map(
    ([integrationId, { uri }]) => ({ integrationId, integrationUri: uri }),
  )
  const routes = Object.entries<JsonValue>(body.paths).flatMap(([path, { parameters: _, ...methods }]) =>
    Object.entries<JsonValue>(methods).map(([method, operation]) => ({
      routeKey:
        path === '/$default'
          ? '$default'
          : `${method === 'x-amazon-apigateway-any-method' ? 'ANY' : method.toUpperCase()} ${path}`,
      target: operation['x-amazon-apigateway-integration'].$ref.replace(/^.*\//, 'integrations/'),
      authorizationType: 'NONE',
    })),
  )
  const read = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value))
  return read({
    functions: Object.fromEntries(functions),
    roles: Object.fromEntries(roles),
    routes,
    integrations,
    stageVariables: resolve(stage?.Properties.StageVariables, facts),
    pages: {},
  })
}

/** Answers a call about the account. Undefined if it is about something else. */
export const answerFor = (account: ReleasedAccount, { path, body }: StubRequest): StubAnswer | undefined => {
  const json = (value: unknown): StubAnswer => ({ status: 200, body: JSON.stringify(value) })
  const missing = { status: 404, body: '{"__type":"ResourceNotFoundException"}' }
  const page = account.pages[path]
  if (page !== undefined) return { status: 200, body: page }
  const [, name = '', part, qualifier = ''] =
    /^\/(?:2015-03-31|2021-10-31)\/functions\/([^/]+)\/(\w+)(?:\?Qualifier=(.+))?$/.exec(path) ?? []
  const found = account.functions[name]
  if (found) {
    if (part === 'configuration') return json(found.configuration)
    if (part === 'aliases') return json({ Aliases: found.aliases })
    if (part === 'urls') return json({ FunctionUrlConfigs: found.urls })
    const policy = found.policies[qualifier] ?? []
    return policy.length === 0 ? missing : json({ Policy: JSON.stringify({ Statement: policy }) })
  }
  if (/^\/v2\/apis\/[^/]+\/routes/.test(path)) return json({ items: account.routes })
  if (/^\/v2\/apis\/[^/]+\/integrations/.test(path)) return json({ items: account.integrations })
  if (/^\/v2\/apis\/[^/]+\/stages\//.test(path)) return json({ stageVariables: account.stageVariables })
  const form = new URLSearchParams(body)
  const role = account.roles[form.get('RoleName') ?? '']
  if (!role) return undefined
  const action = form.get('Action') ?? ''
  const list = (entries: readonly string[]) => entries.map((entry) => `<member>${entry}</member>`).join('')
  const contents: Record<string, string> = {
    GetRole: `<Role><AssumeRolePolicyDocument>${encodeURIComponent(JSON.stringify(role.trust))}</AssumeRolePolicyDocument></Role>`,
    ListRolePolicies: `<PolicyNames>${list(Object.keys(role.policies))}</PolicyNames>`,
    ListAttachedRolePolicies: `<AttachedPolicies>${list(role.attached.map((arn: string) => `<PolicyArn>${arn}</PolicyArn>`))}</AttachedPolicies>`,
    GetRolePolicy: `<PolicyDocument>${encodeURIComponent(JSON.stringify(role.policies[form.get('PolicyName') ?? '']))}</PolicyDocument>`,
  }
  return { status: 200, body: result(action, contents[action] ?? '') }
}
