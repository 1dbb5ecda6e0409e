import * as z from 'zod/mini'
import { readMailSender } from '../../lib/settings/mail-sender.ts'
import { type Account, checkInside, read } from './account.ts'
import { listMembers, orMissing, textOf } from './aws.ts'
import { type Check, Failed, Skipped } from './check.ts'

/** The checks of alarms and of SES: what informs operators, and what sends email to users. */
export const buildNotificationChecks = (account: Account): readonly Check[] => {
  const check = checkInside(account)
  return [
    check(
      {
        id: 'alarms',
        title: 'Alarms',
        advice: 'Follow the runbook that the description of the alarm names.',
        docs: 'docs/operate.md#when-an-alarm-fires',
      },
      checkAlarms,
    ),
    check(
      {
        id: 'alarm-email',
        title: 'Receivers of alarms',
        advice:
          'Confirm the subscription with the link in the email from SNS. If it is older than three days, remove alarmEmail, deploy, set it, and deploy again.',
        docs: 'docs/deploy.md#email',
      },
      checkSubscriptions,
    ),
    check(
      {
        id: 'ses-account',
        title: 'SES account',
        advice: 'Ask AWS for production access in the SES console of this region.',
        docs: 'docs/operate.md#ses-is-paused-or-in-its-sandbox',
      },
      checkSending,
    ),
    check(
      {
        id: 'ses-identity',
        title: 'SES identity of the sender',
        advice: 'Verify the address of mailFrom, or its domain, in the SES console of this region.',
        docs: 'docs/deploy.md#email',
      },
      checkSender,
    ),
  ]
}

/** CloudWatch describes at most 100 alarms in a call. */
const alarmsPerCall = 50

const readAlarms = async ({ aws, stack }: Account) => {
  const { resources } = await stack()
  const names = resources.filter(({ type }) => type === 'AWS::CloudWatch::Alarm').map(({ name }) => name)
  if (names.length === 0) throw new Failed('The stack has no alarms.')
  const found = []
  for (let from = 0; from < names.length; from += alarmsPerCall) {
    const some = names.slice(from, from + alarmsPerCall)
    const input = Object.fromEntries(some.map((name, at) => [`AlarmNames.member.${at + 1}`, name]))
    const answer = await (await aws()).query('monitoring', 'DescribeAlarms', input)
    found.push(...listMembers(answer, 'MetricAlarms'))
  }
  return { names, found }
}

const checkAlarms = async (account: Account): Promise<string> => {
  const { names, found } = await readAlarms(account)
  const ringing = found.filter((alarm) => textOf(alarm, 'StateValue') === 'ALARM')
  if (ringing.length > 0)
    throw new Failed(
      ringing.map((one) => `${textOf(one, 'AlarmName')}: ${textOf(one, 'AlarmDescription')}`).join(' '),
    )
  if (found.length < names.length) throw new Failed(`${names.length - found.length} alarms were deleted.`)
  const waiting = found.filter((alarm) => textOf(alarm, 'StateValue') === 'INSUFFICIENT_DATA').length
  return `None of ${found.length} alarms fires${waiting > 0 ? `. ${waiting} have no data yet` : ''}.`
}

const checkSubscriptions = async (account: Account): Promise<string> => {
  const { found } = await readAlarms(account)
  const topics = new Set(found.flatMap((alarm) => listMembers(alarm, 'AlarmActions').map(({ text }) => text)))
  if (topics.size === 0) throw new Skipped('Alarms have no receiver. Set alarmEmail or alarmTopicArn.')
  let confirmed = 0
  for (const TopicArn of topics) {
    const answer = await (await account.aws()).query('sns', 'ListSubscriptionsByTopic', { TopicArn })
    const subscriptions = listMembers(answer, 'Subscriptions').map((one) => textOf(one, 'SubscriptionArn'))
    if (subscriptions.includes('PendingConfirmation'))
      throw new Failed('The subscription of alarmEmail is not confirmed, so no alarm arrives.')
    confirmed += subscriptions.filter((arn) => arn.startsWith('arn:')).length
  }
  if (confirmed === 0) throw new Failed('The topic of the alarms has no subscription.')
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
})

const checkSending = async (account: Account): Promise<string> => {
  await readSender(account)
  const sending = read(SendingAccount, await (await account.aws()).get('ses', '/v2/email/account'))
  if (!sending.SendingEnabled) throw new Failed('SES has paused sending for this account.')
  if (!sending.ProductionAccessEnabled)
    throw new Failed('The account is in the SES sandbox, so only verified addresses receive email.')
  if (sending.EnforcementStatus !== undefined && sending.EnforcementStatus !== 'HEALTHY')
    throw new Failed(`SES reviews this account (${sending.EnforcementStatus}).`)
  return 'The account is outside of the sandbox.'
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
