import type { Permission } from './permissions.ts'

/** The header in which the server of a product names the address of its user. */
export const clientAddressHeader = 'Latchkey-Client-Address'

/** What the header requires: the permission of the owner and the scope of the API token that the server sends with it. */
export const clientAddressPermission: Permission = 'client-address:set'
