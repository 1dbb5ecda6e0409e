import { randomUUID } from 'node:crypto'
import { createTable } from '../../infra/local/dynamodb.ts'
import { startGateway } from '../../infra/local/gateway.ts'
import type { JsonValue } from '../support/client.ts'
import { startKms } from '../support/kms.ts'
import { accessDenied, actionOf, signerOf, startProxy } from './dynamodb-proxy.ts'
import { type BusEvent, startEventBridge } from './event-bridge-stub.ts'
import { type Facts, resolve } from './intrinsics.ts'
import { type RunningFunction, startFunction } from './lambda.ts'
import { neededPermissions, type Permission } from './needed-permissions.ts'
import { allows, fits, statementsOf } from './policies.ts'
import { type SentMail, startSes } from './ses-stub.ts'
import { startStub } from './stub-server.ts'
import { resourcesOf, type Synthesis, stackSettings, type Template } from './synthesis.ts'

const region = 'local'
const account = '000000000000'
export const adminPassword = 'The-Secret-Of-The-Stack-0123456789'

const tableArn = (name: string): string => `arn:aws:dynamodb:${region}:${account}:table/${name}`

/** The values of references and attributes in the deployed template. */
export const factsOf = (template: Template, tableName: string): Facts => {
  const ofResource = ([id, { Type }]: readonly [string, { readonly Type: string }]) =>
    Type === 'AWS::DynamoDB::Table'
      ? {
          [id]: tableName,
          [`${id}.Arn`]: tableArn(tableName),
          [`${id}.StreamArn`]: `${tableArn(tableName)}/stream/1`,
        }
      : { [id]: id, [`${id}.Arn`]: `arn:aws:test:${region}:${account}:${id}` }
  const [[apiId] = []] = resourcesOf(template, 'AWS::ApiGatewayV2::Api')
  return Object.assign(
    {
      'AWS::Region': region,
      'AWS::AccountId': account,
      'AWS::Partition': 'aws',
      'AWS::URLSuffix': 'amazonaws.com',
      [`${apiId}.ApiEndpoint`]: 'https://auth.example.com',
    },
    ...Object.entries(template.Resources).map(ofResource),
  )
}

const ownKeyArnOf = (template: Template, facts: Facts): string =>
  facts[`${resourcesOf(template, 'AWS::KMS::Key')[0]?.[0]}.Arn`] ?? ''

/** The name of the table that the stack adopts, if it does not create one. */
const adoptedTableOf = (template: Template): string | undefined => {
  const [[, adopting] = []] = resourcesOf(template, 'AWS::Lambda::Function')
  const name = adopting?.Properties.Environment.Variables.TABLE_NAME
  return typeof name === 'string' ? name : undefined
}

/** The key that encrypts the table. An adopted table has its own. */
const tableKeyArnOf = (template: Template, facts: Facts): string => {
  const [[, table] = []] = resourcesOf(template, 'AWS::DynamoDB::Table')
  return table
    ? resolve(table.Properties.SSESpecification.KMSMasterKeyId, facts)
    : stackSettings.adopted.tableKeyArn
}

/** The ARN that API Gateway uses to call the function of a route: with stage, method and path, or `$default`. */
const callerOf = (apiId: string, routeKey: string): string =>
  `arn:aws:execute-api:${region}:${account}:${apiId}/$default/${routeKey.replace(' ', '')}`

/** The routes of the API with their target functions. Throws if a function does not allow the API to call it. */
export const routesOf = (template: Template): readonly { routeKey: string; target: string }[] => {
  const facts = factsOf(template, 'the-table')
  const [[apiId = ''] = []] = resourcesOf(template, 'AWS::ApiGatewayV2::Api')
  const permissions = resourcesOf(template, 'AWS::Lambda::Permission').map(([, { Properties }]) => ({
    target: Properties.FunctionName['Fn::GetAtt'][0],
    callers: resolve(Properties.SourceArn ?? '', facts),
  }))
  return resourcesOf(template, 'AWS::ApiGatewayV2::Route').map(([id, { Properties }]) => {
    const integration = template.Resources[Properties.Target['Fn::Join'][1][1].Ref]?.Properties
    const target = integration.IntegrationUri['Fn::GetAtt'][0]
    const mayCall = permissions.some(
      (permission) =>
        permission.target === target && fits(permission.callers, callerOf(apiId, Properties.RouteKey)),
    )
    if (integration.PayloadFormatVersion !== '2.0' || !mayCall)
      throw new Error(`the route ${id} has no target that responds`)
    return { routeKey: Properties.RouteKey, target }
  })
}

export interface Deployment {
  readonly url: string
  /** The functions by logical id, each in its own process. */
  readonly functions: ReadonlyMap<string, RunningFunction>
  /** Returns the calls that roles did not allow since the last call of this function. */
  readonly takeDenials: () => readonly string[]
  /** The table endpoint of the functions, which denies calls that their role does not allow. */
  readonly tableEndpoint: string
  readonly tableName: string
  readonly mails: readonly SentMail[]
  readonly busEvents: readonly BusEvent[]
  /** Responses of functions to CloudFormation. */
  readonly responses: readonly JsonValue[]
  readonly responseUrl: string
  readonly close: () => Promise<void>
}

/**
 * Runs what the template would deploy: the bundles of its functions with only their environment, behind its routes.
 * Replacements for AWS services allow each function only what its role allows.
 */
