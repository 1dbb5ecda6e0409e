import { listPresets } from '../../lib/features/connections/public-providers.models.ts'
import { getConnectionListing } from '../../lib/features/connections/records.ts'
import { connectionKinds } from '../../lib/kernel/contract/connection-kinds.ts'
import type { FunctionName } from '../../lib/kernel/contract/group.ts'
import {
  adminsKey,
  brandingKey,
  dataKeyKey,
  passwordPolicyKey,
  publicConnectionKey,
  sessionReviewKey,
  signInPolicyKey,
  signUpPolicyKey,
  userAttributesKey,
  vaultCanaryKey,
} from '../../lib/kernel/table/keys/keys.ts'
import {
  accessLinkList,
  type ListedKind,
  listingPartition,
} from '../../lib/kernel/table/keys/listing-keys.ts'
import { agentPolicyKey } from '../../lib/kernel/table/keys/oauth-keys.ts'
import { organizationPolicyKey, organizationRolesKey } from '../../lib/kernel/table/keys/organization-keys.ts'
import { partitions } from '../../lib/kernel/table/keys/partitions.ts'
import {
  authentication,
  combine,
  type Grant,
  linkDeletion,
  memberships,
  newIds,
  proofOfWork,
  proofOfWorkKey,
  recentProof,
  sealing,
  sessionAuthentication,
  sessionEnd,
  throttling,
  userNames,
} from './grant-parts.ts'
import { jobGrants } from './job-grants.ts'

const {
  accessLink,
  accountDeletions,
  activeUsers,
  activity,
  apiToken,
  apiTokenList,
  audit,
  auditChain,
  auditSurvey,
  configuration,
  deletedUser,
  easySharing,
  email,
  emailClaims,
  emailCode,
  emailText,
  emailTextHistory,
  group,
  groupName,
  guest,
  guestEmail,
  invitedAddress,
  linkMail,
  loginPair,
  logo,
  logoutJobs,
  oauthAssertion,
  client,
  clientCount,
  clientDocument,
  clientName,
  oauthCode,
  oauthDevice,
  oauthGrant,
  oauthInteraction,
  oauthPushedRequest,
  oauthRefreshToken,
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
  passkeyChallenge,
  privateSigningKeys,
  protectedApi,
  protectedApiAudience,
  protectedApiCount,
  protectedApiName,
  rate,
  rateLimitedList,
  companyAccount,
  companyAccountList,
  groupMemberList,
  connectionDomain,
  samlEntity,
  connection,
  connectionSessions,
  scim,
  signInPage,
  signUpLink,
  signUpRequests,
  signingKeys,
  suppressed,
  suppressedList,
  ticket,
  totals,
  user,
  userAttribute,
  userTemplate,
  userTemplateName,
  username,
} = partitions
const [passwordPolicy, sessionReview, signInPolicy, signUpPolicy, admins] = [
  passwordPolicyKey.pk,
  sessionReviewKey.pk,
  signInPolicyKey.pk,
  signUpPolicyKey.pk,
  adminsKey.pk,
]

/** The encrypted data keys of access links. */
const linkDataKeys = dataKeyKey('access_token', '').pk

const allListsOf = (kind: ListedKind): readonly string[] => [
  listingPartition(kind, 'id'),
  listingPartition(kind, 'name'),
]

const connectionLists = connectionKinds.map((kind) => listingPartition(getConnectionListing(kind), 'id'))

/** What keeps the IDs of the connections of presets. The same partitions have the domains of companies under other keys. */
const presetKeys = listPresets().map((preset) => publicConnectionKey(preset).pk)

