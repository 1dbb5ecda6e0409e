import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { operations } from '../../lib/features/operations.ts'
import { metrics as ownMetrics } from '../../lib/kernel/log/metrics.ts'
import type { JsonValue } from '../support/client.ts'
import { isAlarming, isSameMetric, type MetricId, metricsOfAlarm } from './alarm-evaluator.ts'
import { resourcesOf, shareSynthesis, type Template } from './synthesis.ts'

const { template, permissions, monitoring } = await shareSynthesis('full')
const { templateOf } = await shareSynthesis('frontDoor')
const [frontDoor, parts] = [templateOf('LatchkeyFrontDoorLog'), templateOf('LatchkeyFrontDoor')]
const alarmsOf = (from: Template) =>
  resourcesOf(from, 'AWS::CloudWatch::Alarm').map(([id, { Properties }]) => [id, Properties] as const)
const alarms = alarmsOf(monitoring)
const allAlarms = [...alarms, ...alarmsOf(frontDoor)]

/** Fire when something is missing: the number of runs, or of days that are left. */
const lowAlarms = { Invocations: 'breaching', DaysToExpiry: 'notBreaching' } as const

/** The anchors of the sections that say what to do. */
const headings = [...readFileSync('docs/operate.md', 'utf8').matchAll(/^#{2,3} (.+)$/gm)].map(
  ([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^a-z\d -]/g, '')
      .replaceAll(' ', '-'),
)

/** The metrics that AWS emits, with their dimensions, as its documentation lists them. */
const emitted: Readonly<Record<string, readonly string[]>> = {
  'AWS/CertificateManager DaysToExpiry': ['CertificateArn'],
  'AWS/CloudFront 5xxErrorRate': ['DistributionId', 'Region'],
  'AWS/Lambda Invocations': ['FunctionName'],
  // Those of web ACLs of CloudFront have no dimension for the region.
  'AWS/WAFV2 BlockedRequests': ['Rule', 'WebACL'],
  'AWS/ApiGateway 5xx': ['ApiId'],
  'AWS/ApiGateway Latency': ['ApiId'],
  'AWS/DynamoDB SystemErrors': ['Operation', 'TableName'],
  'AWS/DynamoDB ThrottledRequests': ['Operation', 'TableName'],
  'AWS/Lambda Duration': ['FunctionName'],
  'AWS/Lambda Errors': ['FunctionName'],
  'AWS/Lambda IteratorAge': ['FunctionName'],
  'AWS/Lambda Throttles': ['FunctionName'],
  'AWS/SQS ApproximateNumberOfMessagesVisible': ['QueueName'],
}

describe('each alarm', () => {
  const isLow = (alarm: JsonValue) => Object.keys(lowAlarms).includes(alarm.MetricName)

  it.each(allAlarms.filter(([, alarm]) => isLow(alarm)))('%s fires when its metric is low', (_, alarm) => {
    const { MetricName, Threshold, TreatMissingData } = alarm
    const isExpiry = MetricName === 'DaysToExpiry'
    expect(TreatMissingData).toBe(isExpiry ? lowAlarms.DaysToExpiry : lowAlarms.Invocations)
    expect(isAlarming(alarm, () => undefined)).toBe(!isExpiry)
    expect(isAlarming(alarm, () => (isExpiry ? Threshold : Threshold - 1))).toBe(true)
    expect(isAlarming(alarm, () => (isExpiry ? Threshold + 1 : Threshold))).toBe(false)
  })

  it.each(allAlarms.filter(([, alarm]) => !isLow(alarm)))(
    '%s fires for each of its metrics alone and rests without data',
    (_, alarm) => {
      const watched = metricsOfAlarm(alarm)
      expect(watched.length).toBeGreaterThan(0)
      expect(isAlarming(alarm, () => undefined)).toBe(false)
      for (const metric of watched) {
        const only = (value: number) => (other: MetricId) => (isSameMetric(metric, other) ? value : undefined)
        expect(isAlarming(alarm, only(alarm.Threshold))).toBe(true)
        expect(isAlarming(alarm, only(alarm.Threshold - 1))).toBe(false)
      }
    },
  )

  it.each(allAlarms)('%s reads metrics that AWS or the service emits', (_, alarm) => {
    for (const { namespace, name, dimensions } of metricsOfAlarm(alarm)) {
      const names = dimensions.map(({ Name }) => Name).sort()
      if (namespace === 'Latchkey') {
        expect(Object.keys(ownMetrics)).toContain(name)
        expect(names).toEqual(['Table'])
      } else expect(names).toEqual(emitted[`${namespace} ${name}`])
    }
  })

  it.each(allAlarms)('%s names its section of the runbook', (_, { AlarmDescription }) => {
    const [, anchor] = / Runbook: docs\/operate\.md#([a-z-]+)$/.exec(AlarmDescription) ?? []
    expect(headings).toContain(anchor)
  })

  it('has at most ten metrics, as CloudWatch allows', () => {
    for (const [, alarm] of alarms) expect(metricsOfAlarm(alarm).length).toBeLessThanOrEqual(10)
    expect(alarms.length).toBeLessThanOrEqual(28)
  })

  it('notifies the topic', () => {
    for (const [, alarm] of allAlarms) expect(alarm.AlarmActions).toHaveLength(1)
  })
})

describe('the alarms of the front door', () => {
  const metricOf = (name: string) =>
    alarmsOf(frontDoor).find(([, { MetricName }]) => MetricName === name)?.[1].Dimensions

  it('watch the distribution, the web ACL, and the certificate in us-east-1', () => {
    const outputs = (dimensions: readonly JsonValue[]) =>
      dimensions.map(({ Value }) => Value['Fn::GetStackOutput']?.OutputName ?? Value)
    expect(outputs(metricOf('5xxErrorRate'))).toEqual([expect.stringContaining('Distribution'), 'Global'])
    expect(outputs(metricOf('DaysToExpiry'))).toEqual([expect.stringContaining('Certificate')])
    const [[, acl] = []] = resourcesOf(parts, 'AWS::WAFv2::WebACL')
    expect(metricOf('BlockedRequests')).toContainEqual({
      Name: 'WebACL',
      Value: acl?.Properties.VisibilityConfig.MetricName,
    })
  })
})

it('every metric of the service has an alarm', () => {
  const watched = alarms.flatMap(([, alarm]) => metricsOfAlarm(alarm))
  const own = watched.filter(({ namespace }) => namespace === 'Latchkey').map(({ name }) => name)
  expect(own.sort()).toEqual(Object.keys(ownMetrics).sort())
})

/** The functions that only the API calls. Each of their failures is a 5xx status of the API. */
const listFunctionsBehindApi = (): readonly string[] => {
  const functions = resourcesOf(template, 'AWS::Lambda::Function').map(([id]) => id)
  const functionOf = (value: JsonValue): string => {
    const [id] = functions.filter((name) => JSON.stringify(value).includes(`"${name}"`))
    return id ?? ''
  }
  const all = [template, permissions].flatMap((part) => resourcesOf(part, 'AWS::Lambda::Permission'))
  const read = resourcesOf(template, 'AWS::Lambda::EventSourceMapping').map(([, { Properties }]) =>
    functionOf(Properties.FunctionName),
  )
  return functions.filter((id) => {
    const callers = all.flatMap(([, { Properties }]) =>
      functionOf(Properties.FunctionName) === id ? [Properties.Principal] : [],
    )
    return (
      callers.length > 0 && callers.every((one) => one === 'apigateway.amazonaws.com') && !read.includes(id)
    )
  })
}

it('one failed request of a function behind the API is enough for an alarm', () => {
  // All groups of operations and `unmatched`: a function that something else calls as well needs alarms of its own.
  expect(listFunctionsBehindApi()).toHaveLength(new Set(operations.map(({ group }) => group)).size + 1)
  const [, alarm] = alarms.find(([id]) => id.includes('ServerErrors')) ?? []
  const [metric] = metricsOfAlarm(alarm)
  expect(metric).toMatchObject({ namespace: 'AWS/ApiGateway', name: '5xx' })
  expect(isAlarming(alarm, () => 1)).toBe(true)
})

it('every other function, stream reader and dead-letter queue has an alarm', () => {
  const watched = alarms
    .flatMap(([, alarm]) => metricsOfAlarm(alarm))
    .flatMap(({ name, dimensions }) => dimensions.map(({ Value }) => `${name} ${JSON.stringify(Value)}`))
  const expectWatched = (type: string, names: readonly string[], getValue: (id: string) => unknown) => {
    for (const [id] of resourcesOf(template, type))
      for (const name of names) expect(watched).toContain(`${name} ${JSON.stringify(getValue(id))}`)
  }
  const setUpOnly = resourcesOf(template, 'AWS::Lambda::Function').filter(([id]) => id.includes('FirstAdmin'))
  expect(setUpOnly).toHaveLength(1)
  const behindApi = listFunctionsBehindApi()
  for (const [id, { Properties }] of resourcesOf(template, 'AWS::Lambda::Function'))
    if (![...setUpOnly.map(([other]) => other), ...behindApi].includes(id))
      // An authorizer refuses callers of REST APIs by an error, so a metric of its own counts what really failed.
      for (const name of [
        Properties.Description === 'Latchkey: authorizer' ? 'Duration' : 'Errors',
        'Throttles',
      ])
        expect(watched).toContain(`${name} ${JSON.stringify({ Ref: id })}`)
  expectWatched('AWS::SQS::Queue', ['ApproximateNumberOfMessagesVisible'], (id) => ({
    'Fn::GetAtt': [id, 'QueueName'],
  }))
  for (const [, { Properties }] of resourcesOf(template, 'AWS::Lambda::EventSourceMapping'))
    expect(watched).toContain(`IteratorAge ${JSON.stringify(Properties.FunctionName)}`)
})
