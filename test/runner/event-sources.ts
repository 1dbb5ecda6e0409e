import type { BusEvent } from '../infra/event-bridge-stub.ts'
import { type Facts, resolve } from '../infra/intrinsics.ts'
import { resourcesOf, type Template } from '../infra/synthesis.ts'
import type { JsonValue } from '../support/client.ts'
import { snsEvent } from '../support/ses-events.ts'
import type { AsyncCall } from './async-calls.ts'
import { account, region } from './template-facts.ts'

export interface EventSources {
  /** Calls the functions of all schedules whose name begins like this. */
  readonly fireSchedule: (ruleName: string) => Promise<void>
  /** Calls the functions of all rules that match events on a bus of the template. */
  readonly deliverEvents: (events: readonly BusEvent[]) => Promise<void>
  /** Publishes a bounce or complaint as SES does for emails of the configuration set. */
  readonly publishMailEvent: (message: string) => Promise<void>
}

const idOfArn = (part: JsonValue): string => part['Fn::GetAtt'][0]

const scheduledEvent = (arn: string) => ({
  version: '0',
  'detail-type': 'Scheduled Event',
  source: 'aws.events',
  account,
  region,
  resources: [arn],
  detail: {},
})

/** Whether the policy of a topic allows SES to publish for a configuration set of this account. */
const mayPublish = (template: Template, facts: Facts, topicArn: string, configurationSet: string): boolean =>
  resourcesOf(template, 'AWS::SNS::TopicPolicy')
    .flatMap(([, { Properties }]) => resolve(Properties.PolicyDocument.Statement, facts))
    .some(
      ({ Effect, Action, Principal, Resource, Condition }: JsonValue) =>
        Effect === 'Allow' &&
        Action === 'sns:Publish' &&
        Principal.Service === 'ses.amazonaws.com' &&
        Resource === topicArn &&
        Condition.StringEquals['aws:SourceAccount'] === account &&
        Condition.StringEquals['aws:SourceArn'] ===
          `arn:aws:ses:${region}:${account}:configuration-set/${configurationSet}`,
    )

/** The schedules and topics of a template. The test decides when they fire. */
export const createEventSources = (template: Template, facts: Facts, call: AsyncCall): EventSources => ({
  fireSchedule: async (ruleName) => {
    const rules = resourcesOf(template, 'AWS::Events::Rule').filter(
      ([id, { Properties }]) => id.startsWith(ruleName) && Properties.ScheduleExpression,
    )
    if (rules.length === 0) throw new Error(`There is no schedule ${ruleName}.`)
    for (const [id, { Properties }] of rules)
      for (const { Arn } of Properties.Targets) {
        const sourceArn = facts[`${id}.Arn`] ?? ''
        await call(idOfArn(Arn), scheduledEvent(sourceArn), { principal: 'events.amazonaws.com', sourceArn })
      }
  },
  deliverEvents: async (events) => {
    const rules = resourcesOf(template, 'AWS::Events::Rule').filter(
      ([, { Properties }]) => Properties.EventPattern,
    )
    for (const event of events)
      for (const [id, { Properties }] of rules) {
        const { source = [], 'detail-type': detailTypes = [] } = Properties.EventPattern
        const isMatch =
          resolve(Properties.EventBusName, facts) === event.EventBusName &&
          source.includes(event.Source) &&
          detailTypes.includes(event.DetailType)
        if (!isMatch) continue
        const sourceArn = facts[`${id}.Arn`] ?? ''
        const delivered = {
          source: event.Source,
          'detail-type': event.DetailType,
          detail: JSON.parse(event.Detail),
        }
        for (const { Arn } of Properties.Targets)
          await call(idOfArn(Arn), delivered, { principal: 'events.amazonaws.com', sourceArn })
      }
  },
  publishMailEvent: async (message) => {
    const destinations = resourcesOf(template, 'AWS::SES::ConfigurationSetEventDestination')
    for (const [, { Properties }] of destinations) {
      const topicArn = resolve(Properties.EventDestination.SnsDestination.TopicARN, facts)
      if (!mayPublish(template, facts, topicArn, resolve(Properties.ConfigurationSetName, facts)))
        throw new Error(`SES may not publish to ${topicArn}.`)
      const subscriptions = resourcesOf(template, 'AWS::SNS::Subscription').filter(
        ([, { Properties: one }]) => resolve(one.TopicArn, facts) === topicArn && one.Protocol === 'lambda',
      )
      for (const [, { Properties: one }] of subscriptions)
        await call(idOfArn(one.Endpoint), snsEvent(message), {
          principal: 'sns.amazonaws.com',
          sourceArn: topicArn,
        })
    }
  },
})
