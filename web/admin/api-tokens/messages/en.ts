/** Messages of the API tokens in the console. */
export const en = {
  heading: 'API tokens',
  intro:
    'The API tokens of all users, newest first. Revoke those that nothing uses, or that may do too much.',
  findOwner: 'Find tokens by their owner',
  owner: 'Owner',
  show: 'Show',
  ofUser: 'API tokens of {name}',
  allTokens: 'API tokens of all users',
  findName: 'Find by the exact name',
  scopes: 'Limited to',
  unlimited: 'Everything that the user may do',
  created: 'Created',
  lastUsed: 'Last used',
  expires: 'Expires',
  empty: 'This user has no API tokens.',
  emptyAll: 'There are no API tokens yet.',
  revokeToken: 'Revoke the API token?',
  revokeTokenText: 'Programs that use {name} lose access at once.',
  revoked: 'The API token is revoked.',
} as const
