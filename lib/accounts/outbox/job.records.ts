import type { Device } from '../../kernel/util/user-agents.ts'
import {
  type AdministratorChangeKind,
  administratorChanges,
  type OwnerNoticeKind,
  ownerNotices,
  type SecurityChangeKind,
  securityChanges,
} from './security-changes.models.ts'

/**
 * Why a right password leads to an email with a reset link: strangers had locked the sign-in, or the password was found in a
 * data breach.
 */
export const resetReasons = ['sign_in_locked', 'password_breached'] as const
export type ResetReason = (typeof resetReasons)[number]

/**
 * An email to be written. The outbox stores what it is about, but never its content: the mailer creates the token of a
 * link when it sends the email, so that the table never contains a credential.
 */
export type MailJob =
  /** A reset link for the user with this username, email address or ID, if there is one. */
  | { readonly kind: 'password_reset'; readonly username: string }
  | { readonly kind: 'password_reset'; readonly email: string }
  | { readonly kind: 'password_reset'; readonly userId: number }
  /** A reset link for someone who entered the right password. */
  | { readonly kind: 'password_reset'; readonly userId: number; readonly reason: ResetReason }
  /** A reset link after a report. It goes to the mailbox that the report came from. */
  | { readonly kind: 'password_reset'; readonly userId: number; readonly to: string }
  /** A link that confirms the address of this user that waits for it. */
  | { readonly kind: 'email_confirmation'; readonly userId: number }
  /** The link of this invitation. Nothing is sent if a newer invitation replaced it. */
  | { readonly kind: 'invitation'; readonly userId: number; readonly invitationId: string }
  /** The link of this invitation to an organization. Nothing is sent if it ended, or was sent again since. */
  | { readonly kind: 'organization_invitation'; readonly invitationId: number; readonly mailId: string }
  /** Informs the owners of an organization that it will be deleted. The mailer adds a job for each. */
  | { readonly kind: 'organization_ending'; readonly organizationId: number; readonly endsAt: number }
  /** Informs one of them. Nothing is sent if somebody kept the organization since. */
  | {
      readonly kind: 'organization_ending_notice'
      readonly organizationId: number
      readonly endsAt: number
      readonly userId: number
    }
  /** A code for a request to sign in as the user with this username or email address, if there is one. */
  | {
      readonly kind: 'sign_in_code'
      readonly name: string
      readonly requestHash: string
      readonly salt: string
    }
  /**
   * A code with which this user joins an organization. Nothing is sent if the invitation ended, was sent again, or has another address than
   * the user.
   */
  | {
      readonly kind: 'organization_join_code'
      readonly userId: number
      readonly invitationId: number
      readonly mailId: string
      readonly requestHash: string
      readonly salt: string
    }
  /** A link to sign up, or the news that the address has an account already. */
  | { readonly kind: 'sign_up'; readonly email: string }
  /** Asks an approver to decide about someone with this verified address. */
  | { readonly kind: 'sign_up_waiting'; readonly to: string; readonly person: string }
  /** Warns an administrator that a certificate of a SAML provider or of this service ends, in epoch milliseconds. */
  | {
      readonly kind: 'saml_certificate_ending'
      readonly userId: number
      readonly providerId: number
      readonly side: 'idp' | 'sp'
      readonly endsAt: number
    }
  /**
   * Informs the administrator who created a set-up link about metadata that its holder sent, or that the connection is live. It
   * contains what was sent, because that may change again before the email.
   */
  | {
      readonly kind: 'saml_setup'
      readonly step: 'metadata' | 'live'
      readonly userId: number
      readonly providerId: number
      readonly entityId: string
      /** The address of the metadata. Empty if it was pasted. */
      readonly source: string
      /** The SHA-256 of each certificate. */
      readonly fingerprints: readonly string[]
      /** The proven domains. */
      readonly domains: readonly string[]
    }
  /** Informs a user about a change of their account. */
  | {
      readonly kind: 'security_notice'
      readonly userId: number
      readonly change: SecurityChangeKind
      /** The email address of the user before the change. */
      readonly email: string
      /** The time of the change in epoch milliseconds. */
      readonly at: number
      /** Who made the change. Only the user can report a change as not theirs. */
      readonly by: 'user' | 'administrator' | 'service'
      readonly device: Device
    }
  /** Own words of an email, to the administrator who tries them. No owner is the service. They become an email only if the rules accept them. */
  | {
      readonly kind: 'email_text_test'
      readonly userId: number
      readonly textKind: string
      readonly language: string
      /** Empty if it is no product's. */
      readonly product: string
      /** 0 if it is no organization's. */
      readonly organizationId: number
      /** Empty for kinds whose subject cannot be changed. */
      readonly subject: string
      readonly body: string
    }
  /** Informs all administrators. The mailer adds a job for each. */
  | ({ readonly kind: 'administrators_notice' } & AdministratorsNotice)
  /** Informs the owners of an organization about a change. The mailer adds a job for each. */
  | ({ readonly kind: 'owners_notice' } & OwnersNotice)
  /** Informs one of them. */
  | ({ readonly kind: 'owner_notice'; readonly userId: number } & OwnersNotice)
  /** Informs one of the administrators. */
  | ({ readonly kind: 'administrator_notice'; readonly userId: number } & AdministratorsNotice)

