/**
 * The header in which a change names the values that fields must still have, as a JSON object. If one has changed since, nothing changes.
 */
export const ifUnchangedHeader = 'Latchkey-If-Unchanged'
