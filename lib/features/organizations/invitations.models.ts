import * as z from 'zod/mini'
import {
  exampleCodeRequest,
  exampleCredentials,
  exampleEmailCode,
  exampleIds,
  exampleTimes,
} from '../../accounts/example-values.models.ts'
import {
  anyText,
  dateTime,
  decisionName,
  displayText,
  emailAddress,
  flag,
  id,
  nonEmptyText,
  nullableTextUpTo255,
  text,
  texts,
} from '../../kernel/contract/fields.ts'
import { field, model } from '../../kernel/contract/model.ts'
import {
  emailCodeGuesses,
  emailCodeLifetimeMs,
  organizationInvitationDays,
} from '../../kernel/limits/limits.ts'
import { describeDuration } from '../../kernel/util/time.ts'
import { exampleRoles, givenRoles, OrganizationRole, rolesText } from './models.ts'

const { initial, longest } = organizationInvitationDays
const exampleEmail = 'grace@example.com'
const exampleShown = 'ThisIsAnExampleAndNotTheNameOfARealDecision'

export const OrganizationInvitation = model(
  {
    id: field(id, docs && 'The ID of the invitation.'),
    email: field(anyText, docs && 'The invited address.'),
    roles: field(texts, docs && 'The roles that the person gets, by their keys.'),
    state: field(
      z.enum(['open', 'expired']),
      docs &&
        'Whether the link works. An `expired` invitation can be sent again, and disappears after 30 days. Ignore values that you do not know.',
    ),
    email_state: field(
      z.enum(['pending', 'sent', 'delayed']),
      docs &&
        'Whether the email was `sent`, is about to be (`pending`), or is `delayed`: it could not be sent yet, for example because the address got too many, and the service tries again within a day. Ignore values that you do not know.',
    ),
    invited_by: field(id, docs && 'The ID of the user who sent it last.'),
    created_at: field(dateTime, docs && 'When the address was invited: ISO 8601, UTC.'),
    expires_at: field(dateTime, docs && 'When the link stops working: ISO 8601, UTC.'),
  },
  docs && {
    description: 'An invitation to an organization that was not accepted yet.',
    example: {
      id: exampleIds.organizationInvitation,
      email: exampleEmail,
      roles: exampleRoles,
      state: 'open' as const,
      email_state: 'sent' as const,
      invited_by: exampleIds.administrator,
      created_at: exampleTimes.created,
      expires_at: exampleTimes.end,
    },
  },
)
export type OrganizationInvitation = z.output<typeof OrganizationInvitation>

export const NewOrganizationInvitation = model(
  {
    email: field(
      emailAddress.check(z.maxLength(255)),
      docs && 'The address of the person. Whether it has an account makes no difference.',
    ),
    roles: field(givenRoles, docs && rolesText),
    valid_days: field(
      z.optional(z.int().check(z.minimum(1), z.maximum(longest))),
      docs && `How many days the link works: 1 to ${longest}. Default: ${initial}.`,
    ),
  },
  docs && {
    description: 'An invitation to an organization.',
    example: { email: exampleEmail, roles: exampleRoles },
  },
)
export type NewOrganizationInvitation = z.output<typeof NewOrganizationInvitation>

const inviterText = docs && 'The display name of the inviter. Null if their account was deleted.'

export const OwnOrganizationInvitation = model(
  {
    id: field(id, docs && 'The ID of the invitation.'),
    organization_name: field(anyText, docs && 'The name of the organization.'),
    roles: field(texts, docs && 'The roles that the user would get, by their keys.'),
    invited_by: field(nullableTextUpTo255, docs && inviterText),
    expires_at: field(dateTime, docs && 'When the invitation ends: ISO 8601, UTC.'),
    requires_link: field(
      flag,
      docs && 'Whether only the link in its email accepts it, and no code: it makes an owner.',
    ),
  },
  docs && {
    description: 'An open invitation of the current user.',
    example: {
      id: exampleIds.organizationInvitation,
      organization_name: 'Acme Studios',
      roles: exampleRoles,
      invited_by: 'Ada Lovelace',
      expires_at: exampleTimes.end,
      requires_link: false,
    },
  },
)
export type OwnOrganizationInvitation = z.output<typeof OwnOrganizationInvitation>

const tokenText =
  docs &&
  'The value from the link in the email, with the prefix `lkj_`. It works once. A newer email ends it.'

export const OrganizationInvitationToken = model(
  { token: field(nonEmptyText, docs && tokenText) },
  docs && {
    description: 'The token of an invitation to an organization.',
    example: { token: exampleCredentials.organizationInvitation },
  },
)
export type OrganizationInvitationToken = z.output<typeof OrganizationInvitationToken>

