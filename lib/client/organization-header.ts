/**
 * The header in which the request of a session or an API token of a user names the organization that it is about, by an ID or a slug.
 */
export const organizationHeader = 'Latchkey-Organization'
