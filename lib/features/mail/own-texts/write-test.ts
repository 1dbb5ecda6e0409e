import { hasAdminAccess } from '../../../accounts/callers/permissions.ts'
import type { MailJob } from '../../../accounts/outbox/job.records.ts'
import { isSuppressed, parseMailAddress } from '../../../accounts/outbox/mail-addresses.ts'
import type { OutboxEntry } from '../../../accounts/outbox/outbox.records.ts'
import { findUser } from '../../../accounts/users/find-users.records.ts'
import { hasVerifiedEmail } from '../../../accounts/users/guest-state.records.ts'
import { isLanguage } from '../../../kernel/i18n/languages.ts'
import type { Services } from '../../../services.ts'
import { readOrganizations } from '../../organizations/records.ts'
import type { PreparedEmail } from '../write-email.ts'
import { isEmailTextKind } from './kinds.models.ts'
import { parseWords } from './markup.ts'
import { listOwnDomains } from './own-domains.ts'
import type { EmailTextOwner } from './records.ts'

/**
 * Prepares the email with which an administrator tries own words. Undefined if they are no administrator or have no verified address any
 * more, or if the words break a rule.
 */
export const prepareTestEmail = async (
  services: Services,
  { requestId }: OutboxEntry,
  {
    userId,
    textKind: kind,
    language,
    product,
    organizationId,
    subject,
    body,
  }: Extract<MailJob, { kind: 'email_text_test' }>,
): Promise<PreparedEmail | undefined> => {
  const { table, log } = services
  const user = await findUser(table, userId)
  const to = parseMailAddress(user && hasVerifiedEmail(user) ? user.email : '')
  if (!user?.is_enabled || !hasAdminAccess(user.permissions) || !to || (await isSuppressed(services, to)))
    return undefined
  if (!isEmailTextKind(kind) || !isLanguage(language)) return undefined
  const owner: EmailTextOwner =
    organizationId > 0 ? { organization: organizationId } : product ? { product } : { service: true }
  const [organization] = organizationId > 0 ? await readOrganizations(table, [organizationId]) : []
  const given = { subject: subject === '' ? null : subject, body }
  const { words, problems } = parseWords(kind, given, await listOwnDomains(services, owner))
  if (problems.length > 0) {
    log.warn('mail.withheld', { request_id: requestId, kind: 'email_text_test', user: userId })
    return undefined
  }
  const { renderExample } = await import('./render-example.ts')
  const shown = { to: to.address, kind, language, words, organization }
  return { email: await renderExample(services, { ...shown, product: product === '' ? undefined : product }) }
}