interface OwnersNotice {
  readonly change: OwnerNoticeKind
  readonly organizationId: number
  /** What is new: an owner, an API token, a connection or a domain, by its name at that time. Or who reported a change. */
  readonly name: string
  /** The members whose roles are shown, with the roles. */
  readonly members: readonly string[]
  /** Those who need no email about it: the one who made the change, and a new owner. */
  readonly except: readonly number[]
  /** The time of the change in epoch milliseconds. */
  readonly at: number
}

interface AdministratorsNotice {
  readonly change: AdministratorChangeKind
  /** The user or group that the change is about, by its name at that time. */
  readonly name: string
  /** The time of the change in epoch milliseconds. */
  readonly at: number
  readonly device: Device
  /** The kind and the ID of the connection that the change is about, such as `saml/12`. */
  readonly connection?: string
}

type Test = (value: unknown) => boolean

const isText: Test = (value) => typeof value === 'string'
const isTexts: Test = (value) => Array.isArray(value) && value.every(isText)
const isNumber: Test = Number.isFinite
const isNumbers: Test = (value) => Array.isArray(value) && value.every(isNumber)
const isOneOf =
  (...values: readonly string[]): Test =>
  (value) =>
    values.some((one) => one === value)

const administratorsNotice = { change: isOneOf(...administratorChanges), name: isText, at: isNumber }

const ownersNotice = {
  change: isOneOf(...ownerNotices),
  organizationId: isNumber,
  name: isText,
  members: isTexts,
  except: isNumbers,
  at: isNumber,
}

/** The fields of each form of a job. Only `device` may be unreadable, because an email can do without it. */
const forms: readonly Readonly<Record<string, Test>>[] = [
  { kind: isOneOf('password_reset'), username: isText },
  { kind: isOneOf('password_reset'), email: isText },
  { kind: isOneOf('password_reset'), userId: isNumber },
  { kind: isOneOf('password_reset'), userId: isNumber, reason: isOneOf(...resetReasons) },
  { kind: isOneOf('password_reset'), userId: isNumber, to: isText },
  { kind: isOneOf('email_confirmation'), userId: isNumber },
  { kind: isOneOf('invitation'), userId: isNumber, invitationId: isText },
  { kind: isOneOf('organization_invitation'), invitationId: isNumber, mailId: isText },
  { kind: isOneOf('organization_ending'), organizationId: isNumber, endsAt: isNumber },
  {
    kind: isOneOf('organization_ending_notice'),
    organizationId: isNumber,
    endsAt: isNumber,
    userId: isNumber,
  },
  { kind: isOneOf('sign_in_code'), name: isText, requestHash: isText, salt: isText },
  {
    kind: isOneOf('organization_join_code'),
    userId: isNumber,
    invitationId: isNumber,
    mailId: isText,
    requestHash: isText,
    salt: isText,
  },
  { kind: isOneOf('sign_up'), email: isText },
  { kind: isOneOf('sign_up_waiting'), to: isText, person: isText },
  {
    kind: isOneOf('saml_certificate_ending'),
    userId: isNumber,
    providerId: isNumber,
    side: isOneOf('idp', 'sp'),
    endsAt: isNumber,
  },
  {
    kind: isOneOf('saml_setup'),
    step: isOneOf('metadata', 'live'),
    userId: isNumber,
    providerId: isNumber,
    entityId: isText,
    source: isText,
    fingerprints: isTexts,
    domains: isTexts,
  },
  {
    kind: isOneOf('security_notice'),
    userId: isNumber,
    change: isOneOf(...securityChanges),
    email: isText,
    at: isNumber,
    by: isOneOf('user', 'administrator', 'service'),
  },
  {
    kind: isOneOf('email_text_test'),
    userId: isNumber,
    textKind: isText,
    language: isText,
    product: isText,
    organizationId: isNumber,
    subject: isText,
    body: isText,
  },
  { kind: isOneOf('owners_notice'), ...ownersNotice },
  { kind: isOneOf('owner_notice'), userId: isNumber, ...ownersNotice },
  { kind: isOneOf('administrators_notice'), ...administratorsNotice },
  { kind: isOneOf('administrators_notice'), ...administratorsNotice, connection: isText },
  { kind: isOneOf('administrator_notice'), userId: isNumber, ...administratorsNotice },
  { kind: isOneOf('administrator_notice'), userId: isNumber, ...administratorsNotice, connection: isText },
]

/** The kinds of jobs whose email shows the device of the change. */
const kindsWithDevice: readonly unknown[] = [
  'security_notice',
  'administrators_notice',
  'administrator_notice',
]

/** Reads a job, and returns undefined if it is none. A reset link must not go to another mailbox because of an unreadable `to`. */
export const readMailJob = (stored: unknown): MailJob | undefined => {
  if (typeof stored !== 'object' || stored === null) return undefined
  const { device, ...fields } = stored as Readonly<Record<string, unknown>>
  const entries = Object.entries(fields)
  const isJob = forms.some((form) => {
    const tests = new Map(Object.entries(form))
    return entries.length === tests.size && entries.every(([name, value]) => tests.get(name)?.(value))
  })
  if (!isJob) return undefined
  return (
    kindsWithDevice.includes(fields['kind']) ? { ...fields, device: readDevice(device) } : fields
  ) as MailJob
}

const readDevice = (stored: unknown): Device => {
  const { browser, system } = Object(stored) as Readonly<Record<string, unknown>>
  return {
    ...(typeof browser === 'string' ? { browser } : {}),
    ...(typeof system === 'string' ? { system } : {}),
  }
}
