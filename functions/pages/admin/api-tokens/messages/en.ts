/** Messages of the API tokens in the console. */
export const en = {
  heading: 'API tokens',
  chooseOwner: 'Choose a user to see their API tokens.',
  show: 'Show',
  ofUser: 'API tokens of {name}',
  otherUser: 'Choose another user',
  findName: 'Find by the exact name',
  scopes: 'Limited to',
  unlimited: 'Everything that the user may do',
  created: 'Created',
  lastUsed: 'Last used',
  expires: 'Expires',
  empty: 'This user has no API tokens.',
  revokeToken: 'Revoke the API token?',
  revokeTokenText: 'Programs that use {name} lose access at once.',
  revoked: 'The API token is revoked.',
} as const