export const OrganizationInvitationOffer = model(
  {
    organization_name: field(anyText, docs && 'The name of the organization.'),
    email: field(anyText, docs && 'The invited address.'),
    roles: field(texts, docs && 'The roles that the person gets, by their keys.'),
    declared_roles: field(
      z.array(OrganizationRole),
      docs && 'Those of these roles that the service declares, with their names.',
    ),
    invited_by: field(anyText, docs && 'The display name of the inviter.'),
    has_account: field(
      flag,
      docs && 'Whether the address has an account, with which the person has to sign in.',
    ),
    terms_version: field(
      z.nullable(anyText),
      docs && 'The version of the terms that a new user has to accept. Null if there are none.',
    ),
    terms_url: field(z.nullable(anyText), docs && 'The address of the terms. Null if there are none.'),
    expires_at: field(dateTime, docs && 'When the link stops working: ISO 8601, UTC.'),
    shown: field(decisionName, docs && 'Names what this answer shows, for `accept_organization_invitation`.'),
  },
  docs && {
    description: 'What the holder of an invitation to an organization sees before they accept it.',
    example: {
      organization_name: 'Acme Studios',
      email: exampleEmail,
      roles: exampleRoles,
      declared_roles: [
        { key: 'editor', texts: { en: 'Editor', de: 'Redaktion' }, permissions: ['films:edit'] },
      ],
      invited_by: 'Ada Lovelace',
      has_account: false,
      terms_version: null,
      terms_url: null,
      expires_at: exampleTimes.end,
      shown: exampleShown,
    },
  },
)
export type OrganizationInvitationOffer = z.output<typeof OrganizationInvitationOffer>

export const InvitedAccount = model(
  {
    token: field(nonEmptyText, docs && tokenText),
    full_name: field(displayText(255), docs && 'The full name of the person.'),
    terms_version: field(
      z.optional(z.nullable(anyText)),
      docs && 'The version of the terms that the person accepted. Required if there are terms.',
    ),
  },
  docs && {
    description: 'A new account for an invited address.',
    example: { token: exampleCredentials.organizationInvitation, full_name: 'Grace Hopper' },
  },
)
export type InvitedAccount = z.output<typeof InvitedAccount>

export const InvitedAccountResult = model(
  {
    invitation_token: field(
      nonEmptyText,
      docs && 'The token with which the person chooses how to sign in: see `find_invitation`.',
    ),
  },
  docs && {
    description: 'How a new user goes on.',
    example: { invitation_token: exampleCredentials.invitation },
  },
)
export type InvitedAccountResult = z.output<typeof InvitedAccountResult>

export const OrganizationInvitationAcceptance = model(
  {
    token: field(nonEmptyText, docs && tokenText),
    shown: field(decisionName, docs && 'What `find_organization_invitation` returned in its field `shown`.'),
  },
  docs && {
    description: 'The acceptance of an invitation, as it was shown.',
    example: { token: exampleCredentials.organizationInvitation, shown: exampleShown },
  },
)
export type OrganizationInvitationAcceptance = z.output<typeof OrganizationInvitationAcceptance>

export const OrganizationJoinCodeRequest = model(
  {
    request_id: field(
      nonEmptyText,
      docs && 'The secret half of the proof: the code works only together with it. Keep it in the browser.',
    ),
    expires: field(
      dateTime,
      docs &&
        `When the code stops working: ISO 8601, UTC, ${describeDuration(emailCodeLifetimeMs)} after the request.`,
    ),
    organization_name: field(anyText, docs && 'The name of the organization.'),
    email: field(anyText, docs && 'The invited address, which gets the code.'),
    roles: field(texts, docs && 'The roles that the person gets, by their keys.'),
    invited_by: field(anyText, docs && 'The display name of the inviter.'),
    shown: field(decisionName, docs && 'Names what this answer shows, for `join_organization_with_code`.'),
  },
  docs && {
    description:
      'A request for a code with which the current user joins an organization, and what they agree to.',
    example: {
      request_id: exampleCodeRequest,
      expires: exampleTimes.codeEnd,
      organization_name: 'Acme Studios',
      email: exampleEmail,
      roles: exampleRoles,
      invited_by: 'Ada Lovelace',
      shown: exampleShown,
    },
  },
)
export type OrganizationJoinCodeRequest = z.output<typeof OrganizationJoinCodeRequest>

export const OrganizationJoin = model(
  {
    request_id: field(text(64), docs && 'What `request_organization_join_code` returned in this field.'),
    code: field(
      text(64),
      docs &&
        `The code from the email: eight digits. Spaces and hyphens are ignored. After ${emailCodeGuesses} attempts, it no longer works.`,
    ),
    shown: field(decisionName, docs && 'What `request_organization_join_code` returned in this field.'),
  },
  docs && {
    description: 'The acceptance of an invitation, as it was shown, with an emailed code.',
    example: { request_id: exampleCodeRequest, code: exampleEmailCode, shown: exampleShown },
  },
)
export type OrganizationJoin = z.output<typeof OrganizationJoin>
