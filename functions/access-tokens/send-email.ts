import { createEnvelope } from '../../lib/accounts/common/envelope.ts'
import { isSuppressed, type MailAddress, parseMailAddress } from '../../lib/accounts/common/mail-addresses.ts'
import { hasMixedScripts } from '../../lib/accounts/common/scripts.ts'
import { getDisplayName } from '../../lib/accounts/directory/user-body.ts'
import { requireManageableToken } from '../../lib/accounts/links/access-token-rights.ts'
import { findLinkProduct } from '../../lib/accounts/links/link-product.ts'
import { buildLink, decryptValue, findActiveRecipient } from '../../lib/accounts/links/links.ts'
import { showObjects } from '../../lib/accounts/links/shown-objects.ts'
import { needsOwnLogin } from '../../lib/accounts/sign-in/link-session.ts'
import type { SendLinkEmailRequest } from '../../lib/contract/models/access-token-requests.ts'
import type { accessTokens } from '../../lib/contract/operations/access-tokens.ts'
import { AppError, conflict, invalidRequest } from '../../lib/errors/errors.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import type { Language } from '../../lib/i18n/languages.ts'
import type { Email } from '../../lib/mail/email.ts'
import type { LinkSender } from '../../lib/mail/sender-name.ts'
import type { Services } from '../../lib/services.ts'
import { hasVerifiedEmail } from '../../lib/store/directory/guest-state.ts'
import type { UserRecord } from '../../lib/store/directory/user-record.ts'
import type { AccessTokenRecord } from '../../lib/store/links/access-token-record.ts'
import { sendOnce } from './send-once.ts'

/**
 * Emails an access link within the request, so that the sender learns the result. Repeating the request within a
 * minute sends nothing, because the client probably lost the response.
 */
export const sendAccessTokenEmailNotification: UseCase<
  typeof accessTokens.sendAccessTokenEmailNotification
> = async ({ params, body, principal, context }, services) => {
  const token = await requireManageableToken(services, principal, params.id)
  // The email names the sender.
  if (principal.actor)
    throw new AppError('permission_denied', { detail: 'Not allowed while impersonating another user.' })
  const recipient = await findActiveRecipient(services, token)
  if (!recipient)
    throw conflict(
      'The link no longer works: it has expired or is used up, the account of its recipient is not active, or its creator may no longer create links.',
    )
  const to = getAddress(body, recipient)
  if (await isSuppressed(services, to))
    throw conflict(
      'This address no longer receives email, because an earlier email bounced or was reported as spam. Pass on the link in another way.',
    )
  const { subject } = body
  const text = body.text?.trim() ? body.text : undefined
  const sender = principal.user
  const mail = { tokenId: token.id, senderId: sender.id, normalizedEmail: to.normalized, subject, text }
  await sendOnce(services, { mail, context, recipient: recipient.id }, () =>
    renderEmail(services, token, { to, recipient, sender, subject, text, language: context.language }),
  )
  return { status: 204 }
}

/** @throws AppError `invalid_request` if there is no address or email cannot be sent to it. */
const getAddress = ({ email }: SendLinkEmailRequest, recipient: UserRecord): MailAddress => {
  const given = email ?? (hasVerifiedEmail(recipient) ? recipient.email : undefined)
  const address = parseMailAddress(given ?? '')
  if (address) return address
  const message =
    given === undefined
      ? `is required because the recipient has no ${recipient.email ? 'verified ' : ''}email address`
      : 'must be an address that can receive email, with only ASCII characters before the @'
  throw invalidRequest([{ field: 'email', message }])
}

interface EmailParts {
  readonly to: MailAddress
  readonly recipient: UserRecord
  readonly sender: UserRecord
  readonly subject: string | undefined
  readonly text: string | undefined
  /** The language of the sender's request. It counts if the recipient chose none. */
  readonly language: Language | undefined
}

const renderEmail = async (
  services: Services,
  token: AccessTokenRecord,
  { to, recipient, sender, subject, text, language }: EmailParts,
): Promise<Email> => {
  const { bundles, directories } = showObjects(token)
  const envelope = await createEnvelope(services, {
    to: to.address,
    user: recipient,
    requestLanguage: language,
    productName: findLinkProduct(services.config, token)?.name,
  })
  // The texts take longer to load than most requests, and only this one needs them.
  const [{ renderLinkEmail }, { loadEmailMessages }] = await Promise.all([
    import('../../lib/mail/link-email.ts'),
    import('../../lib/mail/translate.ts'),
  ])
  await loadEmailMessages(envelope.language)
  return renderLinkEmail(envelope, {
    sender: describeSender(sender),
    subject,
    text,
    objects: [...bundles, ...directories].map(({ name }) => name),
    // The token value is decrypted only for this email. It is never stored or logged in plain text.
    url: buildLink(services.config, token, await decryptValue(services, token)),
    expiresAt: token.expiresAt,
    viewsLeft: token.isViewLimited ? token.viewsLeft : null,
    requiresPassword: token.passwordHash !== null,
    requiresSignIn: token.requireLogin || needsOwnLogin(recipient),
  })
}

/** A name with words of mixed scripts can look like any other name, so the account stands for it. */
const describeSender = (sender: UserRecord): LinkSender => {
  const account = sender.email || sender.username
  const name = getDisplayName(sender)
  return { name: name.split(/\s/u).some(hasMixedScripts) ? account : name, account }
}
