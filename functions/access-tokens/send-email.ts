import { findMailAddress, isSuppressed, type MailAddress } from '../../lib/accounts/common/mail-addresses.ts'
import { getDisplayName } from '../../lib/accounts/directory/user-body.ts'
import { requireManageableToken } from '../../lib/accounts/links/access-token-rights.ts'
import { buildLink, decryptValue, findActiveRecipient } from '../../lib/accounts/links/links.ts'
import { needsOwnLogin } from '../../lib/accounts/sign-in/link-session.ts'
import type { SendLinkEmailRequest } from '../../lib/contract/models/access-token-requests.ts'
import type { accessTokens } from '../../lib/contract/operations/access-tokens.ts'
import { conflict, invalidRequest } from '../../lib/core/errors.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { renderLinkEmail } from '../../lib/mail/link-email.ts'
import type { Mail } from '../../lib/mail/mail.ts'
import type { Services } from '../../lib/services.ts'
import type { AccessTokenRecord } from '../../lib/store/records/access-token-record.ts'
import type { UserRecord } from '../../lib/store/records/user-record.ts'
import { sendOnce } from './mail-once.ts'

/**
 * Mails a link, within the request: whoever asks is told how that went. The same mail asked for again within a minute
 * is a request whose answer got lost, and is answered without sending it twice.
 */
export const sendAccessTokenEmailNotification: UseCase<
  typeof accessTokens.sendAccessTokenEmailNotification
> = async ({ params, body, principal, context }, services) => {
  const token = await requireManageableToken(services, principal, params.id)
  const recipient = await findActiveRecipient(services, token)
  if (!recipient)
    throw conflict(
      'The link has expired or is used up, its creator is gone, or its recipient’s account no longer works.',
    )
  const to = addressOf(body, recipient)
  if (await isSuppressed(services, to))
    throw conflict(
      'This address gets no mail: an earlier one came back, or its owner called one spam. Pass the link on by other means.',
    )
  const { subject } = body
  const text = body.text?.trim() ? body.text : undefined
  const sender = principal.user
  const mail = { tokenId: token.id, senderId: sender.id, normalizedEmail: to.normalized, subject, text }
  await sendOnce(services, { mail, context, recipient: recipient.id }, () =>
    write(services, token, recipient, { to, sender, subject, text }),
  )
  return { status: 204 }
}

/** @throws AppError `invalid_request` where mail can't be sent to the address, or there is none. */
const addressOf = ({ email }: SendLinkEmailRequest, recipient: UserRecord): MailAddress => {
  const written = email ?? (recipient.email || undefined)
  const address = findMailAddress(written ?? '')
  if (address) return address
  const message =
    written === undefined
      ? 'is required, since the recipient has no address'
      : 'must be an address that mail can be sent to, with nothing but ASCII before the @'
  throw invalidRequest([{ field: 'email', message }])
}

interface Words {
  readonly to: MailAddress
  readonly sender: UserRecord
  readonly subject: string | undefined
  readonly text: string | undefined
}

const write = async (
  services: Services,
  token: AccessTokenRecord,
  recipient: UserRecord,
  { to, sender, subject, text }: Words,
): Promise<Mail> =>
  renderLinkEmail({
    to: to.address,
    sharer: { name: getDisplayName(sender), account: sender.email || sender.username },
    subject,
    text,
    objects: [...token.bundles, ...token.directories].map(({ name }) => name),
    // Read again for this letter alone: it is neither stored nor logged in clear.
    url: buildLink(services.config, token, await decryptValue(services, token)),
    publicUrl: services.config.publicUrl,
    expiresAt: token.expiresAt,
    viewsLeft: token.isViewLimited ? token.viewsLeft : null,
    asksForPassword: token.passwordHash !== null,
    asksForSignIn: token.requireLogin || needsOwnLogin(recipient),
  })
