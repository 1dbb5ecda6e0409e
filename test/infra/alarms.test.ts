import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { metrics as ownMetrics } from '../../lib/log/metrics.ts'
import { isAlarming, isSameMetric, type MetricId, metricsOfAlarm } from './alarm-evaluator.ts'
import { resourcesOf, shareSynthesis } from './synthesis.ts'

const { template, monitoring } = await shareSynthesis('full')
const alarms = resourcesOf(monitoring, 'AWS::CloudWatch::Alarm').map(
  ([id, { Properties }]) => [id, Properties] as const,
)

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
  it.each(alarms)('%s fires for each of its metrics alone and rests without data', (_, alarm) => {
    const watched = metricsOfAlarm(alarm)
    expect(watched.length).toBeGreaterThan(0)
    expect(isAlarming(alarm, () => undefined)).toBe(false)
    for (const metric of watched) {
      const only = (value: number) => (other: MetricId) => (isSameMetric(metric, other) ? value : undefined)
      expect(isAlarming(alarm, only(alarm.Threshold))).toBe(true)
      expect(isAlarming(alarm, only(alarm.Threshold - 1))).toBe(false)
    }
  })

  it.each(alarms)('%s reads metrics that AWS or the service emits', (_, alarm) => {
    for (const { namespace, name, dimensions } of metricsOfAlarm(alarm)) {
      const names = dimensions.map(({ Name }) => Name).sort()
      if (namespace === 'Latchkey') {
        expect(Object.keys(ownMetrics)).toContain(name)
        expect(names).toEqual(['Table'])
      } else expect(names).toEqual(emitted[`${namespace} ${name}`])
    }
  })

  it.each(alarms)('%s names its section of the runbook', (_, { AlarmDescription }) => {
    const [, anchor] = / Runbook: docs\/operate\.md#([a-z-]+)$/.exec(AlarmDescription) ?? []
    expect(headings).toContain(anchor)
  })

  it('has at most ten metrics, as CloudWatch allows', () => {
    for (const [, alarm] of alarms) expect(metricsOfAlarm(alarm).length).toBeLessThanOrEqual(10)
    expect(alarms.length).toBeLessThanOrEqual(30)
  })

  it('notifies the topic', () => {
    for (const [, alarm] of alarms) expect(alarm.AlarmActions).toHaveLength(1)
  })
})

it('every metric of the service has an alarm', () => {
  const watched = alarms.flatMap(([, alarm]) => metricsOfAlarm(alarm))
  const own = watched.filter(({ namespace }) => namespace === 'Latchkey').map(({ name }) => name)
  expect(own.sort()).toEqual(Object.keys(ownMetrics).sort())
})

it('every function, stream reader and dead-letter queue has an alarm', () => {
  const watched = alarms
    .flatMap(([, alarm]) => metricsOfAlarm(alarm))
    .flatMap(({ name, dimensions }) => dimensions.map(({ Value }) => `${name} ${JSON.stringify(Value)}`))
  const expectWatched = (type: string, names: readonly string[], getValue: (id: string) => unknown) => {
    for (const [id] of resourcesOf(template, type))
      for (const name of names) expect(watched).toContain(`${name} ${JSON.stringify(getValue(id))}`)
  }
  const setUpOnly = resourcesOf(template, 'AWS::Lambda::Function').filter(([id]) => id.includes('FirstAdmin'))
  expect(setUpOnly).toHaveLength(1)
  for (const [id, { Properties }] of resourcesOf(template, 'AWS::Lambda::Function'))
    if (!setUpOnly.some(([other]) => other === id))
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
