import { connectionKinds } from '../../lib/features/connections/kinds.models.ts'
import { getConnectionListing } from '../../lib/features/connections/records.ts'
import type { Job } from '../../lib/kernel/contract/group.ts'
import {
  adminsKey,
  brandingKey,
  firstAdminKey,
  signInPolicyKey,
  signUpPolicyKey,
  vaultCanaryKey,
} from '../../lib/kernel/table/keys/keys.ts'
import { listingPartition } from '../../lib/kernel/table/keys/listing-keys.ts'
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
  email,
  emailClaims,
  emailCode,
  group,
  logoutJobs,
  client,
  clientDocument,
  oauthGrant,
  oauthRevokedToken,
  outbox,
  passkey,
  privateSigningKeys,
  protectedApiAudience,
  connectionDomain,
  connection,
  signInPage,
  signUpLink,
  signingKeys,
  suppressed,
  user,
  userAttribute,
  username,
} = partitions

/** What the functions without operations may do. */
export const jobGrants = {
  'saml-refresh': {
    table: {
      BatchGetItem: [connection, user],
      GetItem: [adminsKey.pk],
      PutItem: [audit, outbox, connectionDomain, signInPage],
      UpdateItem: [connection],
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
    vault: { purpose: 'signing-key', actions: ['Encrypt'] },
  },
  unmatched: { table: { GetItem: [brandingKey.pk] } },
  // A JWT names its session by an ID, for which the sessions of its user are read.
  authorizer: {
    table: combine(authentication, {
      GetItem: [clientDocument],
      BatchGetItem: [client, oauthGrant, oauthRevokedToken, protectedApiAudience],
      Query: [signingKeys, user],
    }),
  },
  mailer: {
    table: combine(throttling, {
      ConditionCheckItem: [outbox],
      DeleteItem: [outbox, user],
      GetItem: [
        ...[adminsKey.pk, brandingKey.pk, connection, email, outbox, signUpPolicyKey.pk, suppressed, user],
        username,
      ],
      PutItem: [audit, outbox, signUpLink, user],
      UpdateItem: [emailCode, outbox, user],
    }),
  },
  'mail-events': { table: { GetItem: [email], PutItem: [audit, suppressed] } },
  'first-admin': {
    table: combine(newIds('user'), {
      BatchGetItem: [user, username],
      GetItem: [firstAdminKey.pk, vaultCanaryKey.pk],
      PutItem: [firstAdminKey.pk, signInPolicyKey.pk, user, username, vaultCanaryKey.pk],
      UpdateItem: [adminsKey.pk],
    }),
    // It stores a text with which each deployment can check that it has the key of the table.
    vault: { purpose: 'health', actions: ['Decrypt', 'Encrypt'] },
  },
  'audit-chain': {
    table: {
      GetItem: [auditArchive, auditChain, auditCheckpoints, auditSurvey],
      PutItem: [auditArchive, auditChain, auditCheckpoints, auditSurvey],
      Query: [audit, auditChain, auditCheckpoints],
      UpdateItem: [activeUsers, activity],
    },
  },
  // Besides `oidc`, the only function that signs: it sends what it signed, so that no function can ask for a signature.
  'backchannel-logout': {
    table: {
      DeleteItem: [logoutJobs, user],
      GetItem: [logoutJobs, client, privateSigningKeys, user],
      PutItem: [audit, logoutJobs],
      Query: [logoutJobs, signingKeys, user],
      UpdateItem: [logoutJobs],
    },
    vault: { purpose: 'signing-key', actions: ['Decrypt'] },
  },
  // It deletes what `delete_user` deletes.
  'account-deletion': {
    table: combine(linkDeletion, {
      DeleteItem: [accountDeletions, apiToken, emailClaims, group, passkey, userAttribute],
      GetItem: [signInPolicyKey.pk],
      PutItem: [logoutJobs],
      Query: [accountDeletions],
      UpdateItem: [adminsKey.pk, group],
    }),
    index: [accessLink],
  },
  'audit-forward': { table: { BatchGetItem: [audit] } },
} as const satisfies Readonly<Record<Job, Grant>>