export const deploy = async ({ template, assetOf }: Synthesis, engine: string): Promise<Deployment> => {
  const tableName = adoptedTableOf(template) ?? `latchkey-${randomUUID()}`
  await createTable(engine, tableName)
  const facts = factsOf(template, tableName)
  const functionIds = resourcesOf(template, 'AWS::Lambda::Function').map(([id]) => id)
  const statements = new Map(functionIds.map((id) => [id, statementsOf(template, id, facts)]))
  const denials: string[] = []
  const responses: JsonValue[] = []

  const keyArns: Readonly<Record<string, string>> = {
    dynamodb: tableKeyArnOf(template, facts),
    secretsmanager: ownKeyArnOf(template, facts),
  }
  const may = (
    functionId: string,
    service: string,
    { action, resource, leadingKeys }: Permission,
  ): boolean => {
    const own = statements.get(functionId) ?? []
    const seen = { 'kms:ViaService': `${service}.${region}.amazonaws.com` }
    const isAllowed =
      allows(own, action, resource, { 'dynamodb:LeadingKeys': leadingKeys }) &&
      allows(own, 'kms:Decrypt', keyArns[service] ?? '', seen)
    if (!isAllowed) denials.push(`${functionId} ${action} ${resource}`)
    return isAllowed
  }

  const proxy = await startProxy({
    endpoint: engine,
    refuse: (call) =>
      neededPermissions(call, tableArn)
        .filter((permission) => !may(call.accessKeyId, 'dynamodb', permission))
        .map(({ action, resource }) => `not authorized to perform ${action} on ${resource}`)[0],
  })
  const secrets = await startStub((request) => {
    const { SecretId } = JSON.parse(request.body)
    const action = `secretsmanager:${actionOf(request)}`
    if (!may(signerOf(request), 'secretsmanager', { action, resource: SecretId })) return accessDenied(action)
    return { status: 200, body: JSON.stringify({ ARN: SecretId, SecretString: adminPassword }) }
  })
  const kms = await startKms((request, operation, { KeyId, EncryptionContext = {}, SigningAlgorithm }) => {
    const context = Object.entries(EncryptionContext).map(([name, value]) => [
      `kms:EncryptionContext:${name}`,
      String(value),
    ])
    const signer = signerOf(request)
    const isAllowed = allows(statements.get(signer) ?? [], `kms:${operation}`, KeyId, {
      ...Object.fromEntries(context),
      ...(SigningAlgorithm ? { 'kms:SigningAlgorithm': SigningAlgorithm } : {}),
    })
    if (!isAllowed) denials.push(`${signer} kms:${operation} ${KeyId}`)
    return isAllowed
  })
  const ses = await startSes(({ functionId, identity, configurationSet, fromAddress }) => {
    const arn = (resource: string) => `arn:aws:ses:${region}:${account}:${resource}`
    const isAllowed = [`identity/${identity}`, `configuration-set/${configurationSet}`].every((resource) =>
      allows(statements.get(functionId) ?? [], 'ses:SendEmail', arn(resource), {
        'ses:FromAddress': fromAddress,
      }),
    )
    if (!isAllowed) denials.push(`${functionId} ses:SendEmail ${identity} ${configurationSet}`)
    return isAllowed
  })
  const eventBridge = await startEventBridge((request, busName) => {
    const signer = signerOf(request)
    const bus = facts[`${busName}.Arn`] ?? ''
    const isAllowed = allows(statements.get(signer) ?? [], 'events:PutEvents', bus)
    if (!isAllowed) denials.push(`${signer} events:PutEvents ${busName}`)
    return isAllowed
  })
  const cloudformation = await startStub(({ body, headers }) => {
    // The signature of the URL covers a request without a content type.
    if (headers['content-type']) return { status: 403 }
    responses.push(JSON.parse(body))
    return { status: 200 }
  })

  const start = async (id: string): Promise<readonly [string, RunningFunction]> => {
    const environment = resolve(template.Resources[id]?.Properties.Environment.Variables, facts)
    const given = {
      AWS_REGION: region,
      AWS_LAMBDA_FUNCTION_NAME: id,
      AWS_ACCESS_KEY_ID: id,
      AWS_SECRET_ACCESS_KEY: 'local',
      AWS_SESSION_TOKEN: 'local',
      DYNAMODB_ENDPOINT: proxy.url,
      AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url,
      AWS_ENDPOINT_URL_KMS: kms.url,
      AWS_ENDPOINT_URL_SES: ses.url,
      AWS_ENDPOINT_URL_EVENTBRIDGE: eventBridge.url,
      BREACH_ENDPOINT: '',
    }
    return [id, await startFunction(assetOf(id), { ...environment, ...given })]
  }
  const functions = new Map(await Promise.all(functionIds.map(start)))

  const routes = routesOf(template)
  const [defaultTarget] = routes.flatMap(({ routeKey, target }) => (routeKey === '$default' ? [target] : []))
  const gateway = await startGateway({
    port: 0,
    routes: routes.filter(({ routeKey }) => routeKey !== '$default'),
    invoke: async (target, event) => {
      const called = functions.get(target === '$default' ? (defaultTarget ?? '') : target)
      return called?.invoke(event)
    },
  })
  return {
    url: gateway.url,
    functions,
    takeDenials: () => denials.splice(0),
    tableEndpoint: proxy.url,
    tableName,
    mails: ses.mails,
    busEvents: eventBridge.events,
    responses,
    responseUrl: cloudformation.url,
    close: async () => {
      await gateway.close()
      await Promise.all([...functions.values()].map(({ stop }) => stop()))
      await Promise.all([proxy, secrets, kms, ses, eventBridge, cloudformation].map(({ close }) => close()))
    },
  }
}
