import { changesState, type Operation } from './operation.ts'

/** Lists every error code that an operation can return: those of the steps before its use case and its own. */
export const listErrors = (operation: Operation): readonly string[] => [
  ...new Set([
    'invalid_request',
    ...(operation.ignoresAccept ? [] : ['not_acceptable']),
    ...(operation.method === 'GET' ? [] : ['payload_too_large', 'unsupported_media_type']),
    ...listAccessErrors(operation),
    ...(operation.errors ?? []),
    'internal_error',
    // The table or a record is busy. Pages read and write no records.
    ...(operation.group === 'pages' ? [] : ['too_many_requests', 'temporarily_unavailable']),
  ]),
]

const listAccessErrors = (operation: Operation): readonly string[] => {
  const { access } = operation
  // Session-only operations reject API tokens. All others reject API tokens without their scope.
  if (access.allow !== 'anyone') return ['not_authenticated', 'permission_denied']
  // A header of a product without the right credential is refused.
  if (operation.acceptsProduct) return ['not_authenticated', 'permission_denied']
  // A request with the cookie that comes from another site must not change anything.
  return changesState(operation) && access.credential === 'optional' ? ['permission_denied'] : []
}
