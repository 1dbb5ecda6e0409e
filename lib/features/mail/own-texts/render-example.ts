import type { Language } from '../../../kernel/i18n/languages.ts'
import { day, hour, minute } from '../../../kernel/util/time.ts'
import type { Services } from '../../../services.ts'
import { findBranding } from '../../branding/find-branding.ts'
import type { OrganizationRecord } from '../../organizations/records.ts'
import { addOrganizationBranding } from '../../organizations/shown-branding.ts'
import { renderJoinCodeEmail, renderSignInCodeEmail } from '../code-email.ts'
import { renderConfirmationEmail } from '../confirmation-email.ts'
import type { Email, Envelope } from '../email.ts'
import { findEmailSender } from '../email-sender.ts'
import { renderInvitationEmail, renderOrganizationInvitationEmail } from '../invitation-email.ts'
import { renderLinkEmail } from '../link-email.ts'
import { renderResetEmail } from '../reset-email.ts'
import { renderSignUpEmail, renderSignUpKnownEmail } from '../sign-up-email.ts'
import { loadEmailMessages } from '../translate.ts'
import type { EmailTextKind } from './kinds.models.ts'
import type { ParsedWords } from './markup.ts'

/** Values of variables, by their names. */
type Values = ReadonlyMap<string, string>

/** Nobody has this token or code. */
const token = 'example'
const code = '12345678'
const address = '192.0.2.1'

const get = (values: Values, name: string): string => values.get(name) ?? exampleValues.get(name) ?? ''

const exampleValues: Values = new Map([
  ['username', 'ada'],
  ['inviter', 'Grace Hopper'],
  ['organization', 'Acme'],
  ['sender', 'Grace Hopper'],
  ['account', 'grace@example.com'],
])

const getPerson = (values: Values, name: string) => ({
  name: get(values, name),
  account: get(values, 'account'),
})

/** The email of each kind with examples, by the code that renders the real one. */
const examples: Readonly<Record<EmailTextKind, (envelope: Envelope, values: Values) => Email>> = {
  password_reset: (envelope, values) =>
    renderResetEmail(envelope, { username: get(values, 'username'), token, lifetimeMs: 30 * minute }),
  email_confirmation: (envelope, values) =>
    renderConfirmationEmail(envelope, { account: get(values, 'username'), token, lifetimeMs: 7 * day }),
  invitation: (envelope, values) =>
    renderInvitationEmail(envelope, {
      username: get(values, 'username'),
      inviter: getPerson(values, 'inviter'),
      ...{ token, lifetimeMs: 7 * day },
    }),
  organization_invitation: (envelope, values) =>
    renderOrganizationInvitationEmail(envelope, {
      organizationId: 1,
      organization: get(values, 'organization'),
      inviter: getPerson(values, 'inviter'),
      ...{ token, validMs: 7 * day },
    }),
  sign_up: (envelope) => renderSignUpEmail(envelope, { token, lifetimeMs: hour }),
  sign_up_known: (envelope) => renderSignUpKnownEmail(envelope, { signInUrl: envelope.publicUrl }),
  sign_in_code: (envelope, values) =>
    renderSignInCodeEmail(envelope, {
      username: get(values, 'username'),
      ...{ code, address, lifetimeMs: 10 * minute },
    }),
  organization_join_code: (envelope, values) =>
    renderJoinCodeEmail(envelope, {
      username: get(values, 'username'),
      organization: get(values, 'organization'),
      ...{ code, address, lifetimeMs: 10 * minute },
    }),
  access_link: (envelope, values) =>
    renderLinkEmail(envelope, {
      sender: getPerson(values, 'sender'),
      ...{ subject: undefined, text: undefined, objects: [], expiresAt: null, viewsLeft: null },
      ...{ requiresPassword: false, requiresSignIn: false },
      url: `${envelope.publicUrl}/link#token=${token}`,
    }),
}

export interface Example {
  readonly to: string
  readonly kind: EmailTextKind
  readonly language: Language
  readonly words: ParsedWords
  /** Whose look it has. */
  readonly product: string | undefined
  readonly organization: OrganizationRecord | undefined
  readonly values?: Values
}

/** Renders an email with own words and an example of its link or code. */
export const renderExample = async (
  services: Services,
  { to, kind, language, words, product, organization, values = new Map() }: Example,
): Promise<Email> => {
  await loadEmailMessages(language)
  const ofProduct = await findBranding(services, product)
  const branding = addOrganizationBranding(ofProduct, organization)
  const sender = await findEmailSender(services, { kind, branding: ofProduct, organization })
  const { publicUrl } = services.config
  return examples[kind]({ to, language, branding, publicUrl, sender, emailText: { kind, words } }, values)
}
