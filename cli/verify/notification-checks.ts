import * as z from 'zod/mini'
import { frontDoorLogSuffix, frontDoorRegion } from '../../infra/front-door/front-door-names.ts'
import type { XmlElement } from '../../lib/features/connections/saml/xml/element.ts'
import { readMailSender } from '../../lib/kernel/settings/mail-sender.ts'
import { type Account, listOwnResources, read, type StackResource } from './account.ts'
import { type Aws, listMembers, orMissing, textOf } from './aws.ts'
import { type AreaCheck, Failed, Skipped } from './check.ts'

/** The checks of alarms and of SES: what informs operators, and what sends email to users. */
export const buildNotificationChecks = (account: Account): readonly AreaCheck[] => [
  {
    id: 'alarms',
    title: 'Alarms',
    advice: 'Follow the runbook that the description of the alarm names.',
    docs: 'docs/operate.md#when-an-alarm-fires',
    run: () => checkAlarms(account),
  },
  {
    id: 'alarm-email',
    title: 'Receivers of alarms',
    advice:
      'Confirm the subscription with the link in the email from SNS. If it is older than three days, remove alarmEmail, deploy, set it, and deploy again.',
    docs: 'docs/deploy.md#email',
    run: () => checkSubscriptions(account),
  },
  {
    id: 'ses-account',
    title: 'SES account',
    advice: 'Ask AWS for production access in the SES console of this region.',
    docs: 'docs/operate.md#ses-is-paused-or-in-its-sandbox',
    run: () => checkSending(account),
  },
  {
    id: 'ses-identity',
    title: 'SES identity of the sender',
    advice: 'Verify the address of mailFrom, or its domain, in the SES console of this region.',
    docs: 'docs/deploy.md#email',
    run: () => checkSender(account),
  },
]

/** The alarms of the stack, and those of its front door. */
export const readAlarms = async (account: Account): Promise<readonly AlarmsOfStack[]> => {
  const { resources } = await account.stack()
  const own = await readAlarmsOf(await account.aws(), resources)
  if (own.names.length === 0) throw new Failed('The stack has no alarms.')
  if (!resources.some(({ type }) => type === 'AWS::CloudFront::Distribution')) return [own]
  // CloudFront, WAF and their certificate have their metrics there.
  const aws = await account.awsIn(frontDoorRegion)
  const others = await orMissing(listOwnResources(aws, `${account.stackName}${frontDoorLogSuffix}`))
  return others ? [own, await readAlarmsOf(aws, others)] : [own]
}

export interface AlarmsOfStack {
  readonly aws: Aws
  readonly names: readonly string[]
  readonly found: readonly XmlElement[]
}

/** CloudWatch describes at most 100 alarms in a call. */
const alarmsPerCall = 50

const readAlarmsOf = async (aws: Aws, resources: readonly StackResource[]): Promise<AlarmsOfStack> => {
  const names = resources.filter(({ type }) => type === 'AWS::CloudWatch::Alarm').map(({ name }) => name)
  const found = []
  for (let from = 0; from < names.length; from += alarmsPerCall) {
    const some = names.slice(from, from + alarmsPerCall)
    const input = Object.fromEntries(some.map((name, at) => [`AlarmNames.member.${at + 1}`, name]))
    found.push(...listMembers(await aws.query('monitoring', 'DescribeAlarms', input), 'MetricAlarms'))
  }
  return { aws, names, found }
}

const checkAlarms = async (account: Account): Promise<string> => {
  const stacks = await readAlarms(account)
  const found = stacks.flatMap((stack) => stack.found)
  const inState = (state: string) => found.filter((alarm) => textOf(alarm, 'StateValue') === state)
  const ringing = inState('ALARM')
  if (ringing.length > 0)
    throw new Failed(
      ringing.map((one) => `${textOf(one, 'AlarmName')}: ${textOf(one, 'AlarmDescription')}`).join(' '),
    )
  const missing = stacks.flatMap(({ names }) => names).length - found.length
  if (missing > 0) throw new Failed(`${missing} alarms were deleted.`)
  const waiting = inState('INSUFFICIENT_DATA').length
  return `None of ${found.length} alarms fires${waiting > 0 ? `. ${waiting} have no data yet` : ''}.`
}

