/**
 * The id of an LDAP server within what was stored of it (JSON text), for the views that show no more: a bare
 * id, or that of an object. Null for anything else.
 */
export const readLdapId = (stored: string): number | null => {
  const value: unknown = JSON.parse(stored)
  const id = typeof value === 'object' && value !== null && 'id' in value ? value.id : value
  return typeof id === 'number' && Number.isInteger(id) && id >= 1 && id < 2 ** 31 ? id : null
}
