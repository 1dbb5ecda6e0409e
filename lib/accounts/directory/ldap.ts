/**
 * Reads the ID of an LDAP server from the stored JSON text, for views that show only the ID. The text contains an ID or
 * an object with one. Returns null for anything else.
 */
export const readLdapId = (stored: string): number | null => {
  const value: unknown = JSON.parse(stored)
  const id = typeof value === 'object' && value !== null && 'id' in value ? value.id : value
  return typeof id === 'number' && Number.isInteger(id) && id >= 1 && id < 2 ** 31 ? id : null
}