const checkSubscriptions = async (account: Account): Promise<string> => {
  let confirmed = 0
  for (const { aws, found } of await readAlarms(account)) {
    const actions = found.flatMap((alarm) => listMembers(alarm, 'AlarmActions'))
    for (const TopicArn of new Set(actions.map(({ text }) => text))) {
      const answer = await aws.query('sns', 'ListSubscriptionsByTopic', { TopicArn })
      const arns = listMembers(answer, 'Subscriptions').map((one) => textOf(one, 'SubscriptionArn'))
      const [, , , region = ''] = TopicArn.split(':')
      if (arns.includes('PendingConfirmation'))
        throw new Failed(`The subscription in ${region} is not confirmed, so no alarm arrives.`)
      const known = arns.filter((arn) => arn.startsWith('arn:')).length
      if (known === 0) throw new Failed(`The topic of the alarms in ${region} has no subscription.`)
      confirmed += known
    }
  }
  if (confirmed === 0) throw new Skipped('Alarms have no receiver. Set alarmEmail or alarmTopicArn.')
  return `Confirmed subscriptions: ${confirmed}.`
}

/** The address of `mailFrom` in the deployed template. */
const readSender = async ({ template }: Account): Promise<string> => {
  const mailFrom = (await template()).findVariable('MAIL_FROM') ?? ''
  const { address } = readMailSender(mailFrom) ?? {}
  if (address === undefined) throw new Skipped('mailFrom is not set, so the service sends no email.')
  return address
}

const SendingAccount = z.object({
  ProductionAccessEnabled: z.boolean(),
  SendingEnabled: z.boolean(),
  EnforcementStatus: z.optional(z.string()),
  SendQuota: z.optional(
    z.object({ Max24HourSend: z.number(), MaxSendRate: z.number(), SentLast24Hours: z.optional(z.number()) }),
  ),
})

const checkSending = async (account: Account): Promise<string> => {
  await readSender(account)
  const sending = read(SendingAccount, await (await account.aws()).get('ses', '/v2/email/account'))
  if (!sending.SendingEnabled) throw new Failed('SES has paused sending for this account.')
  if (!sending.ProductionAccessEnabled)
    throw new Failed('The account is in the SES sandbox, so only verified addresses receive email.')
  if (sending.EnforcementStatus !== undefined && sending.EnforcementStatus !== 'HEALTHY')
    throw new Failed(`SES reviews this account (${sending.EnforcementStatus}).`)
  return `The account is outside of the sandbox.${compareEmails(sending.SendQuota)}`
}

/** The share of the emails of a day from which on a busier day fails. */
const busyShare = 0.9

/** Compares the emails of the last day with those that the account may send. SES shows a missing limit as -1. */
const compareEmails = (quota: z.output<typeof SendingAccount>['SendQuota']): string => {
  if (!quota) return ''
  const { Max24HourSend: max, MaxSendRate: rate, SentLast24Hours: sent = 0 } = quota
  if (max >= 0 && sent >= max * busyShare)
    throw new Failed(`The account sent ${sent} of ${max} emails in the last 24 hours.`)
  return ` It sent ${sent}${max < 0 ? '' : ` of ${max}`} emails in the last 24 hours, and may send ${rate} a second.`
}

const Identity = z.object({ VerifiedForSendingStatus: z.boolean() })

/** SES accepts a sender if the address, its domain, or a parent domain is verified. */
const checkSender = async (account: Account): Promise<string> => {
  const address = await readSender(account)
  const labels = (address.split('@')[1] ?? '').split('.')
  const domains = labels.slice(0, -1).map((_, at) => labels.slice(at).join('.'))
  let isKnown = false
  for (const identity of [address, ...domains]) {
    const path = `/v2/email/identities/${encodeURIComponent(identity)}`
    const found = await orMissing((await account.aws()).get('ses', path))
    if (found === undefined) continue
    if (read(Identity, found).VerifiedForSendingStatus) return 'The address or its domain is verified.'
    isKnown = true
  }
  throw new Failed(
    isKnown
      ? 'The verification of the sender is not complete.'
      : 'SES does not know the address of mailFrom, nor its domain, in this region.',
  )
}
