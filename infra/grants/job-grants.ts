import { getConnectionListing } from '../../lib/features/connections/records.ts'
import { connectionKinds } from '../../lib/kernel/contract/connection-kinds.ts'
import type { Job } from '../../lib/kernel/contract/group.ts'
import {
  adminsKey,
  brandingKey,
  connectionRefreshKey,
  firstAdminKey,
  passwordPolicyKey,
  sessionReviewKey,
  signInPolicyKey,
  signUpPolicyKey,
  userAttributesKey,
  vaultCanaryKey,
} from '../../lib/kernel/table/keys/keys.ts'
import { type ListedKind, listingPartition } from '../../lib/kernel/table/keys/listing-keys.ts'
import { agentPolicyKey } from '../../lib/kernel/table/keys/oauth-keys.ts'
import {
  organizationPolicyKey,
  organizationRecountKey,
  organizationRolesKey,
} from '../../lib/kernel/table/keys/organization-keys.ts'
import { partitions } from '../../lib/kernel/table/keys/partitions.ts'
import { authentication, combine, type Grant, linkDeletion, newIds, throttling } from './grant-parts.ts'

const {
  accessLink,
  accountDeletions,
  activeUsers,
  activity,
  apiToken,
  audit,
  auditArchive,
  auditChain,
  auditCheckpoints,
  auditSurvey,
  client,
  clientCount,
  clientDocument,
  clientName,
  configuration,
  connection,
  connectionDomain,
  connectionSessions,
  delayedInvitations,
  email,
  emailClaims,
  emailCode,
  emailText,
  emailTextHistory,
  group,
  groupName,
  guestEmail,
  invitedAddress,
  logo,
  logoutJobs,
  oauthGrant,
  oauthRevokedToken,
  organization,
  organizationConnections,
  organizationEndings,
  organizationEvents,
  organizationExternalId,
  organizationInvitation,
  organizationInvitationList,
  organizationMemberList,
  organizationRights,
  organizationSlug,
  outbox,
  passkey,
  privateSigningKeys,
  protectedApi,
  protectedApiAudience,
  protectedApiCount,
  protectedApiName,
  samlEntity,
  scim,
  signInPage,
  signUpLink,
  signingKeys,
  suppressed,
  user,
  userAttribute,
  userTemplate,
  userTemplateName,
  username,
} = partitions

const idsOf = (kind: ListedKind): string => listingPartition(kind, 'id')

/** What a service has once. */
const settings = [
  ...[agentPolicyKey.pk, brandingKey.pk, passwordPolicyKey.pk, signInPolicyKey.pk, signUpPolicyKey.pk],
  ...[organizationPolicyKey.pk, organizationRolesKey.pk, userAttributesKey.pk],
]

/** What documents create. */
const configured = [
  ...(['oidc-client', 'protected-api', 'group', 'user-template', 'connection', 'user'] as const),
  'api-token',
] as const

