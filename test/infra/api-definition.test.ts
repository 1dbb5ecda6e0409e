import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { App, Stack, Tags } from 'aws-cdk-lib'
import { HttpRoute, HttpRouteKey } from 'aws-cdk-lib/aws-apigatewayv2'
import { HttpUrlIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations'
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda'
import { afterAll, describe, expect, it } from 'vitest'
import { createApp } from '../../infra/app.ts'
import { addStage, admitApi, createApi } from '../../infra/parts/api.ts'
import { pascalCase } from '../../infra/parts/functions.ts'
import { operations } from '../../lib/features/operations.ts'
import type { Operation } from '../../lib/kernel/contract/operation.ts'
import { listRoutes } from '../../lib/kernel/contract/routes.ts'
import { type Change, countGatewayCalls, listBefore, listChanges, type Templates } from './gateway-calls.ts'
import { readTemplates, resourcesOf, stackSettings, writeEmptyBundles } from './synthesis.ts'

/* The API of other lists of operations, as releases have them, and what CloudFormation does between two of them. */

const folder = mkdtempSync(join(tmpdir(), 'latchkey-api-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** API Gateway takes 10 calls a second in an account, and this many at once. */
const burst = 40

let synthesized = 0
const outdirOf = () => join(folder, String(synthesized++))

/** The API with functions that need its URL, as those of the service do. */
const addApi = (stack: Stack, given: readonly Operation[], hasDefaultUrl = true) => {
  const httpApi = createApi(stack, { hasDefaultUrl, routes: listRoutes(given) })
  const functions = Object.fromEntries(
    [...new Set<string>([...given.map(({ group }) => group), 'unmatched'])].map((name) => [
      name,
      new LambdaFunction(stack, pascalCase(name), {
        code: Code.fromInline('//'),
        handler: 'index.handler',
        runtime: Runtime.NODEJS_24_X,
        environment: { PUBLIC_URL: `https://${httpApi.apiId}.example.com` },
      }),
    ]),
  )
  const permissions = admitApi(stack, httpApi, functions)
  const throttle = { rateLimit: 1000, burstLimit: 2000 }
  addStage(httpApi, { throttle, logRetention: 30, functions, permissions })
  return httpApi
}

const synthesize = (given: readonly Operation[], hasDefaultUrl?: boolean): Templates => {
  const outdir = outdirOf()
  const app = new App({ outdir })
  addApi(new Stack(app, 'Service'), given, hasDefaultUrl)
  app.synth()
  return readTemplates(outdir)
}

const present = synthesize(operations)
const find = (id: string): Operation => {
  const operation = operations.find((one) => one.id === id)
  if (!operation) throw new Error(`there is no ${id}`)
  return operation
}
const typesOf = (changes: readonly Change[]) =>
  new Set(changes.map(({ action, type }) => `${action} ${type.replace(/^AWS::/, '')}`))

const ofApi = ['update ApiGatewayV2::Api', 'update ApiGatewayV2::Stage']
/** A deployment never changes, so another one takes its place. */
const ofRoutes = [...ofApi, 'create ApiGatewayV2::Deployment', 'delete ApiGatewayV2::Deployment']

describe('a release', () => {
  const added = { ...find('get_current_user'), id: 'first', path: '/api/2/users/aaa' } as Operation
  const elsewhere = { ...find('get_health'), id: 'elsewhere', path: '/api/2/aaa' } as Operation
  const covered = { ...find('get_current_user'), id: 'covered', path: '/api/2/users/me/aaa' } as Operation
  const withoutLeaks = operations.filter(({ group }) => group !== 'leaks')
  const moved = operations.map((one) => (one.id === 'get_totals' ? { ...one, group: 'audit' as const } : one))

  it.each<readonly [title: string, after: readonly Operation[], changes: readonly string[]]>([
    ['with an operation that comes first', [elsewhere, ...operations], ofRoutes],
    ['with an operation that comes first in its group', [added, ...operations], ofRoutes],
    ['with an operation below a greedy route', [covered, ...operations], []],
    ['with the same operations in another order', operations.toReversed(), []],
    ['without an operation', operations.filter(({ id }) => id !== 'get_totals'), ofRoutes],
    ['with an operation in another group', moved, ofRoutes],
  ])('%s changes the API and nothing else', (_, after, expected) => {
    const changes = listChanges(present, synthesize(after))
    const isRightOrder = expected.every((one) => typesOf(changes).has(one) || one.endsWith('Stage'))
    expect(isRightOrder, [...typesOf(changes)].join()).toBe(true)
    for (const type of typesOf(changes)) expect(ofRoutes).toContain(type)
    expect(changes.length).toBeLessThanOrEqual(ofRoutes.length)
    expect(countGatewayCalls(changes)).toBeLessThanOrEqual(burst)
  })

  it('without the default URL deploys the API again, which ends the URL', () => {
    const changes = listChanges(present, synthesize(operations, false))
    expect(typesOf(changes)).toEqual(new Set(ofRoutes))
  })

  it.each<readonly [title: string, before: Templates, after: Templates, action: string]>([
    ['without a group', present, synthesize(withoutLeaks), 'delete'],
    ['with another group', synthesize(withoutLeaks), present, 'create'],
  ])('%s changes the API, its function and its permission', (_, before, after, action) => {
    const changes = listChanges(before, after)
    expect(typesOf(changes)).toEqual(
      new Set([
        ...ofRoutes,
        `${action} Lambda::Function`,
        `${action} IAM::Role`,
        `${action} Lambda::Permission`,
        'update CloudFormation::Stack',
      ]),
    )
    expect(changes.filter(({ type }) => type === 'AWS::Lambda::Permission')).toHaveLength(1)
    expect(countGatewayCalls(changes)).toBeLessThanOrEqual(burst)
  })
})

describe.each(['default', 'full', 'frontDoor'] as const)('the stack with the settings %s', (name) => {
  const outdir = outdirOf()
  const bundleDir = writeEmptyBundles(join(folder, 'bundles'))
  createApp({ outdir, bundleDir, context: stackSettings[name] }).synth()
  const templates = readTemplates(outdir)
  const template = templates.get('Latchkey')
  if (!template) throw new Error('there is no stack')
  const idsOf = (type: string) => resourcesOf(template, type).map(([id]) => id)

  it('is created with few calls to API Gateway, and without exports', () => {
    const changes = listChanges(new Map(), templates)
    expect(countGatewayCalls(changes)).toBeLessThanOrEqual(burst)
    expect(JSON.stringify([...templates.values()])).not.toContain('"Export"')
    expect(Object.keys(template.Resources).length).toBeLessThanOrEqual(name === 'default' ? 160 : 230)
  })

  it('shows routes after their functions and permissions, also if only a function has another name', () => {
    const [stageId = ''] = idsOf('AWS::ApiGatewayV2::Stage')
    const [deploymentId = ''] = idsOf('AWS::ApiGatewayV2::Deployment')
    const permissionsId = idsOf('AWS::CloudFormation::Stack').find((id) => id.includes('Permissions'))
    const functionIds = Object.values(
      template.Resources[stageId]?.Properties.StageVariables as Record<string, { Ref: string }>,
    ).map(({ Ref }) => Ref)
    for (const id of [...functionIds, permissionsId]) expect(listBefore(template, deploymentId)).toContain(id)
    expect(listBefore(template, stageId)).toContain(deploymentId)
    expect([template.Resources[stageId]?.DependsOn].flat()).toContain(permissionsId)
  })

  it('has no circle of resources, although functions need the URL of their API', () => {
    const [[apiId = ''] = []] = resourcesOf(template, 'AWS::ApiGatewayV2::Api')
    expect(listBefore(template, apiId).size).toBe(0)
    for (const id of Object.keys(template.Resources)) expect(() => listBefore(template, id)).not.toThrow()
  })
})

describe('the definition', () => {
  it('states tags and the default URL again, because it replaces them', () => {
    const outdir = outdirOf()
    const app = new App({ outdir })
    const stack = new Stack(app, 'Service')
    addApi(stack, operations)
    Tags.of(stack).add('team', 'identity')
    app.synth()
    const { Resources } = readTemplates(outdir).get('Service') ?? {}
    const api = Object.values(Resources ?? {}).find(({ Type }) => Type === 'AWS::ApiGatewayV2::Api')
    expect(api?.Properties.Body.tags).toEqual([{ name: 'team', 'x-amazon-apigateway-tag-value': 'identity' }])
    expect(api?.Properties.Body.servers[0]['x-amazon-apigateway-endpoint-configuration']).toEqual({
      disableExecuteApiEndpoint: api?.Properties.DisableExecuteApiEndpoint,
    })
  })

  it.each(['Service', 'Product'])('takes no routes of others, from the stack %s', (name) => {
    const app = new App({ outdir: outdirOf() })
    const stack = new Stack(app, 'Service')
    const httpApi = addApi(stack, operations)
    new HttpRoute(name === 'Service' ? stack : new Stack(app, name), 'Films', {
      httpApi,
      routeKey: HttpRouteKey.with('/films'),
      integration: new HttpUrlIntegration('films', 'https://films.example.com'),
    })
    expect(() => app.synth()).toThrow('Add it to an HttpApi of your own')
  })
})
