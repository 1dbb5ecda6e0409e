/** Leads to the account page, which has the passkeys. Older bookmarks and products link to their former page. */
export const openPasskeys = async () => ({
  status: 303 as const,
  headers: { location: '/account#/passkeys' },
})