/** Everything that each function may do with the table and the vault. Nothing else in the stack grants access. */
export const grants: Readonly<Record<FunctionName, Grant>> = {
  ...jobGrants,
  pages: {
    // The sign-in page shows the SAML providers, the ways that the policy allows, the client that waits, and the look of an organization.
    table: combine(sessionAuthentication, {
      // The account page shows what a directory keeps.
      BatchGetItem: [connection, group, organization, scim, signInPolicy, signUpPolicy],
      GetItem: [brandingKey.pk, client, clientDocument, organizationSlug, userTemplate],
      Query: [signInPage, user],
    }),
  },
  health: {
    // A refused caller is recorded.
    table: combine(authentication, { GetItem: [vaultCanaryKey.pk], PutItem: [audit, vaultCanaryKey.pk] }),
    vault: { Decrypt: ['health'], Encrypt: ['health'] },
  },
  hooks: {
    // A test call is for a person, a client, and the groups and attributes that an account would get. Whether a hook is off stands in the sign-in policy.
    table: combine(authentication, recentProof, throttling, {
      BatchGetItem: [groupName],
      GetItem: [auditSurvey, client, clientDocument, signInPolicy, userAttributesKey.pk],
      PutItem: [audit, signInPolicy],
      Query: [audit],
    }),
  },
  tickets: {
    table: combine(authentication, throttling, {
      BatchGetItem: [organization, organizationRights, ticket],
      ConditionCheckItem: [user],
      GetItem: [organizationSlug],
      PutItem: [audit, ticket],
      UpdateItem: [ticket],
    }),
  },
  oidc: {
    // Clients that no administrator registered are stored as their documents describe them.
    table: combine(authentication, recentProof, newIds('oidc-client'), throttling, sessionEnd, {
      BatchGetItem: [
        ...[client, oauthGrant, oauthRevokedToken, organization, organizationRights],
        ...[protectedApi, protectedApiAudience, signInPolicy],
      ],
      ConditionCheckItem: [oauthGrant],
      DeleteItem: [oauthGrant],
      GetItem: [
        ...[brandingKey.pk, client, connection, oauthCode, oauthDevice, oauthGrant, oauthRefreshToken],
        ...[agentPolicyKey.pk, clientDocument, oauthPushedRequest, privateSigningKeys, protectedApi],
        ...[organization, organizationSlug, userAttributesKey.pk],
      ],
      PutItem: [
        ...[audit, oauthAssertion, client, clientDocument, clientName],
        ...[oauthCode, oauthDevice, oauthGrant],
        ...[oauthInteraction, oauthPushedRequest, oauthRefreshToken, oauthRevokedToken],
      ],
      Query: [signingKeys, user],
      UpdateItem: [
        ...[client, clientCount, oauthCode, oauthDevice],
        ...[oauthPushedRequest, oauthRefreshToken, organization],
      ],
    }),
    index: [listingPartition('protected-api', 'id')],
    vault: { Decrypt: ['signing-key'] },
  },
  'oidc-clients': {
    table: combine(authentication, recentProof, sealing, newIds('oidc-client'), newIds('protected-api'), {
      BatchGetItem: [client, configuration, protectedApi, protectedApiAudience],
      DeleteItem: [
        ...[client, clientDocument, clientName],
        ...[protectedApi, protectedApiAudience, protectedApiName],
      ],
      GetItem: [agentPolicyKey.pk, client, protectedApi],
      PutItem: [
        agentPolicyKey.pk,
        ...[audit, client, clientDocument, clientName],
        ...[protectedApi, protectedApiAudience, protectedApiName],
      ],
      UpdateItem: [client, clientCount, configuration, protectedApi, protectedApiCount],
    }),
    index: [...allListsOf('oidc-client'), ...allListsOf('protected-api')],
  },
  sessions: {
    table: combine(authentication, throttling, proofOfWork, sessionEnd, {
      BatchGetItem: [connection, email, loginPair, passwordPolicy, rate, signInPolicy, username],
      ConditionCheckItem: [rate, user],
      DeleteItem: [emailCode, loginPair],
      GetItem: [connection, emailCode, connectionDomain, loginPair, organizationRights, signInPolicy],
      PutItem: [audit, emailCode, outbox, user],
      Query: [user],
      UpdateItem: [emailCode, loginPair],
    }),
    vault: { Decrypt: ['totp', ...proofOfWorkKey], Encrypt: proofOfWorkKey },
  },
  passwords: {
    table: combine(authentication, recentProof, sealing, throttling, proofOfWork, userNames, {
      // A report ends API tokens of organizations, tokens of directories, open invitations and set-up links.
      BatchGetItem: [connection, organization, organizationRights, passwordPolicy, scim, signInPolicy],
      DeleteItem: [
        ...[accountDeletions, apiToken, group, invitedAddress, loginPair, organization],
        ...[organizationInvitation, passkey, rate, companyAccount, scim, user],
      ],
      GetItem: [
        ...[admins, connection, passwordPolicy, connectionDomain, organization, organizationInvitation],
        ...[organizationRights, sessionReview, signInPolicy],
      ],
      PutItem: [audit, logoutJobs, outbox, passwordPolicy, signInPolicy],
      Query: [emailClaims, user],
      UpdateItem: [connection, group, organization, scim, sessionReview],
    }),
    vault: { Decrypt: ['totp', ...proofOfWorkKey], Encrypt: proofOfWorkKey },
  },
  invitations: {
    // People who sign up are new users, in the groups of a template. Administrators set the policy and approve requests.
    table: combine(authentication, recentProof, sealing, newIds('user'), throttling, proofOfWork, userNames, {
      // A hook names groups, and sets attributes.
      BatchGetItem: [group, groupName, organization, organizationRights, passwordPolicy, signInPolicy],
      ConditionCheckItem: [organizationInvitation],
      DeleteItem: [passkeyChallenge, rate, signUpRequests],
      GetItem: [
        ...[connection, email, passkeyChallenge, connectionDomain, signInPolicy, signUpLink, signUpPolicy],
        ...[organizationInvitation, organizationRights, organizationRolesKey.pk, signUpRequests],
        ...[userAttributesKey.pk, userTemplate],
      ],
      PutItem: [
        ...[audit, group, logoutJobs, outbox, passkey, passkeyChallenge, signUpPolicy, signUpRequests],
        userAttribute,
      ],
      Query: [emailClaims, signInPage, signUpRequests, user],
      UpdateItem: [group, signUpLink],
    }),
    vault: { Decrypt: proofOfWorkKey, Encrypt: proofOfWorkKey },
  },
  impersonation: {
    table: combine(authentication, recentProof, sessionEnd, {
      ConditionCheckItem: [connectionSessions],
      PutItem: [audit, connectionSessions, user],
    }),
  },
  'access-links': {
    table: combine(
      authentication,
      recentProof,
      newIds('access-token', 'link-permission', 'user'),
      throttling,
      linkDeletion,
      {
        BatchGetItem: [email, emailText, guestEmail],
        ConditionCheckItem: [email, user],
        DeleteItem: [linkMail],
        GetItem: [brandingKey.pk, linkDataKeys, easySharing, linkMail, organization, suppressed],
        PutItem: [accessLink, linkDataKeys, easySharing, guest, guestEmail, linkMail, user],
        // An API token of an organization was used.
        UpdateItem: [accessLink, organization],
      },
    ),
    index: [accessLinkList, accessLink],
    vault: { Decrypt: ['access_token'], Encrypt: ['access_token'] },
  },
  'api-tokens': {
    table: combine(authentication, recentProof, newIds('api-token'), {
      BatchGetItem: [protectedApi],
      ConditionCheckItem: [user],
      DeleteItem: [apiToken, user],
      PutItem: [apiToken, audit, outbox, user],
      Query: [user],
    }),
    index: [apiTokenList, listingPartition('protected-api', 'id')],
  },
  leaks: {
    // Everything of a user ends here as well, by a manager.
    table: combine(authentication, recentProof, throttling, linkDeletion, sessionEnd, {
      BatchGetItem: [
        connection,
        organization,
        organizationInvitation,
        organizationRights,
        scim,
        signInPolicy,
        ticket,
      ],
      DeleteItem: [
        ...[apiToken, invitedAddress, organization, organizationInvitation, passkey, scim, signUpLink],
        ...[ticket],
      ],
      GetItem: [connection, client, organization, organizationInvitation],
      PutItem: [outbox],
      UpdateItem: [connection, client, organization, scim],
    }),
    index: [accessLink],
  },
  passkeys: {
    table: combine(authentication, recentProof, throttling, proofOfWork, {
      BatchGetItem: [connection, signInPolicy],
      DeleteItem: [passkey, passkeyChallenge, user],
      GetItem: [
        ...[connection, passkey, passkeyChallenge, connectionDomain, organizationRights],
        signInPolicy,
      ],
      PutItem: [audit, logoutJobs, outbox, passkey, passkeyChallenge, user],
      Query: [user],
    }),
    vault: { Decrypt: proofOfWorkKey, Encrypt: proofOfWorkKey },
  },
  connections: {
    table: combine(authentication, recentProof, sealing, newIds('connection', 'api-token'), throttling, {
      BatchGetItem: [connection, group, organization, organizationRights, scim, user],
      ConditionCheckItem: [companyAccount, connection, organization, user],
      DeleteItem: [
        ...[connection, connectionDomain, samlEntity, connectionSessions, organizationConnections],
        ...[scim, signInPage, user],
      ],
      GetItem: [
        // Previews say whether the last administrator leaves.
        adminsKey.pk,
        ...[connection, connectionDomain, samlEntity, connectionSessions, signInPolicy, userTemplate],
        ...[client, clientDocument, organizationPolicyKey.pk, organizationRights, userAttributesKey.pk],
        // A request of a directory that is only checked.
        ...[companyAccount, email, scim, user],
      ],
      PutItem: [
        ...[audit, connection, outbox, connectionDomain, samlEntity, connectionSessions, signInPage],
        ...[organizationConnections, scim, signInPolicy, user],
      ],
      // Administrators keep the connection that signs them in.
      Query: [connection, connectionSessions, emailClaims, organizationConnections, scim, user],
      UpdateItem: [
        ...[connection, scim, sessionReview, userTemplate],
        // Whom a directory ended by mistake is a member again.
        organization,
      ],
    }),
    index: connectionKinds.map(getConnectionListing).flatMap(allListsOf),
    // This function stores private keys but never reads them.
    vault: { Encrypt: ['connection'] },
  },
  scim: {
    // The directory of a customer changes its people and groups, and ends everything of those who leave.
    table: combine(throttling, linkDeletion, memberships, sessionEnd, userNames, {
      BatchGetItem: [
        ...[client, connection, group, groupName, oauthRevokedToken, organization, organizationInvitation],
        ...[organizationRights, scim, signInPolicy, ticket, user],
      ],
      ConditionCheckItem: [organization, scim, user],
      DeleteItem: [
        ...[apiToken, invitedAddress, organization, organizationInvitation, passkey, scim],
        ...[signUpLink, ticket, user, userAttribute],
      ],
      GetItem: [
        ...[
          adminsKey.pk,
          clientDocument,
          companyAccount,
          connection,
          email,
          organization,
          organizationInvitation,
          organizationRights,
          scim,
          user,
          userAttributesKey.pk,
          userTemplate,
        ],
      ],
      PutItem: [outbox, scim, user, userAttribute],
      Query: [emailClaims, scim, signingKeys, user],
      UpdateItem: [admins, connection, group, organization, scim, user],
    }),
    index: [accessLink],
  },
  'connection-flow': {
    table: combine(
      authentication,
      recentProof,
      newIds('group', 'user'),
      throttling,
      proofOfWork,
      userNames,
      memberships,
      sessionEnd,
      {
        // A sign-in through a connection of an organization can make its user a member.
        BatchGetItem: [connection, groupName, organization, organizationRights, scim],
        ConditionCheckItem: [connection, connectionSessions, organization, scim, user],
        // An account that a connection takes by its address loses its other ways to sign in.
        // The sign-in uses up an invitation to an address in the domains of the connection.
        DeleteItem: [
          ...[apiToken, companyAccount, invitedAddress, organizationInvitation, passkey, user, userAttribute],
        ],
        GetItem: [
          ...[brandingKey.pk, connection, email, companyAccount, connectionDomain],
          ...[invitedAddress, organizationInvitation, organizationRights],
          ...[connectionSessions, scim, signInPolicy, signUpPolicy, userAttributesKey.pk, userTemplate],
        ],
        PutItem: [
          ...[audit, connection, groupName, outbox, companyAccount, connectionSessions, scim, ticket, user],
          userAttribute,
        ],
        Query: [emailClaims, connectionSessions, scim, user],
        UpdateItem: [connection, connectionSessions, organization],
      },
    ),
    // A public provider does not replace the code of the second factor. The refresh token of Apple is kept.
    vault: { Decrypt: ['connection', 'totp', ...proofOfWorkKey], Encrypt: ['connection', ...proofOfWorkKey] },
  },
  users: {
    table: combine(
      authentication,
      recentProof,
      sealing,
      newIds('user'),
      throttling,
      proofOfWork,
      userNames,
      memberships,
      linkDeletion,
      {
        BatchGetItem: [
          ...[connection, client, clientDocument, organization, organizationRights],
          // Whether a directory sent the user.
          ...[protectedApi, protectedApiAudience, scim, totals],
        ],
        // The name of a person can change while the user answers the directory.
        ConditionCheckItem: [connection, scim, user],
        DeleteItem: [accountDeletions, apiToken, passkey, companyAccount, userAttribute],
        GetItem: [
          adminsKey.pk,
          connection,
          client,
          companyAccount,
          connectionDomain,
          organizationRights,
          organizationSlug,
          scim,
          signInPolicy,
          userAttributesKey.pk,
          username,
          userTemplate,
        ],
        PutItem: [
          ...[accessLink, accountDeletions, apiToken, audit, logoutJobs, outbox, companyAccount],
          ...[scim, userAttribute, userAttributesKey.pk],
        ],
        Query: [emailClaims, group, user, userAttribute],
        // Clients have a copy of the claims that name them.
        UpdateItem: [accessLink, admins, client, organization, username],
      },
    ),
    index: [...allListsOf('user'), accessLink, companyAccountList, groupMemberList],
    vault: { Decrypt: ['totp', ...proofOfWorkKey], Encrypt: ['totp', ...proofOfWorkKey] },
  },
  groups: {
    table: combine(authentication, recentProof, sealing, newIds('group'), memberships, {
      // What a directory keeps of a member.
      BatchGetItem: [connection, groupName, scim],
      DeleteItem: [groupName],
      GetItem: [group, userTemplate],
      PutItem: [audit, groupName, outbox],
      Query: [group, user],
    }),
    index: allListsOf('group'),
  },
  'user-templates': {
    table: combine(authentication, recentProof, sealing, newIds('user-template'), {
      BatchGetItem: [connection, userTemplate],
      DeleteItem: [userTemplate, userTemplateName],
      GetItem: [userTemplate],
      PutItem: [audit, userTemplate, userTemplateName],
      UpdateItem: [userTemplate],
    }),
    index: [...allListsOf('user-template'), ...connectionLists],
  },
  organizations: {
    // An access reads the organization, the membership and the roles. Members are listed with their names.
    table: combine(
      authentication,
      recentProof,
      newIds('api-token', 'organization', 'organization-invitation'),
      throttling,
      {
        BatchGetItem: [
          ...[connection, invitedAddress, organization, organizationInvitation],
          organizationRights,
        ],
        ConditionCheckItem: [configuration, connection, organization, user],
        DeleteItem: [
          ...[emailCode, emailText, invitedAddress, logo, organization, organizationEndings],
          ...[organizationExternalId, organizationInvitation, organizationSlug, user],
        ],
        GetItem: [
          ...[email, emailCode, emailTextHistory, organization, organizationExternalId],
          ...[organizationInvitation],
          ...[organizationRights, organizationRolesKey.pk],
          ...[brandingKey.pk, configuration, connection, organizationPolicyKey.pk, organizationSlug],
        ],
        PutItem: [
          ...[audit, emailCode, emailText, emailTextHistory, invitedAddress, logo, organization],
          ...[organizationEndings],
          ...[organizationExternalId, organizationInvitation],
          ...[organizationPolicyKey.pk, organizationRights, organizationRolesKey.pk, organizationSlug],
          ...[outbox, user],
        ],
        Query: [emailText, invitedAddress, organization, organizationConnections, organizationEvents, user],
        UpdateItem: [emailCode, organization, organizationSlug, user],
      },
    ),
    index: [...allListsOf('organization'), organizationInvitationList, organizationMemberList],
  },
  'user-files': {
    // Users are created and never changed, apart from groups that one transaction has no room for.
    table: combine(authentication, recentProof, newIds('user', 'connection'), {
      BatchGetItem: [companyAccount, email, groupName, guestEmail, user, username],
      ConditionCheckItem: [email, group, guestEmail, username],
      DeleteItem: [email, guest, guestEmail, username],
      // Identities of a public provider have the ID that its connection has, or will have.
      GetItem: [userAttributesKey.pk, ...presetKeys],
      PutItem: [
        ...[audit, companyAccount, email, emailClaims, group, guest, guestEmail, outbox, passkey],
        ...[user, username, ...presetKeys],
      ],
      UpdateItem: [admins, group],
    }),
    index: [listingPartition('user', 'id')],
    vault: { Encrypt: ['totp'] },
  },
  branding: {
    table: combine(authentication, sealing, throttling, {
      BatchGetItem: [connection, organization],
      DeleteItem: [emailText, logo],
      GetItem: [brandingKey.pk, emailTextHistory, logo],
      PutItem: [audit, brandingKey.pk, emailText, emailTextHistory, logo, outbox],
      // Links of an organization may lead to the domains that it proved.
      Query: [emailText, organizationConnections],
      UpdateItem: [logo, organization],
    }),
  },
  audit: {
    table: combine(authentication, recentProof, {
      BatchGetItem: [audit, auditChain, client, connection, deletedUser, loginPair, rate, suppressed],
      DeleteItem: [loginPair, rate, suppressed],
      GetItem: [auditSurvey, email, userAttributesKey.pk, loginPair, organizationRights, rate, suppressed],
      PutItem: [audit],
      Query: [activeUsers, activity, audit, user],
    }),
    index: [audit, ...connectionLists, ...[rateLimitedList, suppressedList]],
    readsEventIndexes: true,
  },
}
