import type { RateLimitedSubject } from '../../../lib/client/generated/models.ts'
import { messagesOf } from '../../kit/messages.ts'

const t = messagesOf('blocks')

const linkLimits = ['lookUpFailures', 'linkGuesses', 'linkGuessesPerNetwork']
const otherLimits = ['passwordToolUses', 'leakReports']
const emailLimits = /mail|reset|invitation|notice/i

/** What was tried too often, by the name of the rate limit. */
export const describeLimit = (name: string): string => {
  if (linkLimits.includes(name)) return t('linkAttempts')
  if (otherLimits.includes(name)) return t('otherRequests')
  return emailLimits.test(name) ? t('emails') : t('signInAttempts')
}

/** Whom a rate limit refuses. */
export const describeSubject = (subject: RateLimitedSubject): string => {
  const { user, user_name: name, network, access_token: link } = subject
  if (name) return name
  if (user !== null) return t('user', { number: String(user) })
  if (link !== null) return t('link', { number: String(link) })
  return network === null ? t('unknown') : t('network', { address: network })
}