/** What the functions without operations may do. */
export const jobGrants = {
  'connection-refresh': {
    table: {
      BatchGetItem: [connection, user],
      GetItem: [adminsKey.pk, connectionRefreshKey.pk, organizationPolicyKey.pk],
      PutItem: [audit, outbox, connectionDomain, connectionRefreshKey.pk, signInPage],
      // A domain that is proven can require the sign-in of a company.
      UpdateItem: [connection, sessionReviewKey.pk],
    },
    index: connectionKinds.map((kind) => listingPartition(getConnectionListing(kind), 'id')),
  },
  'signing-keys': {
    table: {
      DeleteItem: [privateSigningKeys],
      PutItem: [audit, privateSigningKeys, signingKeys],
      Query: [signingKeys],
      UpdateItem: [signingKeys],
    },
    // This function stores private keys but never reads them.
    vault: { Encrypt: ['signing-key'] },
  },
  unmatched: { table: { GetItem: [brandingKey.pk] } },
  // A JWT names its session by an ID, for which the sessions of its user are read.
  authorizer: {
    table: combine(authentication, {
      GetItem: [agentPolicyKey.pk, clientDocument, organization, organizationSlug],
      BatchGetItem: [
        ...[client, oauthGrant, oauthRevokedToken, organization, organizationRights],
        protectedApiAudience,
      ],
      Query: [signingKeys, user],
      // When an API token of an organization was last used.
      UpdateItem: [organization],
    }),
  },
  mailer: {
    table: combine(throttling, {
      BatchGetItem: [connection, emailText, organization],
      ConditionCheckItem: [outbox],
      DeleteItem: [delayedInvitations, outbox, user],
      GetItem: [
        ...[adminsKey.pk, brandingKey.pk, connection, email, outbox, signUpPolicyKey.pk, suppressed, user],
        ...[organizationInvitation, signInPolicyKey.pk, username],
      ],
      PutItem: [audit, delayedInvitations, outbox, signUpLink, user],
      // An organization with a proven domain has a share of its own.
      Query: [organizationConnections],
      UpdateItem: [emailCode, organizationInvitation, outbox, user],
    }),
    index: [organizationMemberList],
  },
  'mail-events': { table: { GetItem: [email], PutItem: [audit, suppressed] } },
  'first-admin': {
    table: combine(newIds('user'), {
      BatchGetItem: [email, guestEmail, user, username],
      ConditionCheckItem: [email],
      GetItem: [firstAdminKey.pk, vaultCanaryKey.pk],
      PutItem: [...[audit, emailClaims, firstAdminKey.pk, outbox, user, username], vaultCanaryKey.pk],
      UpdateItem: [adminsKey.pk, signInPolicyKey.pk],
    }),
    // It stores a text with which each deployment can check that it has the key of the table.
    vault: { Decrypt: ['health'], Encrypt: ['health'] },
  },
  'audit-chain': {
    table: {
      GetItem: [auditArchive, auditChain, auditCheckpoints, auditSurvey],
      PutItem: [auditArchive, auditChain, auditCheckpoints, auditSurvey, organizationEvents],
      Query: [audit, auditChain, auditCheckpoints],
      UpdateItem: [activeUsers, activity],
    },
  },
  // Besides `oidc`, the only function that signs: it sends what it signed, so that no function can ask for a signature.
  'backchannel-logout': {
    table: {
      // It also reviews open sessions after a change of the rules of the sign-in.
      BatchGetItem: [group, user],
      DeleteItem: [connectionSessions, logoutJobs, user],
      GetItem: [
        ...[logoutJobs, client, connection, connectionDomain, privateSigningKeys, sessionReviewKey.pk],
        ...[signInPolicyKey.pk, user],
      ],
      PutItem: [audit, logoutJobs],
      Query: [logoutJobs, signingKeys, user],
      UpdateItem: [logoutJobs, sessionReviewKey.pk, user],
    },
    index: [idsOf('user')],
    // It revokes tokens at providers with the secrets of connections.
    vault: { Decrypt: ['connection', 'signing-key'] },
  },
  // It deletes what `delete_user` and `delete_organization` delete, and what belonged to a deleted organization.
  'account-deletion': {
    table: combine(linkDeletion, {
      BatchGetItem: [organization, organizationInvitation, user],
      DeleteItem: [
        ...[
          accountDeletions,
          apiToken,
          delayedInvitations,
          emailClaims,
          emailText,
          emailTextHistory,
          group,
          logo,
          organization,
          organizationEndings,
        ],
        ...[organizationExternalId, passkey, userAttribute],
        ...[connection, connectionDomain, connectionSessions, invitedAddress, organizationConnections],
        ...[organizationInvitation, samlEntity, scim, signInPage, user],
      ],
      GetItem: [
        ...[connection, connectionSessions, organizationInvitation, organizationPolicyKey.pk],
        ...[organizationRecountKey.pk, signInPolicyKey.pk, user],
      ],
      PutItem: [
        ...[audit, connectionSessions, logoutJobs, organizationEndings, outbox],
        organizationRecountKey.pk,
      ],
      Query: [
        ...[accountDeletions, connection, connectionSessions, delayedInvitations, organization],
        ...[emailText, emailTextHistory, organizationConnections, organizationEndings, scim],
      ],
      UpdateItem: [adminsKey.pk, group, organization, organizationInvitation, organizationSlug],
    }),
    index: [
      ...[accessLink, organizationInvitationList, organizationMemberList],
      listingPartition('organization', 'id'),
    ],
  },
  'audit-forward': { table: { BatchGetItem: [audit] } },
  // It does what administrators do with clients, APIs, groups, templates, connections, policies, attributes and the brand.
  config: {
    table: combine(newIds(...configured), {
      BatchGetItem: [
        ...[client, clientDocument, connection, group, protectedApi, protectedApiAudience, user],
        userTemplate,
      ],
      ConditionCheckItem: [configuration, group, user],
      DeleteItem: [
        ...[client, clientName, configuration, connection, connectionDomain, connectionSessions, group],
        ...[
          emailText,
          groupName,
          logo,
          protectedApi,
          protectedApiAudience,
          protectedApiName,
          samlEntity,
          scim,
        ],
        ...[signInPage, user, userTemplate, userTemplateName],
      ],
      GetItem: [
        ...[client, clientCount, clientDocument, clientName, configuration, connection, connectionSessions],
        ...[group, groupName, logo, protectedApi, protectedApiAudience, protectedApiCount, protectedApiName],
        ...[emailTextHistory, samlEntity, user, userTemplate, userTemplateName, username, ...settings],
        // A stricter policy has a job look at the open sessions.
        sessionReviewKey.pk,
      ],
      PutItem: [
        ...[audit, client, clientDocument, clientName, configuration, connection, connectionDomain],
        ...[connectionSessions, group, groupName, logo, logoutJobs, outbox, protectedApi],
        // Declared roles are written with all copies of what they allow.
        ...[organizationRights, protectedApiAudience, protectedApiName],
        ...[emailText, emailTextHistory, samlEntity, signInPage, user, userTemplate, userTemplateName],
        ...[username, ...settings],
      ],
      Query: [configuration, connection, connectionSessions, emailText, group, scim, user],
      UpdateItem: [
        ...[client, clientCount, configuration, connection, group, protectedApi, protectedApiCount],
        ...[logo, sessionReviewKey.pk, user, userTemplate],
      ],
    }),
    index: [
      ...(['oidc-client', 'protected-api', 'group', 'user-template'] as const).map(idsOf),
      ...connectionKinds.map(getConnectionListing).map(idsOf),
    ],
    // This function stores private keys but never reads them.
    vault: { Encrypt: ['connection'] },
  },
  // It does what administrators do with clients and APIs, and cannot write users, groups, templates, connections and policies.
  'config-product': {
    table: combine(newIds('oidc-client', 'protected-api'), {
      BatchGetItem: [client, protectedApi, protectedApiAudience],
      ConditionCheckItem: [configuration],
      DeleteItem: [client, clientName, configuration, protectedApi, protectedApiAudience, protectedApiName],
      GetItem: [
        ...[client, clientCount, clientDocument, clientName, configuration, protectedApi],
        ...[protectedApiAudience, protectedApiCount, protectedApiName],
      ],
      PutItem: [
        ...[audit, client, clientDocument, clientName, configuration, protectedApi, protectedApiAudience],
        protectedApiName,
      ],
      Query: [configuration],
      UpdateItem: [client, clientCount, configuration, protectedApi, protectedApiCount],
    }),
  },
} as const satisfies Readonly<Record<Job, Grant>>
