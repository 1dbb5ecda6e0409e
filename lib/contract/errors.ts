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
  ]),
]

const listAccessErrors = ({ access, notWhileImpersonating, ...operation }: Operation): readonly string[] => {
  const changes = changesState({ access, ...operation })
  // A request with the cookie that comes from another site must not change anything.
  const canRefuseCookie = changes && !(access.allow === 'anyone' && access.credential === 'ignored')
  if (access.allow === 'anyone') return canRefuseCookie ? ['permission_denied'] : []
  const canDeny =
    access.allow === 'permission' ||
    notWhileImpersonating === true ||
    !access.by.includes('api_token') ||
    canRefuseCookie
  return ['not_authenticated', ...(canDeny ? ['permission_denied'] : [])]
}
